"""What several threads write at once is written together, and each hears what became of its own."""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest
from django.db import IntegrityError, OperationalError, connection

from games.models import Event, Table
from games.store import at_once
from games.store.group_commit import MOST_AT_ONCE, GroupCommit
from tests.history import check
from tests.people import Person, a_guest
from tests.races.together import together
from tests.tables import a_match, whose_turn

PATIENCE = 20.0


class Desk:
    """Somewhere to write to: it notes each group, and holds up the first until it is let go."""

    def __init__(self, answer: Callable[[Sequence[str]], Sequence[bool]] | None = None) -> None:
        self.groups: list[list[str]] = []
        self.first, self.go_on = threading.Event(), threading.Event()
        self._answer = answer or (lambda items: [True] * len(items))

    def write(self, items: Sequence[str]) -> Sequence[bool]:
        self.groups.append(list(items))
        if len(self.groups) == 1:
            self.first.set()
            assert self.go_on.wait(PATIENCE)
        return self._answer(items)


@contextmanager
def while_one_writes(desk: Desk, others: Sequence[tuple[str, str]]) -> Iterator[list["Future[bool]"]]:
    """Let these come while the first is being written; what each of them hears."""
    group = GroupCommit(desk.write)
    with ThreadPoolExecutor(len(others) + 1) as threads:
        first = threads.submit(group.add, "first", "first")
        assert desk.first.wait(PATIENCE)
        heard = []
        for number, (key, item) in enumerate(others, 1):
            heard.append(threads.submit(group.add, key, item))
            await_waiting(group, number)
        desk.go_on.set()
        yield [first, *heard]


def await_waiting(group: GroupCommit[str], number: int) -> None:
    until = time.monotonic() + PATIENCE
    while len(group._waiting) < number:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_whoever_comes_alone_waits_for_nobody() -> None:
    desk = Desk()
    desk.go_on.set()
    group = GroupCommit(desk.write)

    assert [group.add(key, key) for key in "abc"] == [True, True, True]
    assert desk.groups == [["a"], ["b"], ["c"]]


def test_those_who_come_meanwhile_are_written_together() -> None:
    desk = Desk(lambda items: [item != "b" for item in items])
    with while_one_writes(desk, [("a", "a"), ("b", "b"), ("c", "c")]) as heard:
        assert [one.result(PATIENCE) for one in heard] == [True, True, False, True]

    assert desk.groups == [["first"], ["a", "b", "c"]]


def test_of_one_key_one_is_written_at_a_time_and_in_order() -> None:
    desk = Desk()
    with while_one_writes(desk, [("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3")]) as heard:
        assert all(one.result(PATIENCE) for one in heard)

    assert desk.groups == [["first"], ["a1", "b1"], ["a2"], ["a3"]]


def test_a_group_has_so_many_at_most() -> None:
    names = [str(number) for number in range(2 * MOST_AT_ONCE + 3)]
    desk = Desk()
    with while_one_writes(desk, [(name, name) for name in names]) as heard:
        assert all(one.result(PATIENCE) for one in heard)

    assert [len(group) for group in desk.groups] == [1, MOST_AT_ONCE, MOST_AT_ONCE, 3]
    assert [item for group in desk.groups[1:] for item in group] == names


def refusing(item: str, error: Exception) -> Callable[[Sequence[str]], Sequence[bool]]:
    def answer(items: Sequence[str]) -> Sequence[bool]:
        if item in items:
            raise error
        return [True] * len(items)

    return answer


def test_what_the_database_refuses_costs_nobody_else_their_item() -> None:
    desk = Desk(refusing("b", IntegrityError("b is refused")))
    with while_one_writes(desk, [("a", "a"), ("b", "b"), ("c", "c")]) as (first, a, b, c):
        assert [one.result(PATIENCE) for one in (first, a, c)] == [True, True, True]
        with pytest.raises(IntegrityError, match="b is refused"):
            b.result(PATIENCE)

    assert desk.groups == [["first"], ["a", "b", "c"], ["a"], ["b"], ["c"]]


def test_a_fault_leaves_nobody_waiting() -> None:
    desk = Desk(refusing("b", ValueError("a fault of ours")))
    with while_one_writes(desk, [("a", "a"), ("b", "b"), ("a", "later")]) as (first, a, b, later):
        assert first.result(PATIENCE)
        for one in (a, b):
            with pytest.raises(ValueError, match="a fault of ours"):
                one.result(PATIENCE)
        assert later.result(PATIENCE)


def test_a_fault_of_one_who_goes_alone_is_theirs() -> None:
    def answer(items: Sequence[str]) -> Sequence[bool]:
        if len(items) > 1:
            raise IntegrityError("something is refused")
        if items == ["b"]:
            raise MemoryError
        return [True]

    desk = Desk(answer)
    with while_one_writes(desk, [(name, name) for name in "abcd"]) as (_, a, b, c, d):
        assert [one.result(PATIENCE) for one in (a, c, d)] == [True] * 3
        with pytest.raises(MemoryError):
            b.result(PATIENCE)

    assert desk.groups == [["first"], ["a", "b", "c", "d"], ["a"], ["b"], ["c"], ["d"]]


