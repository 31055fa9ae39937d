"""How many statements a request takes, whatever has been played before. Sign-in is counted apart."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games.commands import clockwork
from games.store import reading
from tests.endless import Endless
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.tables import a_match, a_move, play_on

pytestmark = pytest.mark.django_db

VIEW, MINIMAL, WITH_VIEW, UNCHANGED = 3, 6, 7, 2
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
SIGN_IN = ("accounts_token", "UPDATE accounts_player SET seen_at")
MOVES_ON = "UPDATE games_table"  # which looks at the token as well where the table was not read


@contextmanager
def at_most(limit: int) -> Iterator[None]:
    """Let pass at most so many statements, those of sign-in and of transactions apart."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        yield
    counted = [
        query["sql"]
        for query in captured.captured_queries
        if (MOVES_ON in query["sql"] or not any(part in query["sql"] for part in SIGN_IN))
        and not query["sql"].startswith(TRANSACTION)
    ]
    assert 1 <= len(counted) <= limit, "\n".join(counted)


def a_long_match(rounds: int) -> tuple[list[Person], str]:
    """Six people in a match in which so many rounds were played."""
    people = [a_guest(name) for name in ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank")]
    table = a_match(*people, preset="calza", clock={"kind": "slow", "turn_seconds": 3600, "bank_seconds": 60})
    rng = random.Random(rounds)
    view = table
    while view["round"] is None or view["round"]["number"] <= rounds or not view["round"]["bids"]:
        view = play_on(people, table["id"], rng, most=1)
        assert view["status"] != "finished"
    return people, table["id"]


@pytest.mark.parametrize("rounds", [1, 12])
def test_a_view_takes_few_statements_in_any_round(rounds: int) -> None:
    people, table_id = a_long_match(rounds)

    for viewer in (*people, nobody(), a_guest("Grace")):
        with at_most(VIEW):
            viewer.sees(table_id)


@pytest.mark.parametrize("rounds", [1, 12])
def test_an_unchanged_view_takes_next_to_nothing(rounds: int) -> None:
    people, table_id = a_long_match(rounds)
    tag = people[0].get(f"tables/{table_id}")["ETag"]

    with at_most(UNCHANGED):
        assert people[0].get(f"tables/{table_id}", if_none_match=tag).status_code == 304


@pytest.mark.parametrize(("prefer", "limit"), [("return=minimal", MINIMAL), ("", WITH_VIEW)])
@pytest.mark.parametrize("rounds", [1, 12])
def test_every_action_takes_few_statements_in_any_round(rounds: int, prefer: str, limit: int) -> None:
    people, table_id = a_long_match(rounds)
    rng = random.Random(f"{rounds} {prefer}")
    done = set()
    for _ in range(200):
        view = people[0].sees(table_id)
        if view["status"] == "finished" or done >= {"bid", "liar", "exact", "next_round"}:
            break
        mover = people[view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]]
        mine = mover.sees(table_id)
        action = a_move(mine, rng)
        body = {"version": mine["version"], **action}
        with at_most(limit):
            answer = mover.post(f"tables/{table_id}/actions", body, prefer=prefer)
        assert answer.status_code == 200
        done.add(action["type"])

    assert done >= {"bid", "liar", "next_round"}


def test_lists_take_the_same_few_statements_for_many_tables() -> None:
    alice = a_guest("Alice")
    for _ in range(12):
        alice.opens(rules={"seats": 2})

    with at_most(3):
        assert len(nobody().get("tables").json()["results"]) == 12
    with at_most(3):
        assert len(alice.get("tables?mine=true").json()["results"]) == 12
    with at_most(1):
        alice.get("me")


def test_a_call_that_begins_the_next_round_in_the_same_step_takes_two_more() -> None:
    """The last person in goes out by their own call: nobody is waited for, and two steps are one action."""
    alice = a_guest("Alice")
    rules = {"seats": 4, "starting_dice": 1, "first_opener": "host"}
    for _ in range(40):
        table = alice.opens(rules=rules, computers=[{"level": "easy"}] * 3)
        view = table
        while view["seats"][0]["dice"] and view["status"] != "finished":
            due_at = present(table["id"])[0].row.computer_due_at
            if due_at is not None:
                clockwork.run_computer(table_id=table["id"], now=due_at)
                view = alice.sees(table["id"])
                continue
            action = {"type": "exact"} if view["legal"]["exact"] else a_move(view, random.Random(1))
            body = {"version": view["version"], **action}
            with at_most(MINIMAL + 2):
                alice.post(f"tables/{table['id']}/actions", body, prefer="return=minimal")
            view = alice.sees(table["id"])
            if view["version"] == body["version"] + 2:
                return
    raise AssertionError("nobody went out by their own call")


@pytest.mark.slow
def test_round_200_takes_the_statements_and_bytes_of_the_first_rounds() -> None:
    match = Endless(a_guest("Alice"))
    match.play_round()  # in which a view shows no reveal yet
    first = match.play_round()
    while match.number < 200:
        match.play_round()

    late = match.play_round()

    assert [cost.statements for cost in late] == [cost.statements for cost in first]
    for before, after in zip(first, late, strict=True):
        assert after.size == pytest.approx(before.size, rel=0.1)


@pytest.mark.parametrize("statement", [reading._WHOLE_TABLE, reading._TOKEN_AND_TABLE])
def test_a_table_is_read_without_a_look_at_all_the_players_there_are(statement: str) -> None:
    """A site of some thousand players is where PostgreSQL would rather read them all than look up four."""
    people, table_id = a_long_match(2)
    now = timezone.now()
    Player.objects.bulk_create(
        Player(id=f"stranger{number}", name="Somebody", created_at=now) for number in range(1000)
    )
    texts = [table_id, people[0].token][: statement.count("%s")]

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{explain} {reading._on_this_database(statement)}", texts)
        plan = [" ".join(map(str, row)) for row in cursor.fetchall()]

    assert any("player" in line or " p " in line for line in plan)
    assert not [line for line in plan if "Seq Scan on accounts_player" in line or "SCAN p" in line]
