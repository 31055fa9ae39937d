"""A clock that is set back: what happens later has no earlier time, and no turn is shorter for it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from games import tasks
from games.clocks import instant
from games.models import Event, Table
from tests.history import check
from tests.people import Person, a_guest

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    tasks._stuck.clear()
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def people() -> list[Person]:
    return [a_guest(name) for name in ("Alice", "Bob", "Carol")]


def times(table_id: str) -> list[datetime]:
    return list(Event.objects.filter(table_id=table_id).order_by("version").values_list("at", flat=True))


def acts(person: Person, table_id: str, **action: Any) -> dict[str, Any]:
    answer = person.acts(table_id, person.sees(table_id)["version"], **action)
    assert answer.status_code == 200, answer.content
    return answer.json()


def a_table(host: Person) -> str:
    table = host.opens(
        rules={"seats": 3, "first_opener": "host"}, clock={"kind": "slow", "turn_seconds": 3600}
    )
    return str(table["id"])


def test_whatever_happens_then_is_not_before_what_happened(clock: Any, people: list[Person]) -> None:
    alice, bob, carol = people
    table_id = a_table(alice)

    for step in range(9):
        clock.move_to(NOON - (step + 1) * timedelta(minutes=1))
        match step:
            case 0 | 1:
                (bob, carol)[step].sits(table_id)
            case 2 | 3 | 4:
                acts(people[step - 2], table_id, type="bid", quantity=step, face=2)
            case 5:
                reveal = acts(alice, table_id, type="liar")["reveal"]
            case 6:
                acts(people[reveal["next_opener"]], table_id, type="next_round")
            case 7:
                view = acts(people[reveal["next_opener"]], table_id, type="bid", quantity=1, face=2)
            case 8:
                people[view["round"]["turn"]].delete(f"tables/{table_id}/seats/me")

    assert len(times(table_id)) >= 12
    assert times(table_id) == sorted(times(table_id))
    assert Table.objects.get(pk=table_id).updated_at == times(table_id)[-1]
    check(table_id)


def test_the_turn_that_begins_then_is_a_whole_one(clock: Any, people: list[Person]) -> None:
    alice, bob, carol = people
    table_id = a_table(alice)
    for other in (bob, carol):
        other.sits(table_id)
    clock.move_to(NOON - timedelta(minutes=30))

    view = acts(alice, table_id, type="bid", quantity=1, face=2)
    clock.move_to(NOON + HOUR - timedelta(milliseconds=1))
    tasks.run_due_tables()

    assert instant(view["deadline"]) == NOON + HOUR
    assert alice.sees(table_id)["version"] == view["version"]
    clock.move_to(NOON + HOUR)
    tasks.run_due_tables()
    assert alice.sees(table_id)["version"] > view["version"]
