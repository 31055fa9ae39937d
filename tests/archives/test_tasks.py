"""Archiving by tasks: hints that come twice, late, in any order or never; and pruning that trusts nothing."""

import random
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import orjson
import pytest
import structlog
import time_machine
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games import tasks
from games.commands import archiving
from games.live import carrying
from games.models import Archive, ArchivedReveal, Event, Table
from games.store import archives
from games.store.rows import Loaded, TableRow
from tests.archives.matches import a_begun_match, a_played_match, a_step, live_rows, prune
from tests.people import Person, nobody
from tests.races.together import together
from tests.secrecy.test_unseen_dice_change_nothing import deal_anew, live_table

pytestmark = pytest.mark.django_db(transaction=True)


def play_a_reveal(kind: str, people: list[Person], table_id: str, rng: random.Random) -> None:
    """Go on until one more round was called."""
    before = Table.objects.get(pk=table_id).revealed_version
    while Table.objects.get(pk=table_id).revealed_version == before:
        a_step(kind, people, table_id, rng)


def kept(table_id: str) -> tuple[Any, ...]:
    """Everything that is kept of a match."""
    rows = Archive.objects.filter(pk=table_id).values_list("version", "ended_at", "frame", "visibility")
    reveals = ArchivedReveal.objects.filter(archive_id=table_id).order_by("number")
    return (
        [(version, at, bytes(frame), visible) for version, at, frame, visible in rows],
        [(number, bytes(content)) for number, content in reveals.values_list("number", "content")],
    )


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hints that were sent, instead of a broker."""
    sent: list[str] = []
    carrying.finish(patience=10)  # what other tests left
    monkeypatch.setattr(
        "celery.current_app.send_task",
        lambda task, args, **_: sent.extend(args[0]) if task == "games.archive_tables" else None,
    )
    return sent


def test_a_hint_is_sent_after_every_reveal_and_the_end_and_at_no_other_time(hints: list[str]) -> None:
    rng = random.Random(2)
    people, table_id = a_begun_match("people", rng, clock={"kind": "none"})
    while (row := Table.objects.get(pk=table_id)).status != "finished":
        hints.clear()
        a_step("people", people, table_id, rng)
        carrying.finish(patience=10)
        after = Table.objects.get(pk=table_id)
        worth = after.revealed_version != row.revealed_version or after.status == "finished"
        assert hints == ([table_id] if worth else [])


def test_a_hint_that_comes_twice_late_or_for_nothing_does_no_harm() -> None:
    rng = random.Random(4)
    people, table_id = a_begun_match("people", rng)
    tasks.archive_tables([table_id])
    assert kept(table_id) == ([], [])
    for _ in range(2):
        play_a_reveal("people", people, table_id, rng)

    tasks.archive_tables([table_id])
    once = kept(table_id)
    tasks.archive_tables([table_id])
    tasks.archive_tables(["nosuchtable"])

    assert len(once[1]) == 2
    assert kept(table_id) == once


def test_a_task_that_was_overtaken_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(6)
    people, table_id = a_begun_match("people", rng)
    play_a_reveal("people", people, table_id, rng)
    old = archives.keep_reveals
    paused: list[Any] = []
    monkeypatch.setattr(archives, "keep_reveals", lambda *args, **named: paused.append((args, named)))
    tasks.archive_tables([table_id])
    monkeypatch.setattr(archives, "keep_reveals", old)
    play_a_reveal("people", people, table_id, rng)
    tasks.archive_tables([table_id])
    newer = kept(table_id)

    (args, named), *_ = paused
    with transaction.atomic():
        assert not old(*args, **named)

    assert len(newer[1]) == 2
    assert kept(table_id) == newer


def test_many_workers_at_once_keep_every_reveal_once() -> None:
    rng = random.Random(8)
    people, table_id = a_begun_match("people", rng)
    while Table.objects.get(pk=table_id).status != "finished":
        play_a_reveal("people", people, table_id, rng)
        outcomes = together(*[lambda: archiving.archive_table(table_id=table_id)] * 4)
        assert outcomes.count(True) >= 1

    numbers = [number for number, _ in kept(table_id)[1]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert prune(table_id)


def test_lost_hints_are_found_again_from_the_rows() -> None:
    _, ended = a_played_match("people")
    rng = random.Random(9)
    people, running = a_begun_match("people", rng)
    play_a_reveal("people", people, running, rng)
    _, untouched = a_begun_match("people", rng)

    assert set(archiving.tables_behind()) == {ended, running}
    tasks.archive_recent()

    assert list(archiving.tables_behind()) == []
    assert Archive.objects.get(pk=ended).ended_at is not None
    assert Archive.objects.get(pk=running).version == Table.objects.get(pk=running).revealed_version
    assert kept(untouched) == ([], [])


def test_what_was_lost_long_ago_is_found_by_the_sweep_over_everything() -> None:
    played = [a_played_match("forfeit", seed)[1] for seed in range(3)]

    with time_machine.travel(timezone.now() + timedelta(days=90)):
        tasks.archive_recent()
        assert not Archive.objects.exists()
        tasks.archive_all()

    assert set(Archive.objects.values_list("id", flat=True)) == set(played)


def test_a_sweep_goes_on_after_a_table_that_cannot_be_archived(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = sorted(a_played_match("forfeit", seed)[1] for seed in range(3))
    Event.objects.filter(table_id=first, version=1).delete()
    sweep = archiving.tables_behind
    monkeypatch.setattr(archiving, "tables_behind", lambda **named: sweep(**named, most=1))

    with structlog.testing.capture_logs() as logs:
        tasks.archive_all()

    assert set(Archive.objects.values_list("id", flat=True)) == {second, third}
    assert [(line["event"], line["table"]) for line in logs] == [("archive_stuck", first)]


def test_the_periodic_task_prunes_what_is_old_and_only_that() -> None:
    _, old = a_played_match("people")
    tasks.archive_recent()
    tasks.prune_matches()
    assert live_rows(old) > 1

    with time_machine.travel(timezone.now() + timedelta(days=31)):
        _, new = a_played_match("people", 1)
        tasks.archive_recent()
        tasks.prune_matches()
        tasks.prune_matches()

    assert live_rows(old) == 1
    assert live_rows(new) > 1


def test_a_late_hint_does_not_make_an_archive_of_what_pruning_left() -> None:
    _, table_id = a_played_match("people")
    assert prune(table_id)
    before = kept(table_id)

    tasks.archive_tables([table_id])
    tasks.archive_all()
    assert kept(table_id) == before

    Archive.objects.filter(pk=table_id).delete()
    with structlog.testing.capture_logs() as logs:
        tasks.archive_all()
    assert kept(table_id) == ([], [])
    assert logs[0]["event"] == "archive_stuck"
    assert nobody().get(f"tables/{table_id}/archive").status_code == 404


class Crash(BaseException):
    """The process ends in the middle of something."""


def crash(*_: Any, **__: Any) -> None:
    raise Crash


@pytest.mark.parametrize("nth", range(3))
def test_a_crash_while_pruning_leaves_every_row(monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    _, table_id = a_played_match("people")
    before = nobody().get(f"tables/{table_id}/archive").content
    archiving.archive_table(table_id=table_id)
    rows = live_rows(table_id)
    deletions = iter(range(3))
    delete = QuerySet.delete
    with monkeypatch.context() as patched:
        patched.setattr(QuerySet, "delete", lambda rows: crash() if next(deletions) == nth else delete(rows))
        with pytest.raises(Crash):
            archiving.prune(table_id=table_id, now=timezone.now())

    assert live_rows(table_id) == rows
    assert Archive.objects.get(pk=table_id).live_rows
    assert prune(table_id)
    assert nobody().get(f"tables/{table_id}/archive").content == before


def test_whoever_reads_while_the_rows_are_pruned_reads_the_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table_id = a_played_match("people")
    before = nobody().get(f"tables/{table_id}/archive").content
    load = archives.load_unlocked

    def pruned_meanwhile(row: TableRow) -> Loaded:
        monkeypatch.setattr(archives, "load_unlocked", load)
        assert prune(table_id)
        return load(row)

    monkeypatch.setattr(archives, "load_unlocked", pruned_meanwhile)

    assert nobody().get(f"tables/{table_id}/archive").content == before
    assert live_rows(table_id) == 1


def test_a_crash_while_archiving_leaves_nothing_half_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table_id = a_played_match("people")
    before = nobody().get(f"tables/{table_id}/archive").content
    with monkeypatch.context() as patched:
        patched.setattr(archives, "_insert_reveals", crash)
        with pytest.raises(Crash):
            archiving.archive_table(table_id=table_id)

    assert kept(table_id) == ([], [])
    tasks.archive_recent()
    assert prune(table_id)
    assert nobody().get(f"tables/{table_id}/archive").content == before


def change_a_reveal(table_id: str, change: Callable[[dict[str, Any]], Any]) -> None:
    row = ArchivedReveal.objects.filter(archive_id=table_id).order_by("number")[0]
    reveal = orjson.loads(zlib.decompress(row.content))
    change(reveal)
    ArchivedReveal.objects.filter(pk=row.pk).update(content=archives.packed(reveal))


def change_the_frame(table_id: str, change: Callable[[dict[str, Any]], Any]) -> None:
    frame = archives.frame(table_id)
    assert frame is not None
    change(frame)
    Archive.objects.filter(pk=table_id).update(frame=archives.packed(frame))


def drop_a_reveal(table_id: str, number: int = 2) -> None:
    ArchivedReveal.objects.filter(archive_id=table_id, number=number).delete()


DAMAGE: dict[str, Callable[[str], object]] = {
    "a reveal is missing": drop_a_reveal,
    "another count": lambda table_id: change_a_reveal(table_id, lambda reveal: reveal.update(count=99)),
    "true for one": lambda table_id: change_a_reveal(table_id, lambda reveal: reveal.update(count=True)),
    "another time": lambda table_id: change_a_reveal(
        table_id, lambda reveal: reveal.update(at="2020-01-01T00:00:00.000Z")
    ),
    "a field of a reveal is missing": lambda table_id: change_a_reveal(
        table_id, lambda reveal: reveal.pop("secret")
    ),
    "a bid more": lambda table_id: change_a_reveal(
        table_id, lambda reveal: reveal["bids"].append(reveal["bids"][0])
    ),
    "an event is missing": lambda table_id: change_the_frame(table_id, lambda frame: frame["events"].pop()),
    "another name of the table": lambda table_id: change_the_frame(
        table_id, lambda frame: frame["table"].update(name="Another")
    ),
    "somebody else": lambda table_id: change_the_frame(
        table_id, lambda frame: frame["table"]["seats"][0]["player"].update(id="somebodyelse")
    ),
    "a field is missing": lambda table_id: change_the_frame(
        table_id, lambda frame: frame["table"].pop("commitment")
    ),
    "no table": lambda table_id: change_the_frame(table_id, lambda frame: frame.update(table={})),
    "an earlier version": lambda table_id: Archive.objects.filter(pk=table_id).update(version=5),
    "no zlib": lambda table_id: Archive.objects.filter(pk=table_id).update(frame=b"damaged"),
    "a reveal cut short": lambda table_id: ArchivedReveal.objects.filter(archive_id=table_id).update(
        content=b"x\x9c"
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_nothing_is_pruned_where_the_archive_says_something_else(damage: str) -> None:
    _, table_id = a_played_match("people")
    archiving.archive_table(table_id=table_id)
    rows = live_rows(table_id)
    now = timezone.now() + timedelta(days=31)
    DAMAGE[damage](table_id)

    with structlog.testing.capture_logs() as logs:
        assert not archiving.prune(table_id=table_id, now=now)

    assert live_rows(table_id) == rows
    assert [(line["event"], line["table"]) for line in logs] == [("archive_differs", table_id)]
    assert archiving.matches_to_prune(now=now + timedelta(hours=23)) == []
    assert archiving.matches_to_prune(now=now + timedelta(hours=24)) == [table_id]


def test_nothing_is_pruned_while_the_archive_is_behind_or_the_match_goes_on() -> None:
    rng = random.Random(11)
    people, table_id = a_begun_match("people", rng)
    now = timezone.now() + timedelta(days=400)
    play_a_reveal("people", people, table_id, rng)
    archiving.archive_table(table_id=table_id)
    assert archiving.matches_to_prune(now=now) == []
    assert not archiving.prune(table_id=table_id, now=now)

    while Table.objects.get(pk=table_id).status != "finished":
        a_step("people", people, table_id, rng)
    rows = live_rows(table_id)
    assert archiving.matches_to_prune(now=now) == []
    assert not archiving.prune(table_id=table_id, now=now)
    assert live_rows(table_id) == rows


def test_a_field_that_was_added_since_then_does_not_keep_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table_id = a_played_match("people")
    archiving.archive_table(table_id=table_id)
    before = nobody().get(f"tables/{table_id}/archive").content
    now_written = archiving.match_document

    def with_more(table: Loaded) -> dict[str, Any]:
        document = now_written(table)
        document["table"]["since_then"] = document["rounds"][0]["since_then"] = "new"
        return document

    monkeypatch.setattr(archiving, "match_document", with_more)

    assert archiving.prune(table_id=table_id, now=timezone.now())
    assert nobody().get(f"tables/{table_id}/archive").content == before


@pytest.mark.parametrize("seed", range(3))
def test_archives_of_running_matches_know_nothing_of_live_dice(seed: int) -> None:
    _, table_id = live_table(70 + seed)
    archiving.archive_table(table_id=table_id)
    first = kept(table_id)

    Archive.objects.filter(pk=table_id).delete()
    assert deal_anew(table_id, but=(), rng=random.Random(seed)) >= 1
    archiving.archive_table(table_id=table_id)

    assert kept(table_id) == first
    number = Table.objects.get(pk=table_id).number
    assert all(round_number < number for round_number, _ in first[1])


def test_an_archive_stands_alone_only_when_it_is_whole() -> None:
    rng = random.Random(12)
    people, table_id = a_begun_match("people", rng)
    play_a_reveal("people", people, table_id, rng)
    archiving.archive_table(table_id=table_id)
    running = Archive.objects.filter(pk=table_id, ended_at=None)

    with pytest.raises(IntegrityError, match="archive_stands_alone_only_when_whole"):
        running.update(live_rows=False)
    with pytest.raises(IntegrityError, match="archive_has_a_frame_when_whole"):
        running.update(ended_at=timezone.now())
    with pytest.raises(IntegrityError, match="archive_has_a_frame_when_whole"):
        running.update(frame=b"something")


# PostgreSQL chooses by what it knows of the rows: of none at all it would take any index.
OLD_TABLES = """
    INSERT INTO games_table
    SELECT (jsonb_populate_record(
        t, jsonb_build_object('id', 'old' || n, 'updated_at', now() - n * interval '1 hour')
    )).* FROM games_table t, generate_series(1, 3000) n
"""


def test_the_sweep_over_what_moved_lately_uses_an_index() -> None:
    a_begun_match("people", random.Random(12))
    statements = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        archives.behind(since=timezone.now(), most=10)
    (sql, params), *_ = statements
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(OLD_TABLES)
            cursor.execute("ANALYZE games_table")
        cursor.execute(
            ("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + sql, params
        )
        plan = str(cursor.fetchall())

    assert "table_visible" in plan, plan
