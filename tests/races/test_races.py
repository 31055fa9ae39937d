"""What happens at once happens in some order: one wins, the others hear of it, nothing is half done.

On PostgreSQL the lock on the table's row decides, on SQLite its one writer.
"""

import random
import threading
from collections.abc import Iterator
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from games.commands import clockwork
from games.models import Event, Seat, Table
from tests.history import check, present
from tests.people import Person, a_guest, nobody
from tests.races.together import statuses, together
from tests.tables import a_match, play_on, whose_turn

pytestmark = pytest.mark.django_db(transaction=True)

HOST_OPENS = {"first_opener": "host"}


@pytest.fixture
def people() -> list[Person]:
    return [a_guest(name) for name in ("Alice", "Bob", "Carol", "Dave")]


@pytest.fixture
def pair(people: list[Person]) -> list[Person]:
    return people[:2]


@pytest.mark.parametrize("attempt", range(10))
def test_of_many_answers_to_one_version_exactly_one_counts(pair: list[Person], attempt: int) -> None:
    table = a_match(*pair)
    mover = whose_turn(pair, table)
    bids = [
        partial(
            mover.acts, table["id"], table["version"], type="bid", quantity=1 + number, face=2 + attempt % 5
        )
        for number in range(6)
    ]

    answers = together(*bids)

    assert statuses(answers) == [200, 409, 409, 409, 409, 409]
    assert Event.objects.filter(table_id=table["id"], kind="bid").count() == 1
    assert {answer.json()["version"] for answer in answers} == {table["version"] + 1}
    check(table["id"])


def test_a_move_by_everybody_at_once_is_one_move(people: list[Person]) -> None:
    table = a_match(*people)
    for _ in range(12):
        before = people[0].sees(table["id"])
        if before["status"] != "bidding":
            break
        standing = before["round"]["bids"][-1]["quantity"] if before["round"]["bids"] else 0
        bid = partial(Person.acts, table_id=table["id"], version=before["version"], type="bid")
        answers = together(*(partial(bid, person, quantity=standing + 1, face=6) for person in people))
        assert statuses(answers).count(200) == 1
        assert people[0].sees(table["id"])["version"] == before["version"] + 1
    check(table["id"])


@pytest.mark.parametrize("attempt", range(5))
def test_the_last_seat_goes_to_one_and_the_match_begins_once(people: list[Person], attempt: int) -> None:
    host, *others = people
    table_id = host.opens(rules={"seats": 2})["id"]

    answers = together(*(partial(other.post, f"tables/{table_id}/seats") for other in others))

    assert statuses(answers) == [200, 409, 409]
    assert Event.objects.filter(table_id=table_id, kind="started").count() == 1
    check(table_id)


def test_people_who_sit_down_at_once_all_find_a_seat(people: list[Person]) -> None:
    host, *others = people
    table_id = host.opens(rules={"seats": 4})["id"]

    answers = together(*(partial(other.post, f"tables/{table_id}/seats") for other in others))

    assert statuses(answers) == [200, 200, 200]
    assert nobody().sees(table_id)["status"] == "bidding"
    check(table_id)


def test_one_person_in_many_windows_sits_once(people: list[Person]) -> None:
    host, bob, *_ = people
    table_id = host.opens(rules={"seats": 6})["id"]

    answers = together(*(partial(bob.post, f"tables/{table_id}/seats", {"seat": n}) for n in range(1, 5)))

    assert statuses(answers) == [200, 409, 409, 409]
    assert Seat.objects.filter(table_id=table_id, player_id=bob.id).count() == 1


def test_a_table_asked_for_at_once_with_one_key_is_made_once(people: list[Person]) -> None:
    alice = people[0]

    answers = together(*(partial(alice.post, "tables", {"name": "x"}, idempotency_key="k") for _ in range(4)))

    assert statuses(answers) == [201] * 4
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer for answer in answers) == 3
    assert Table.objects.count() == 1


def test_a_bid_sent_at_once_with_one_key_is_made_once(pair: list[Person]) -> None:
    table = a_match(*pair)
    mover = whose_turn(pair, table)
    bid = {"type": "bid", "quantity": 3, "face": 3, "version": table["version"]}
    path = f"tables/{table['id']}/actions"

    answers = together(*(partial(mover.post, path, bid, idempotency_key="k") for _ in range(5)))

    assert statuses(answers) == [200] * 5
    assert len({answer.content for answer in answers}) == 1
    assert Table.objects.get(pk=table["id"]).version == table["version"] + 1


@pytest.mark.parametrize("attempt", range(5))
def test_a_bid_and_the_leaving_of_the_bidder_both_count_or_one_does(
    people: list[Person], attempt: int
) -> None:
    table = a_match(*people)
    mover = whose_turn(people, table)

    bid, left = together(
        partial(mover.acts, table["id"], table["version"], type="bid", quantity=1, face=3),
        partial(mover.delete, f"tables/{table['id']}/seats/me"),
    )

    assert left.status_code == 200
    kinds = list(
        Event.objects.filter(table_id=table["id"]).order_by("version").values_list("kind", flat=True)
    )
    assert kinds[6:] == (["bid", "left"] if bid.status_code == 200 else ["left"])
    assert bid.status_code in (200, 403)
    check(table["id"])


