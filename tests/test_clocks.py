"""Clocks: what they allow, and the deadline that follows from facts."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks import (
    PACES,
    SLOW,
    UNLIMITED,
    Clock,
    ClockRefused,
    bank_left,
    deadline,
    instant,
    stamp,
    whole_milliseconds,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LIVE = [Clock(kind="live", pace=pace) for pace in PACES]
BANKED = Clock(kind="slow", turn_seconds=3600, bank_seconds=1800)


def seconds_until(clock: Clock, *, revealing: bool, bank: int | None = None) -> float | None:
    ends = deadline(clock, revealing=revealing, began_at=NOON, bank=bank)
    return None if ends is None else (ends - NOON).total_seconds()


def test_live_clocks_give_the_seconds_of_the_rules() -> None:
    assert [seconds_until(clock, revealing=False) for clock in LIVE] == [30, 60, 15]
    assert [seconds_until(clock, revealing=True) for clock in LIVE] == [9, 18, 4.5]


def test_a_slow_turn_lasts_its_time_and_its_bank_and_a_reveal_its_time_alone() -> None:
    assert seconds_until(BANKED, revealing=False, bank=1_800_000) == 5400
    assert seconds_until(BANKED, revealing=False, bank=250) == 3600.25
    assert seconds_until(BANKED, revealing=True, bank=1_800_000) == 3600
    assert seconds_until(SLOW, revealing=False) == 2 * 24 * 3600


def test_without_limit_nothing_ends() -> None:
    assert seconds_until(UNLIMITED, revealing=False) is None
    assert seconds_until(UNLIMITED, revealing=True) is None


@given(used=st.integers(0, 10_000_000), bank=st.integers(0, 3_000_000))
def test_only_an_overrun_draws_on_a_bank_and_never_below_nothing(used: int, bank: int) -> None:
    left = bank_left(BANKED, began_at=NOON, now=NOON + timedelta(milliseconds=used), bank=bank)

    assert left is not None
    assert 0 <= left <= bank
    assert (left == bank) == (used <= 3_600_000 or bank == 0)
    assert left == max(0, bank - max(0, used - 3_600_000))


def test_a_clock_set_back_gives_nobody_more_time_in_the_bank() -> None:
    assert bank_left(BANKED, began_at=NOON, now=NOON - timedelta(hours=9), bank=7) == 7


@given(st.datetimes(timezones=st.just(UTC), min_value=datetime(2000, 1, 1)))  # noqa: DTZ001 - hypothesis adds the zone
def test_stamps_are_read_back_to_the_millisecond(moment: datetime) -> None:
    assert instant(stamp(moment)) == whole_milliseconds(moment)
    assert stamp(moment).endswith("Z")


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({"kind": "sundial"}, "clock.kind"),
        ({"kind": "live", "pace": "blitz"}, "clock.pace"),
        ({"kind": "live"}, "clock.pace"),
        ({"kind": "slow", "turn_seconds": 3599}, "clock.turn_seconds"),
        ({"kind": "slow", "turn_seconds": 1209601}, "clock.turn_seconds"),
        ({"kind": "slow"}, "clock.turn_seconds"),
        ({"kind": "slow", "turn_seconds": 3600, "bank_seconds": 2592001}, "clock.bank_seconds"),
    ],
)
def test_a_clock_that_does_not_exist_is_refused_by_its_field(clock: dict[str, object], field: str) -> None:
    with pytest.raises(ClockRefused) as refusal:
        Clock(**clock)  # type: ignore[arg-type]
    assert refusal.value.field == field


@pytest.mark.parametrize("clock", [*LIVE, SLOW, UNLIMITED, BANKED])
def test_a_clock_is_kept_as_it_is_written(clock: Clock) -> None:
    assert Clock(**clock.document()) == clock


def test_ranked_tables_have_few_clocks() -> None:
    day = 24 * 3600

    assert [clock.fits_ranked for clock in LIVE] == [True, False, False]
    assert [Clock(kind="slow", turn_seconds=n * day).fits_ranked for n in (1, 2, 3, 4)] == [True] * 3 + [
        False
    ]
    assert not Clock(kind="slow", turn_seconds=day, bank_seconds=60).fits_ranked
    assert not UNLIMITED.fits_ranked
