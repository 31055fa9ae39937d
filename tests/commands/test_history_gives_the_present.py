"""From the rows of what happened the present state can be rebuilt at any time."""

import random

import pytest

from games.clocks import instant
from tests.history import check, present
from tests.people import a_guest
from tests.tables import a_match, a_random_step

pytestmark = pytest.mark.django_db

RULES = [
    {},
    {"palifico": True, "starting_dice": 2},
    {"bidding": "sum", "exact": "regain"},
    {"ones": "wild", "palifico": True, "exact": "regain"},
    {"ones": "low", "first_opener": "host"},
    {"open_on_ones": True, "starting_dice": 1},
]
CLOCKS = [{"kind": "live", "pace": "quick"}, {"kind": "slow", "turn_seconds": 3600}, {"kind": "none"}]


@pytest.mark.parametrize("seed", range(12))
def test_the_events_of_a_random_match_give_the_state_that_the_rows_keep(seed: int) -> None:
    rng = random.Random(seed)
    people = [a_guest(name) for name in ("Alice", "Bob", "Carol", "Dave")[: rng.randint(2, 4)]]
    host, *others = people
    computers = [{"level": "normal"}] * rng.randint(0, 2)
    rules = {**RULES[seed % len(RULES)], "seats": len(people) + len(computers)}
    table = host.opens(rules=rules, clock=CLOCKS[seed % 3], computers=computers)
    for other in others:
        other.sits(table["id"])

    steps = 0
    while a_random_step(people, table["id"], rng):
        steps += 1
        if steps % 7 == 0:
            check(table["id"])

    check(table["id"])
    assert steps >= 1


def test_a_deadline_follows_from_when_the_turn_began_and_what_the_clock_allows() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = a_match(alice, bob, clock={"kind": "slow", "turn_seconds": 7200, "bank_seconds": 600})

    loaded, _ = present(table["id"])

    assert loaded.row.began_at is not None
    waited = (instant(table["deadline"]) - loaded.row.began_at).total_seconds()
    assert waited == 7200 + 600
    assert [seat["bank_seconds"] for seat in table["seats"]] == [600, 600]
