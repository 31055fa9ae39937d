"""The sameness test: what a viewer gets is equal to the byte whatever dice lie where they may not look.

The same table is read twice, with other dice under every cup that the viewer may not lift and with another
chain of secrets behind them; so not even ids, times, tags and commitments differ, and nothing is left out.
"""

import random
import re
from collections.abc import Iterable

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import sealing
from games.api import urls as api_urls
from games.commands import clockwork
from games.commands.once import Answered
from games.computers.situation import situation_of
from games.engine.view import Viewer, view_for
from games.models import Hand, Table
from games.queries.table import Seen
from games.web import urls as web_urls
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.secrecy.doors import (
    Answer,
    differences,
    everything_read,
    everything_refused,
    everything_staff_reads,
    headers_of,
)
from tests.tables import a_random_step

pytestmark = pytest.mark.django_db(transaction=True)

RULES = [
    {},
    {"bidding": "sum", "exact": "regain"},
    {"ones": "wild", "palifico": True, "starting_dice": 3},
    {"ones": "low", "exact": "off"},
    {"open_on_ones": True, "palifico": True},
]


def deal_anew(table_id: str, *, but: Iterable[int], rng: random.Random) -> int:
    """Put other dice under the cups of the round in play, but for some seats; how many hands changed."""
    number = Table.objects.values_list("number", flat=True).get(pk=table_id)
    changed = 0
    for row in Hand.objects.filter(table_id=table_id, number=number).exclude(seat__in=list(but)):
        place = sealing.hand_place(table_id, row.number, row.seat)
        hand = sealing.unseal_hand(row.sealed, place=place)
        other = hand
        while other == hand:
            other = tuple(rng.randint(1, 6) for _ in hand)
        Hand.objects.filter(pk=row.pk).update(sealed=sealing.seal_hand(other, place=place))
        changed += 1
    chain = sealing.seal(rng.randbytes(32), place=sealing.chain_place(table_id))
    Table.objects.filter(pk=table_id).update(sealed_chain=chain)
    return changed


def a_table_in_play(seed: int, *, mode: str = "casual", people: int = 3) -> tuple[list[Person], str]:
    """A match in the middle of a round, with people and a computer, after some random steps."""
    rng = random.Random(seed)
    cast = [a_guest(name) for name in ("Alice", "Bob", "Carol")[:people]]
    rules = {**RULES[seed % len(RULES)], "seats": 4}
    clock = {"kind": "none"} if mode == "practice" else {"kind": "slow", "turn_seconds": 3600}
    computers = [{"level": "normal"}]
    table = cast[0].opens(rules=rules, mode=mode, clock=clock, computers=computers)
    if mode == "casual":
        for other in cast[1:]:
            other.sits(table["id"])
        for _ in range(rng.randint(0, 25)):
            a_random_step(cast, table["id"], rng)
    return cast, table["id"]


def live_table(seed: int) -> tuple[list[Person], str]:
    """Like `a_table_in_play`, where hands are live for certain."""
    for attempt in range(100):
        cast, table_id = a_table_in_play(seed + 1000 * attempt)
        if present(table_id)[1].status == "bidding":
            return cast, table_id
    raise AssertionError("no random match was in a round")


def check_viewer(viewer: Person, table_id: str, *, seen: set[int], rng: random.Random) -> None:
    version = present(table_id)[0].row.version
    first = [*everything_read(viewer, table_id), *everything_refused(viewer, table_id, version)]
    assert deal_anew(table_id, but=seen, rng=rng) >= 1
    second = [*everything_read(viewer, table_id), *everything_refused(viewer, table_id, version)]
    assert differences(first, second) == []


def test_the_sameness_test_knocks_at_every_door_there_is() -> None:
    (alice, *_), table_id = live_table(0)
    answers = [*everything_read(alice, table_id), *everything_refused(alice, table_id, 1)]

    knocked = {re.findall(r"\[([\w-]+)\]$", answer[0])[0] for answer in answers}

    doors = {pattern.name for pattern in (*api_urls.urlpatterns, *web_urls.urlpatterns)}
    assert doors - knocked == {"api-schema", "api-docs"}  # they know no table


@pytest.mark.parametrize("seed", range(5))
def test_no_seat_sees_what_it_may_not_through_any_door(seed: int) -> None:
    cast, table_id = live_table(seed)
    rng = random.Random(seed)

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        for person in cast:
            seat = person.sees(table_id)["viewer"]["seat"]
            check_viewer(person, table_id, seen=set() if seat is None else {seat}, rng=rng)


@pytest.mark.parametrize("seed", range(5, 8))
def test_neither_spectators_nor_strangers_see_any_live_die(seed: int) -> None:
    _, table_id = live_table(seed)
    rng = random.Random(seed)

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        for viewer in (nobody(), a_guest("Dave")):
            check_viewer(viewer, table_id, seen=set(), rng=rng)


def test_a_host_who_does_not_sit_sees_no_live_die() -> None:
    host, alice, bob = a_guest("Host"), a_guest("Alice"), a_guest("Bob")
    table_id = host.opens(rules={"seats": 2}, sit=False)["id"]
    alice.sits(table_id)
    bob.sits(table_id)

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        check_viewer(host, table_id, seen=set(), rng=random.Random(1))