def test_each_tries_alone_in_a_thread_of_their_own() -> None:
    """A connection belongs to a thread: one that is lost must not cost others their item."""
    tried: dict[str, int] = {}

    def answer(items: Sequence[str]) -> Sequence[bool]:
        if len(items) > 1:
            raise OperationalError("the connection is lost")
        tried[items[0]] = threading.get_ident()
        return [True]

    with while_one_writes(Desk(answer), [(name, name) for name in "abc"]) as heard:
        assert all(one.result(PATIENCE) for one in heard)

    assert len({tried[name] for name in "abc"}) == 3


def test_many_threads_hear_each_of_its_own() -> None:
    written: list[str] = []

    def write(items: Sequence[str]) -> Sequence[bool]:
        written.extend(items)
        time.sleep(0.0005)
        return [int(item) % 3 > 0 for item in items]

    group = GroupCommit(write)
    names = [str(number) for number in range(600)]
    random.Random(1).shuffle(names)
    with ThreadPoolExecutor(16) as threads:
        heard = list(threads.map(lambda name: group.add(str(int(name) % 20), name), names))

    assert heard == [int(name) % 3 > 0 for name in names]
    assert sorted(written) == sorted(names)


def test_a_fork_in_the_middle_leaves_the_child_a_group_that_works() -> None:
    desk = Desk()
    with while_forked_during(desk) as (group, read), os.fdopen(read) as told:
        assert told.read() == "True"
    assert group.add("after", "after")


@contextmanager
def while_forked_during(desk: Desk) -> Iterator[tuple[GroupCommit[str], int]]:
    """Fork while a thread writes; the child says through a pipe what became of an item of its own."""
    group = GroupCommit(desk.write)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(group.add, "first", "first")
        assert desk.first.wait(PATIENCE)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write, str(group.add("child", "child")).encode())
            finally:
                os._exit(0)
        os.close(write)
        yield group, read
        os.waitpid(child, 0)
        desk.go_on.set()
        assert first.result(PATIENCE)


on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")


@pytest.fixture
def matches() -> list[tuple[Person, str, int]]:
    """Tables with whose turn it is and the version."""
    found = []
    for number in range(6):
        people = [a_guest(f"Alice {number}"), a_guest(f"Bob {number}")]
        view = a_match(*people)
        found.append((whose_turn(people, view), view["id"], view["version"]))
    return found


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_bids_at_many_tables_at_once_are_each_there_once(matches: list[tuple[Person, str, int]]) -> None:
    bids = [
        partial(mover.acts, table_id, version, type="bid", quantity=1, face=3)
        for mover, table_id, version in matches
    ]

    answers = together(*bids, *bids)

    by_table = list(zip(answers[: len(bids)], answers[len(bids) :], strict=True))
    assert [sorted(answer.status_code for answer in pair) for pair in by_table] == [[200, 409]] * len(bids)
    for _, table_id, version in matches:
        assert Table.objects.get(pk=table_id).version == version + 1
        assert Event.objects.filter(table_id=table_id, kind="bid").count() == 1
        check(table_id)


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_group_moves_the_tables_that_are_still_at_the_version_and_no_other(
    matches: list[tuple[Person, str, int]],
) -> None:
    overtaken = {matches[1][1], matches[4][1]}

    moved = at_once._write_bids([a_bid(name, at - (name in overtaken)) for _, name, at in reversed(matches)])

    expected = [name not in overtaken for _, name, _ in matches]
    assert moved == expected[::-1]
    for still, (_, table_id, version) in zip(expected, matches, strict=True):
        assert Table.objects.get(pk=table_id).version == version + still
        assert Event.objects.filter(table_id=table_id, kind="bid").count() == still


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_group_with_what_the_database_refuses_writes_nothing_of_it(
    matches: list[tuple[Person, str, int]],
) -> None:
    bids = [a_bid(name, at, face=7 if number == 2 else 3) for number, (_, name, at) in enumerate(matches)]

    with pytest.raises(IntegrityError, match="event_has_a_bid_where_it_is_one"):
        at_once._write_bids(bids)

    assert not Event.objects.filter(kind="bid").exists()


def a_bid(table_id: str, version: int, *, face: int = 3) -> list[str | None]:
    """What a first bid at a table writes."""
    since = Table.objects.get(pk=table_id).updated_at.isoformat()
    at = "2100-01-01T12:00:00+00:00"
    table = [table_id, str(version), since, str(version + 1), at, "1", "2", at, None, None]
    return [*table, "0", "1", "1", "1", str(face), None, None, None]