def test_of_two_who_leave_at_once_one_forfeits_and_the_other_wins(pair: list[Person]) -> None:
    table = a_match(*pair)

    answers = together(*(partial(person.delete, f"tables/{table['id']}/seats/me") for person in pair))

    assert statuses(answers) == [200, 200]
    result = nobody().sees(table["id"])["result"]
    assert sorted(result["places"].values()) == [1, 2]
    assert Event.objects.filter(table_id=table["id"], kind="left").count() == 1
    check(table["id"])


def test_when_all_leave_at_once_the_computers_play_the_match_out(people: list[Person]) -> None:
    table = a_match(*people, rules={"starting_dice": 1})

    answers = together(*(partial(person.delete, f"tables/{table['id']}/seats/me") for person in people))
    while clockwork.run_computer(table_id=table["id"], now=timezone.now()):
        pass

    assert statuses(answers) == [200] * 4
    ended = nobody().sees(table["id"])
    assert ended["status"] == "finished"
    assert sorted(ended["result"]["places"].values()) == [1, 2, 3, 4]
    check(table["id"])


def test_next_round_pressed_by_all_at_once_begins_one_round(people: list[Person]) -> None:
    table = a_match(*people, rules=HOST_OPENS, clock={"kind": "live", "pace": "normal"})
    people[0].acts(table["id"], table["version"], type="bid", quantity=20, face=6)
    revealed = people[1].acts(table["id"], table["version"] + 1, type="liar").json()
    press = [
        partial(person.acts, table["id"], revealed["version"], type="next_round")
        for person in people
        for _ in range(2)
    ]

    answers = together(*press)

    assert statuses(answers) == [200] * 8
    assert Event.objects.filter(table_id=table["id"], kind="round").count() == 1
    assert nobody().sees(table["id"])["round"]["number"] == 2
    check(table["id"])


def test_a_start_pressed_twice_at_once_starts_once(people: list[Person]) -> None:
    host, bob, *_ = people
    table_id = host.opens(rules={"seats": 4})["id"]
    bob.sits(table_id)

    answers = together(*(partial(host.post, f"tables/{table_id}/start") for _ in range(3)))

    assert statuses(answers) == [200, 422, 422]
    check(table_id)


def test_a_seat_freed_and_taken_and_a_start_at_once_leave_a_whole_table(people: list[Person]) -> None:
    host, bob, carol, _ = people
    table_id = host.opens(rules={"seats": 3})["id"]
    bob.sits(table_id)

    together(
        partial(host.delete, f"tables/{table_id}/seats/1"),
        partial(carol.post, f"tables/{table_id}/seats"),
        partial(host.post, f"tables/{table_id}/start"),
        partial(bob.delete, f"tables/{table_id}/seats/me"),
    )

    versions = list(
        Event.objects.filter(table_id=table_id).order_by("version").values_list("version", flat=True)
    )
    assert versions == list(range(1, Table.objects.get(pk=table_id).version + 1))
    check(table_id)


def test_a_computer_woken_by_many_workers_moves_once(people: list[Person]) -> None:
    alice = people[0]
    table = alice.opens(rules={"seats": 2, **HOST_OPENS}, computers=[{"level": "normal"}])
    alice.acts(table["id"], table["version"], type="bid", quantity=1, face=2)
    due_at = present(table["id"])[0].row.computer_due_at
    assert due_at is not None

    moved = together(*(partial(clockwork.run_computer, table_id=table["id"], now=due_at) for _ in range(4)))

    assert sorted(moved) == [False, False, False, True]
    assert Table.objects.get(pk=table["id"]).version == table["version"] + 2
    check(table["id"])


@pytest.fixture
def a_match_that_goes_on(pair: list[Person]) -> Iterator[str]:
    """A table at which moves are made all the time, until the test has seen enough."""
    table_id = a_match(*pair, rules={"exact": "regain"})["id"]
    stop = threading.Event()

    def play_until_told() -> None:
        rng = random.Random(1)
        while not stop.is_set():
            if play_on(pair, table_id, rng, most=1)["status"] == "finished":
                break
        connection.close()

    thread = threading.Thread(target=play_until_told)
    thread.start()
    yield table_id
    stop.set()
    thread.join(30)


def test_a_reader_never_sees_half_of_a_move(a_match_that_goes_on: str) -> None:
    table_id = a_match_that_goes_on
    began, reads, seen = timezone.now(), 0, set()
    while (timezone.now() - began).total_seconds() < 3:
        view = nobody().sees(table_id)
        reads += 1
        seen.add(view["version"])
        round, reveal = view["round"], view["reveal"]
        if round is not None:
            last = round["bids"][-1]["seat"] if round["bids"] else None
            assert round["turn"] == (round["opener"] if last is None else 1 - last)
            assert round["dice_in_play"] == sum(seat["dice"] for seat in view["seats"])
            assert (reveal["number"] if reveal else 0) == round["number"] - 1
            if reveal:
                assert round["opener"] == reveal["next_opener"]
        if view["status"] == "revealed":
            before = {seat: len(hand) for seat, hand in reveal["hands"].items()}
            after = {str(seat["seat"]): seat["dice"] for seat in view["seats"]}
            assert after == {seat: n + reveal["changes"].get(seat, 0) for seat, n in before.items()}

    assert reads > 20
    assert len(seen) > 5
