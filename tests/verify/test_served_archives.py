"""The archives that the service hands out verify, and are what the schema describes."""

import random
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.commands import clockwork
from games.engine.verify import verify
from tests.people import Person, a_guest, nobody
from tests.tables import a_move
from tests.verify.test_true_documents import SCHEMA, SMALL

pytestmark = pytest.mark.django_db

RULES: list[dict[str, Any]] = [
    {},
    {"palifico": True, "starting_dice": 2},
    {"bidding": "sum", "exact": "regain", "first_opener": "host"},
    {"ones": "wild", "palifico": True, "exact": "regain", "starting_dice": 3},
    {"ones": "low", "exact": "off"},
    {"open_on_ones": True, "starting_dice": 1},
]
CLOCKS = [{"kind": "live", "pace": "quick"}, {"kind": "slow", "turn_seconds": 3600}, {"kind": "none"}]
LATER = datetime(2100, 1, 1, tzinfo=UTC)


def check(table_id: str) -> dict[str, Any]:
    """Verify the archive of a match that is over."""
    answer = nobody().get(f"tables/{table_id}/archive")
    assert answer.status_code == 200, answer.content
    document: dict[str, Any] = answer.json()
    report = verify(document)

    assert report.good, str(report)
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)] == []
    assert len(zlib.compress(answer.content, 9)) <= SMALL
    return document


def play_to_the_end(people: list[Person], table_id: str, rng: random.Random, *, leaving: float = 0.0) -> None:
    """People act, press and now and then leave; computers move when it is their turn."""
    now = LATER
    while nobody().sees(table_id)["status"] != "finished":
        now += timedelta(seconds=10)
        if clockwork.run_computer(table_id=table_id, now=now):
            continue
        person = rng.choice(people)
        if rng.random() < leaving:
            person.delete(f"tables/{table_id}/seats/me")
            continue
        view = person.sees(table_id)
        if view["legal"]:
            person.acts(table_id, view["version"], **acting(view, a_move(view, rng)))


def acting(view: dict[str, Any], action: dict[str, Any]) -> dict[str, Any]:
    """The action, with the seat that it is for on a practice table."""
    if view["viewer"]["role"] != "owner":
        return action
    starters = [
        seat["seat"] for seat in view["seats"] if seat["dice"] and seat["player"]["kind"] != "computer"
    ]
    return action | {"seat": view["round"]["turn"] if view["round"] else starters[0]}


@pytest.mark.parametrize("seed", range(9))
def test_a_match_of_people_and_computers_verifies(seed: int) -> None:
    rng = random.Random(seed)
    host, *others = people = [a_guest(name) for name in ("Alice", "Bob", "Carol")[: rng.randint(1, 3)]]
    computers = [{"level": "normal"}] * (3 if len(people) == 1 else seed % 3)
    rules = {**RULES[seed % len(RULES)], "seats": len(people) + len(computers)}
    table = host.opens(rules=rules, clock=CLOCKS[seed % 3], computers=computers)
    for other in others:
        other.sits(table["id"], client_seed=f"{other.name}'s luck ⚄")

    play_to_the_end(people, table["id"], rng, leaving=0.01 if seed % 2 else 0)

    assert check(table["id"])["rounds"]


def test_a_match_that_begins_with_seats_untaken_after_some_thought_better_of_it_verifies() -> None:
    alice, bob, carol = a_guest("Alice"), a_guest("Bob"), a_guest("Carol")
    table = alice.opens(rules={"seats": 6, "starting_dice": 1})
    bob.sits(table["id"], seat=5)
    carol.sits(table["id"], seat=3)
    carol.delete(f"tables/{table['id']}/seats/me")
    alice.post(f"tables/{table['id']}/computers", {"level": "easy", "seat": 1})
    alice.delete(f"tables/{table['id']}/seats/1")
    alice.post(f"tables/{table['id']}/computers", {"level": "hard", "seat": 4})
    assert alice.post(f"tables/{table['id']}/start").status_code == 200

    play_to_the_end([alice, bob], table["id"], random.Random(1))

    document = check(table["id"])
    kinds = [event["kind"] for event in document["events"][:9]]
    assert kinds == ["created", "sat", "sat", "sat", "stood", "computer", "freed", "computer", "started"]
    assert [seat["seat"] for seat in document["table"]["seats"]] == [0, 4, 5]


def test_a_forfeit_inside_a_round_verifies_and_shows_nothing_of_that_round() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = alice.opens(rules={"seats": 2})
    bob.sits(table["id"])
    mover = (alice, bob)[alice.sees(table["id"])["round"]["turn"]]
    view = mover.sees(table["id"])
    mover.acts(table["id"], view["version"], type="bid", quantity=1, face=2)
    bob.delete(f"tables/{table['id']}/seats/me")

    document = check(table["id"])

    assert document["rounds"] == []
    assert document["events"][-1]["forfeit"] is True
    assert document["table"]["version"] == len(document["events"]) + 1


def test_a_practice_that_was_played_out_verifies() -> None:
    alice = a_guest("Alice")
    rules = {"seats": 4, "starting_dice": 2}
    table = alice.opens(mode="practice", rules=rules, computers=[{"level": "easy"}], client_seed="mine")

    play_to_the_end([alice], table["id"], random.Random(4))

    assert check(table["id"])["table"]["result"] is not None


def test_a_practice_that_was_left_verifies() -> None:
    alice = a_guest("Alice")
    table = alice.opens(mode="practice", rules={"seats": 2})
    view = alice.sees(table["id"])
    seat = view["round"]["turn"]
    alice.acts(table["id"], view["version"], type="bid", quantity=1, face=2, seat=seat)
    alice.delete(f"tables/{table['id']}/seats/me")

    document = check(table["id"])

    assert document["table"]["result"] is None
    assert document["events"][-1]["kind"] == "abandoned"
