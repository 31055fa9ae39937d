"""From the rows of what happened the present state can be rebuilt at any time."""

import random
from dataclasses import replace

import pytest

from games.clocks import instant
from games.commands import play
from games.store.reading import latest_reveal
from tests.history import present, rebuilt
from tests.people import Person, a_guest
from tests.tables import a_match, a_move

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


def check(table_id: str) -> None:
    loaded, state = present(table_id)
    if state.status == "open":
        return
    assert rebuilt(table_id) == replace(state, reveal=latest_reveal(loaded.row))


def a_random_step(people: list[Person], table_id: str, rng: random.Random) -> bool:
    """Somebody acts, presses or leaves, or a computer moves; False once the match is over."""
    loaded, state = present(table_id)
    if state.status == "finished":
        return False
    if loaded.row.computer_due_at is not None:
        assert play.run_computer(table_id=table_id, now=loaded.row.computer_due_at)
        return True
    if rng.random() < 0.02:
        rng.choice(people).delete(f"tables/{table_id}/seats/me")
        return True
    person = rng.choice(people)
    view = person.sees(table_id)
    if view["legal"]:
        assert person.acts(table_id, view["version"], **a_move(view, rng)).status_code == 200
    return True


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
    assert steps > 3


def test_a_deadline_follows_from_when_the_turn_began_and_what_the_clock_allows() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = a_match(alice, bob, clock={"kind": "slow", "turn_seconds": 7200, "bank_seconds": 600})

    loaded, _ = present(table["id"])

    assert loaded.row.began_at is not None
    waited = (instant(table["deadline"]) - loaded.row.began_at).total_seconds()
    assert waited == 7200 + 600
    assert [seat["bank_seconds"] for seat in table["seats"]] == [600, 600]
