"""Bids at tables that a process remembers: as if their rows had been read, or the rows are read after all."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player, Token
from accounts.queries import digest_of
from games.api import quick
from games.models import Event, Table
from games.queries import asking
from games.store import recent, sending
from games.store.reading import read
from games.store.rows import Proof
from tests.history import check
from tests.people import Person, a_guest
from tests.tables import a_match, a_move, whose_turn

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="nothing is remembered on SQLite"),
]


@pytest.fixture(autouse=True)
def _a_process_of_its_own() -> Iterator[None]:
    """Each test begins and ends as a process that remembers nothing."""
    for known in (recent._kept, asking._met, quick._learnt):
        known.clear()
    yield
    for known in (recent._kept, asking._met, quick._learnt):
        known.clear()


@pytest.fixture
def pair() -> list[Person]:
    return [a_guest("Alice"), a_guest("Bob")]


def bids(person: Person, table_id: str, version: int, quantity: int, face: int = 3) -> Any:
    """A bid with a minimal answer."""
    body = {"type": "bid", "quantity": quantity, "face": face, "version": version}
    return person.post(f"tables/{table_id}/actions", body, prefer="return=minimal")


def two_bids(pair: list[Person]) -> tuple[Person, Person, str, int]:
    """A match after two bids that its process remembers: who is to bid, the other, the table, its version."""
    view = a_match(*pair, rules={"seats": 2})
    mover = whose_turn(pair, view)
    other = pair[1 - pair.index(mover)]
    table_id, version = view["id"], view["version"]
    for person, quantity in ((mover, 1), (other, 2), (mover, 3), (other, 4)):
        version = bids(person, table_id, version, quantity).json()["version"]
    assert recent._kept[table_id].row.version == version
    return mover, other, table_id, version


def statements(person: Person, table_id: str, version: int, quantity: int) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert bids(person, table_id, version, quantity).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_a_bid_at_a_remembered_table_is_one_statement(pair: list[Person]) -> None:
    mover, _, table_id, version = two_bids(pair)

    (only,) = statements(mover, table_id, version, 5)

    assert "UPDATE games_table" in only
    check(table_id)


def test_who_is_to_see_the_table_sees_its_rows(pair: list[Person]) -> None:
    mover, other, table_id, version = two_bids(pair)
    Player.objects.filter(pk=other.id).update(name="Bobby")

    view = mover.acts(table_id, version, type="bid", quantity=5, face=3).json()

    assert "Bobby" in {seat["player"]["name"] for seat in view["seats"]}


def test_a_token_that_is_gone_does_nothing_more(pair: list[Person]) -> None:
    mover, _, table_id, version = two_bids(pair)
    Token.objects.filter(digest=digest_of(str(mover.token))).delete()

    assert bids(mover, table_id, version, 5).status_code == 401
    assert Table.objects.get(pk=table_id).version == version
    assert not Event.objects.filter(table_id=table_id, version__gt=version).exists()


def test_a_token_that_is_somebody_elses_now_is_theirs_at_once(pair: list[Person]) -> None:
    mover, _, table_id, version = two_bids(pair)
    Token.objects.filter(digest=digest_of(str(mover.token))).update(player_id=a_guest("Carol").id)

    assert bids(mover, table_id, version, 5).status_code == 403
    assert Table.objects.get(pk=table_id).version == version


def test_a_table_that_came_to_its_version_by_another_way_is_read(pair: list[Person]) -> None:
    """A server that took over may have lost the last moves, and others were made in their place."""
    mover, _, table_id, version = two_bids(pair)
    Table.objects.filter(pk=table_id).update(updated_at=F("updated_at") + timedelta(microseconds=1))
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE games_event SET quantity = 6 WHERE table_id = %s AND ordinal = 4", [table_id])
        cursor.execute("ALTER TABLE games_event ENABLE TRIGGER USER")

    assert bids(mover, table_id, version, 5).status_code == 422
    assert bids(mover, table_id, version, 7).status_code == 200
    check(table_id)


def test_a_table_that_is_gone_is_gone(pair: list[Person]) -> None:
    mover, _, table_id, version = two_bids(pair)
    with connection.cursor() as cursor:
        for rows in ("event", "hand", "round", "seat"):
            cursor.execute(f"DELETE FROM games_{rows} WHERE table_id = %s", [table_id])
        cursor.execute("DELETE FROM games_table WHERE id = %s", [table_id])

    assert bids(mover, table_id, version, 5).status_code == 404


@pytest.mark.parametrize(
    ("who", "quantity", "face", "off", "status"),
    [
        (0, 2, 3, 0, 422),
        (0, 99, 3, 0, 422),
        (0, 5, 9, 0, 422),
        (1, 5, 3, 0, 422),
        (0, 5, 3, -1, 409),
        (0, 5, 3, 1, 409),
    ],
)
def test_what_is_refused_is_refused_as_by_the_rows(
    pair: list[Person], who: int, quantity: int, face: int, off: int, status: int
) -> None:
    *both, table_id, version = two_bids(pair)
    remembered = bids(both[who], table_id, version + off, quantity, face)
    recent._kept.clear()

    anew = bids(both[who], table_id, version + off, quantity, face)

    assert remembered.status_code == anew.status_code == status
    assert remembered.content == anew.content
    assert Table.objects.get(pk=table_id).version == version


@pytest.mark.parametrize("seed", range(6))
def test_a_match_that_two_processes_serve_in_turn_is_one_match(seed: int) -> None:
    """Each process remembers what it did itself, and what the other did since makes that worth nothing."""
    rng = random.Random(seed)
    people = [a_guest(name) for name in ("Alice", "Bob", "Carol")]
    clock = rng.choice([{"kind": "none"}, {"kind": "slow", "turn_seconds": 3600, "bank_seconds": 60}])
    table_id = a_match(*people, rules={"exact": rng.choice(["off", "others_lose"])}, clock=clock)["id"]
    processes: list[list[dict[str, Any]]] = [[{}, {}], [{}, {}]]
    taken = 0

    view = people[0].sees(table_id)
    for _ in range(150):
        if view["status"] == "finished":
            break
        process = rng.choice(processes)
        for known, kept in zip(process, (recent._kept, asking._met), strict=True):
            kept.clear()
            kept.update(known)
        seat = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
        action = a_move(people[seat].sees(table_id), rng)
        taken += (
            recent.at_version(table_id, view["version"], proof=Proof(digest="", player_id="")) is not None
        )
        body = {"version": view["version"], **action}
        answer = people[seat].post(f"tables/{table_id}/actions", body, prefer="return=minimal")
        assert answer.status_code == 200, answer.content
        process[:] = [dict(recent._kept), dict(asking._met)]
        view = people[seat].sees(table_id)
        check(table_id)

    assert taken > 5


def test_what_is_remembered_is_what_the_rows_say_and_no_die(pair: list[Person]) -> None:
    *_, table_id, version = two_bids(pair)

    table = recent.at_version(table_id, version, proof=Proof(digest="secret", player_id=pair[0].id))

    anew = read(table_id)
    assert table is not None
    assert anew is not None
    assert (table.row, table.seats, table.state) == (anew.row, anew.seats, anew.state)
    assert table.state.round is not None
    assert table.state.round.hands == {}
    assert "secret" not in repr(table)


def test_what_may_still_be_undone_is_not_remembered(pair: list[Person]) -> None:
    mover, _, table_id, version = two_bids(pair)

    with transaction.atomic():
        assert bids(mover, table_id, version, 5).status_code == 200
        transaction.set_rollback(True)

    assert Table.objects.get(pk=table_id).version == version
    assert recent._kept[table_id].row.version == version
    assert statements(mover, table_id, version, 6)
    check(table_id)


def looks_up_the_reveal(person: Person, table_id: str) -> bool:
    with CaptureQueriesContext(connection) as captured:
        assert person.sees(table_id)["reveal"]["number"] == 1
    return any("facts AS text" in query["sql"] for query in captured.captured_queries)


def test_what_was_revealed_is_looked_up_once_and_again_when_a_connection_was_lost(
    pair: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    mover, other, table_id, version = two_bids(pair)
    assert mover.acts(table_id, version, type="liar").status_code == 200

    assert [looks_up_the_reveal(person, table_id) for person in (mover, other, mover)] == [True, False, False]
    with transaction.atomic():
        assert looks_up_the_reveal(mover, table_id)

    monkeypatch.setattr(sending, "_made", sending.connections_made() + 1)
    assert [looks_up_the_reveal(person, table_id) for person in (mover, other)] == [True, False]


def test_a_player_is_noted_while_their_tables_are_remembered(pair: list[Person]) -> None:
    mover, other, table_id, version = two_bids(pair)
    long_ago = timezone.now() - timedelta(minutes=5)
    Player.objects.update(seen_at=long_ago)
    for digest, who in list(asking._met.items()):
        asking.remember(who, seen_at=long_ago)
        assert asking._met[digest].seen_at == long_ago

    counted = []
    for number, person in enumerate((mover, other, mover, other)):
        sent = statements(person, table_id, version + number, 5 + number)
        counted.append(sum("seen_at" in statement for statement in sent))

    assert counted == [1, 1, 0, 0]
    assert not Player.objects.filter(pk__in=[mover.id, other.id], seen_at=long_ago).exists()


def test_no_more_is_remembered_than_so_much(pair: list[Person], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST", 3)
    monkeypatch.setattr(asking, "MOST", 3)

    tables = [two_bids(pair)[2] for _ in range(5)]
    for _ in range(4):
        two_bids([a_guest("Carol"), a_guest("Dave")])

    assert len(recent._kept) == len(asking._met) == 3
    assert not set(tables) & set(recent._kept)
