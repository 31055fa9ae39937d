"""Time at a table: what happens when it is over, never before, and once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games import tasks
from games.clocks import instant, whole_milliseconds
from games.commands import clockwork
from games.models import Event, Notice, Table
from tests.history import check
from tests.people import Person, a_guest, nobody
from tests.races.together import together
from tests.tables import a_match

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HOST_OPENS = {"first_opener": "host"}
HOUR = {"kind": "slow", "turn_seconds": 3600}
LIVE = {"kind": "live", "pace": "normal"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    tasks._stuck.clear()
    tasks._nobody_seen_at.clear()
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def trio() -> list[Person]:
    return [a_guest(name) for name in ("Alice", "Bob", "Carol")]


def kinds(table_id: str) -> list[str]:
    events = Event.objects.filter(table_id=table_id).order_by("version")
    kinds = list(events.values_list("kind", flat=True))
    return kinds[kinds.index("started") + 1 :]


def acts(person: Person, table_id: str, **action: Any) -> dict[str, Any]:
    answer = person.acts(table_id, person.sees(table_id)["version"], **action)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.parametrize(
    "limit", [HOUR, {**HOUR, "bank_seconds": 90}, LIVE, {"kind": "live", "pace": "quick"}]
)
def test_a_turn_ends_at_its_deadline_and_not_a_millisecond_before(
    clock: Any, trio: list[Person], limit: dict[str, Any]
) -> None:
    table = a_match(*trio, rules=HOST_OPENS, clock=limit)
    deadline = instant(table["deadline"])

    clock.move_to(deadline - timedelta(milliseconds=1))
    tasks.run_due_tables()
    assert kinds(table["id"]) == []

    clock.move_to(deadline)
    tasks.run_due_tables()
    assert kinds(table["id"]) == ["strike", "bid"]
    assert nobody().sees(table["id"])["round"]["bids"][0]["seat"] == 0
    check(table["id"])


def test_the_computer_moves_in_the_same_breath_and_the_next_turn_is_whole(
    clock: Any, trio: list[Person]
) -> None:
    table = a_match(*trio, rules=HOST_OPENS, clock={**HOUR, "bank_seconds": 60})
    clock.shift(3600 + 60 + 5)
    tasks.run_due_tables()

    view = trio[1].sees(table["id"])

    assert view["round"]["turn"] == 1
    assert instant(view["deadline"]) == whole_milliseconds(timezone.now()) + timedelta(seconds=3660)
    assert [seat["bank_seconds"] for seat in view["seats"]] == [0, 60, 60]
    tasks.run_due_tables()
    assert trio[1].sees(table["id"])["version"] == view["version"]


def test_a_second_strike_without_an_own_move_between_is_leaving(clock: Any, trio: list[Person]) -> None:
    table_id = a_match(*trio, rules=HOST_OPENS, clock=HOUR)["id"]
    clock.shift(3601)
    tasks.run_due_tables()
    acts(trio[1], table_id, type="bid", quantity=12, face=2)
    acts(trio[2], table_id, type="bid", quantity=13, face=2)
    clock.shift(3601)
    tasks.run_due_tables()

    view = trio[0].sees(table_id)
    assert kinds(table_id)[4:7] == ["strike", "left", kinds(table_id)[6]]
    assert kinds(table_id)[6] in ("bid", "liar", "exact")
    assert view["seats"][0]["substitute"] is True
    assert view["viewer"]["role"] == "spectator"
    check(table_id)


def test_an_own_move_clears_the_strikes(clock: Any, trio: list[Person]) -> None:
    table_id = a_match(*trio, rules=HOST_OPENS, clock=HOUR)["id"]
    clock.shift(3601)
    tasks.run_due_tables()
    for number, person in enumerate((trio[1], trio[2], trio[0], trio[1], trio[2])):
        acts(person, table_id, type="bid", quantity=10 + number, face=2)
    clock.shift(3601)
    tasks.run_due_tables()

    assert trio[0].sees(table_id)["seats"][0]["substitute"] is False
    check(table_id)


def test_of_two_the_second_strike_forfeits_and_no_computer_moves(clock: Any, trio: list[Person]) -> None:
    alice, bob, _ = trio
    table_id = a_match(alice, bob, rules=HOST_OPENS, clock=HOUR)["id"]
    clock.shift(3601)
    tasks.run_due_tables()
    acts(bob, table_id, type="bid", quantity=10, face=6)
    clock.shift(3601)
    tasks.run_due_tables()

    view = bob.sees(table_id)
    assert kinds(table_id)[-2:] == ["strike", "left"]
    assert view["result"] == {"winner": 1, "places": {"0": 2, "1": 1}, "drawn": False}
    assert view["deadline"] is None
    check(table_id)


def revealed(people: list[Person], clock: dict[str, Any], **rules: Any) -> dict[str, Any]:
    """A table whose first round was called by seat 1: seat 0 had bid too much, and lost a die."""
    table_id = a_match(*people, rules={**HOST_OPENS, **rules}, clock=clock)["id"]
    acts(people[0], table_id, type="bid", quantity=5 * len(people), face=6)
    return acts(people[1], table_id, type="liar")


def test_a_live_reveal_ends_by_itself(clock: Any, trio: list[Person]) -> None:
    table = revealed(trio, LIVE)
    assert instant(table["deadline"]) == NOON + timedelta(seconds=9)

    clock.shift(8.999)
    tasks.run_due_tables()
    assert nobody().sees(table["id"])["status"] == "revealed"
    clock.shift(0.001)
    tasks.run_due_tables()

    assert nobody().sees(table["id"])["round"]["number"] == 2
    check(table["id"])


def test_an_overdue_starter_is_no_strike(clock: Any, trio: list[Person]) -> None:
    table = revealed(trio, HOUR)
    clock.shift(3600)
    tasks.run_due_tables()

    assert kinds(table["id"]) == ["bid", "liar", "round"]
    begun = Event.objects.get(table_id=table["id"], kind="round")
    assert begun.seat is None
    check(table["id"])


def test_without_limit_nothing_ends(clock: Any, trio: list[Person]) -> None:
    table = revealed(trio, {"kind": "none"})
    clock.shift(10 * 365 * 24 * 3600)
    tasks.run_due_tables()

    assert table["deadline"] is None
    assert nobody().sees(table["id"])["status"] == "revealed"


def test_a_clock_that_was_set_back_ends_nothing_early(clock: Any, trio: list[Person]) -> None:
    table = a_match(*trio, rules=HOST_OPENS, clock=HOUR)
    clock.shift(-24 * 3600)
    tasks.run_due_tables()
    tasks.leave_absent()

    assert kinds(table["id"]) == []


@pytest.mark.parametrize("attempt", range(8))
def test_a_bid_in_the_instant_of_its_time_out_is_one_of_both(
    clock: Any, trio: list[Person], attempt: int
) -> None:
    table = a_match(*trio, rules=HOST_OPENS, clock=HOUR)
    clock.shift(3600)

    bid, _, _ = together(
        partial(trio[0].acts, table["id"], table["version"], type="bid", quantity=1, face=2),
        partial(clockwork.run_due_table, table_id=table["id"], now=timezone.now()),
        partial(clockwork.run_due_table, table_id=table["id"], now=timezone.now()),
    )

    assert kinds(table["id"]) == (["bid"] if bid.status_code == 200 else ["strike", "bid"])
    assert bid.status_code in (200, 409)
    check(table["id"])


def test_after_hours_without_a_worker_everything_is_caught_up_once(clock: Any, trio: list[Person]) -> None:
    tables = [a_match(*trio, rules=HOST_OPENS, clock=HOUR)["id"] for _ in range(5)]
    reveal = revealed(trio, HOUR)["id"]
    clock.shift(9 * 3600)

    together(*[tasks.run_due_tables] * 3)
    tasks.run_due_tables()

    assert [kinds(table_id) for table_id in tables] == [["strike", "bid"]] * 5
    assert kinds(reveal) == ["bid", "liar", "round"]
    for table_id in (*tables, reveal):
        check(table_id)


def test_who_is_gone_from_a_live_table_for_a_minute_has_left(clock: Any, trio: list[Person]) -> None:
    table_id = a_match(
        *trio, rules={**HOST_OPENS, "starting_dice": 2}, clock={"kind": "live", "pace": "relaxed"}
    )["id"]
    tasks.leave_absent()
    for _ in range(7):
        clock.shift(10)
        trio[0].get("me")
        trio[2].sees(table_id)
        tasks.leave_absent()

    view = trio[0].sees(table_id)
    assert [seat["substitute"] for seat in view["seats"]] == [False, True, False]
    assert kinds(table_id) == ["left"]
    check(table_id)


def test_nobody_is_sent_away_because_the_service_was(clock: Any, trio: list[Person]) -> None:
    table_id = a_match(*trio, clock=LIVE)["id"]
    tasks.leave_absent()
    clock.shift(1800)
    tasks.leave_absent()
    trio[0].get("me")
    clock.shift(20)
    tasks.leave_absent()
    assert "left" not in kinds(table_id)

    for _ in range(8):
        clock.shift(10)
        trio[0].get("me")
        trio[1].get("me")
        tasks.leave_absent()

    assert [seat["substitute"] for seat in trio[0].sees(table_id)["seats"]] == [False, False, True]


def test_on_a_slow_table_nobody_has_to_be_there(clock: Any, trio: list[Person]) -> None:
    table_id = a_match(*trio, clock=HOUR)["id"]
    tasks.leave_absent()
    for _ in range(10):
        clock.shift(30)
        trio[0].get("me")
        tasks.leave_absent()

    assert kinds(table_id) == []


def test_a_computers_turn_ends_by_its_move_alone(clock: Any) -> None:
    alice = a_guest("Alice")
    table = alice.opens(rules={"seats": 2, **HOST_OPENS}, computers=[{"level": "normal"}], clock=HOUR)
    acts(alice, table["id"], type="bid", quantity=1, face=2)
    clock.shift(2 * 3600)
    tasks.run_due_tables()
    assert kinds(table["id"]) == ["bid"]

    tasks.run_due_computers()
    tasks.run_due_computers()

    assert len(kinds(table["id"])) == 2
    assert "strike" not in kinds(table["id"])


def test_open_tables_that_nobody_touches_are_closed_with_a_notice(clock: Any, trio: list[Person]) -> None:
    alice, bob, carol = trio
    forgotten = alice.opens(name="Forgotten", sit=False)["id"]
    bob.sits(forgotten)
    clock.shift(timedelta(days=29))
    kept = carol.opens()["id"]
    clock.shift(timedelta(days=1, seconds=1))
    tasks.close_untouched()
    tasks.close_untouched()

    assert set(Table.objects.values_list("id", flat=True)) == {kept}
    assert alice.get(f"tables/{forgotten}").status_code == 404
    notices = Notice.objects.values_list("player_id", "kind", "table_id", "table_name", "told_at")
    assert sorted(notices) == sorted(
        (player.id, "expired", forgotten, "Forgotten", None) for player in (alice, bob)
    )


def test_a_table_that_cannot_go_on_waits_while_the_others_do(
    clock: Any, trio: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, fine = (a_match(*trio, rules=HOST_OPENS, clock=HOUR)["id"] for _ in range(2))
    run, tried = clockwork.run_due_table, []

    def running(*, table_id: str, now: datetime) -> bool:
        tried.append(table_id)
        if table_id == stuck:
            raise RuntimeError("cannot go on")
        return run(table_id=table_id, now=now)

    monkeypatch.setattr(clockwork, "run_due_table", running)
    clock.shift(3601)
    for _ in range(3):
        tasks.run_due_tables()
        clock.shift(1)

    assert kinds(fine) == ["strike", "bid"]
    assert tried.count(stuck) == 1
    clock.shift(60)
    tasks.run_due_tables()
    assert tried.count(stuck) == 2