def test_staff_see_no_live_die_on_any_page_of_the_admin() -> None:
    _, table_id = live_table(20)
    User.objects.create_superuser("staff", password="only for this test")
    staff = Client()
    assert staff.login(username="staff", password="only for this test")

    with time_machine.travel(timezone.now(), tick=False):
        first = list(everything_staff_reads(staff, table_id))
        assert deal_anew(table_id, but=(), rng=random.Random(2)) == len(present(table_id)[1].seats_in)
        second = list(everything_staff_reads(staff, table_id))

    assert len(first) > 10
    assert differences(first, second) == []


def test_staff_who_look_at_a_table_over_the_api_are_spectators() -> None:
    _, table_id = live_table(21)
    User.objects.create_superuser("staff", password="only for this test")
    staff = Person()
    assert staff.client.login(username="staff", password="only for this test")

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        assert staff.sees(table_id)["viewer"] == {"role": "spectator", "seat": None}
        check_viewer(staff, table_id, seen=set(), rng=random.Random(3))


def test_an_owner_of_a_practice_table_sees_only_what_they_look_at_and_others_see_nothing() -> None:
    (alice, bob), table_id = a_table_in_play(30, mode="practice", people=2)
    rng = random.Random(4)
    table = alice.sees(table_id)
    while table["seats"][table["round"]["turn"]]["player"]["kind"] == "computer":
        due_at = present(table_id)[0].row.computer_due_at
        assert due_at is not None
        assert clockwork.run_computer(table_id=table_id, now=due_at)
        table = alice.sees(table_id)
    turn = table["round"]["turn"]

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        for looked_through in range(4):
            first = alice.get(f"tables/{table_id}?as={looked_through}")
            assert first.json()["round"]["hand"] is not None
            deal_anew(table_id, but={looked_through}, rng=rng)
            second = alice.get(f"tables/{table_id}?as={looked_through}")
            assert (first.content, headers_of(first)) == (second.content, headers_of(second))
        first = alice.get(f"tables/{table_id}")
        deal_anew(table_id, but={turn}, rng=rng)
        assert first.content == alice.get(f"tables/{table_id}").content
        check_viewer(bob, table_id, seen=set(), rng=rng)


class _Undo(Exception):
    pass


def after_a_bid(mover: Person, watchers: list[Person], table_id: str, bid: dict[str, object]) -> list[Answer]:
    """What everybody reads after this bid; the bid is taken back afterwards."""
    answers: list[Answer] = []
    try:
        with transaction.atomic():
            version = present(table_id)[0].row.version
            answer = mover.post(f"tables/{table_id}/actions", {"version": version, **bid})
            assert answer.status_code == 200, answer.content
            answers.append(("the bid", answer.status_code, (), answer.content))
            for watcher in watchers:
                found = watcher.get(f"tables/{table_id}")
                answers.append((watcher.name, found.status_code, headers_of(found), found.content))
            raise _Undo
    except _Undo:
        return answers


@pytest.mark.parametrize("seed", range(40, 43))
def test_an_accepted_bid_tells_nobody_more_than_the_bid(seed: int) -> None:
    view = None
    for attempt in range(100):
        cast, table_id = live_table(seed + 7 * attempt)
        for mover in cast:
            view = mover.sees(table_id)
            if view["legal"] and view["legal"]["bids"]:
                break
        else:
            continue
        break
    assert view is not None
    legal, seat = view["legal"], view["viewer"]["seat"]
    face = sorted(legal["bids"])[-1]
    lowest = legal["bids"][face][0]
    bid = (
        {"type": "bid", "total": lowest}
        if face == "total"
        else {"type": "bid", "quantity": lowest, "face": int(face)}
    )
    watchers = [mover, nobody()]

    with time_machine.travel("2030-01-01T00:00:00Z", tick=False):
        first = after_a_bid(mover, watchers, table_id, bid)
        assert deal_anew(table_id, but={seat}, rng=random.Random(seed)) >= 1
        second = after_a_bid(mover, watchers, table_id, bid)

    assert differences(first, second) == []


def test_a_copy_of_the_database_holds_live_dice_only_sealed() -> None:
    _, table_id = live_table(50)

    first = every_row()
    deal_anew(table_id, but=(), rng=random.Random(5))
    second = every_row()

    changed = {name for name in first if first[name] != second[name]}
    assert changed == {"games_hand.sealed", "games_table.sealed_chain"}
    assert len({len(token) for token in first["games_hand.sealed"]}) == 1


def every_row() -> dict[str, list[str]]:
    """Every column of every table of this database, as text."""
    columns: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            names = [field.name for field in connection.introspection.get_table_description(cursor, table)]
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    columns.setdefault(f"{table}.{name}", []).append(str(value))
    return columns


def test_nothing_that_is_printed_shows_a_die() -> None:
    _, table_id = live_table(60)
    loaded, state = present(table_id)
    assert state.round is not None
    hands = [hand for hand in state.round.hands.values() if len(hand) > 1]

    views = [view_for(state, Viewer("player", seat)) for seat in state.seats_in]
    answered = Answered(status=200, body=str(hands).encode())
    seen = Seen("tag", {"hand": hands})
    outlooks = [situation_of(view) for view in views if view.legal and view.legal.bids]
    values = (loaded, state, state.round, loaded.row, *loaded.seats, *Hand.objects.all(), *views)
    printed = " ".join(map(repr, (*values, answered, seen, *outlooks)))

    assert hands
    assert outlooks
    assert "hand=" not in printed
    assert "hands" not in printed
    assert loaded.row.sealed_chain not in printed
    for hand in hands:
        assert str(hand) not in printed
