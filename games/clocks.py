"""Time, as pure functions: what a clock allows, and from facts to the one deadline.

Times are aware `datetime`s in UTC, whole to the millisecond; spans are in milliseconds unless a name says
seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["live", "slow", "none"]

HOUR = 3600
DAY = 24 * HOUR

PACES: Mapping[str, tuple[int, int]] = {
    "normal": (30_000, 9_000),
    "relaxed": (60_000, 18_000),
    "quick": (15_000, 4_500),
}
"""Live clocks: the time for a turn and for a reveal, in milliseconds (rules, section 7)."""

TURN_SECONDS = (HOUR, 14 * DAY)
BANK_SECONDS = (0, 30 * DAY)
RANKED_TURN_SECONDS = (DAY, 2 * DAY, 3 * DAY)


class ClockRefused(ValueError):
    """A clock that does not exist; `field` is the part to mend."""

    code = "clock"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = f"clock.{field}"
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """How long a turn may take: live, slow with an optional bank, or without limit."""

    kind: Kind = "slow"
    pace: str | None = None
    turn_seconds: int | None = None
    bank_seconds: int = 0

    def __post_init__(self) -> None:
        if self.kind not in ("live", "slow", "none"):
            raise ClockRefused("kind", "kind must be live, slow or none.")
        if self.kind == "live" and self.pace not in PACES:
            raise ClockRefused("pace", f"pace must be {', '.join(PACES)}.")
        if self.kind == "slow":
            _check_between("turn_seconds", self.turn_seconds, TURN_SECONDS)
            _check_between("bank_seconds", self.bank_seconds, BANK_SECONDS)

    def document(self) -> dict[str, Any]:
        """The clock as the API writes it."""
        if self.kind == "live":
            return {"kind": "live", "pace": self.pace}
        if self.kind == "slow":
            return {"kind": "slow", "turn_seconds": self.turn_seconds, "bank_seconds": self.bank_seconds}
        return {"kind": "none"}

    @property
    def turn(self) -> int | None:
        """The time for one bid or call, in milliseconds; None without limit."""
        if self.kind == "live":
            return PACES[str(self.pace)][0]
        return None if self.turn_seconds is None else self.turn_seconds * 1000

    @property
    def look(self) -> int | None:
        """The time to look at a reveal, in milliseconds; None without limit."""
        return PACES[str(self.pace)][1] if self.kind == "live" else self.turn

    @property
    def bank(self) -> int | None:
        """The bank that each person begins with, in milliseconds; None where there is none."""
        return self.bank_seconds * 1000 or None

    @property
    def fits_ranked(self) -> bool:
        """May a ranked table have this clock (rules, 7.6)?"""
        if self.kind == "live":
            return self.pace == "normal"
        return self.kind == "slow" and self.turn_seconds in RANKED_TURN_SECONDS and not self.bank_seconds


def deadline(clock: Clock, *, revealing: bool, began_at: datetime, bank: int | None) -> datetime | None:
    """When the turn (its bank included) or the reveal that began at `began_at` ends; None without limit."""
    span = clock.look if revealing else clock.turn
    if span is None:
        return None
    return began_at + timedelta(milliseconds=span + (0 if revealing else bank or 0))


def bank_left(clock: Clock, *, began_at: datetime, now: datetime, bank: int | None) -> int | None:
    """What is left of a bank after a turn from `began_at` to `now`; an overrun draws on it."""
    if bank is None or clock.turn is None:
        return bank
    overrun = (now - began_at) // timedelta(milliseconds=1) - clock.turn
    return max(0, bank - max(0, overrun))


def whole_milliseconds(now: datetime) -> datetime:
    """The same instant in UTC without what is below a millisecond."""
    now = now.astimezone(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def stamp(instant: datetime) -> str:
    """An instant as the API writes it: `2026-01-31T08:15:00.250Z`."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant(stamp: str) -> datetime:
    """Read what `stamp` writes."""
    return datetime.fromisoformat(stamp)


def _check_between(field: str, value: int | None, ends: tuple[int, int]) -> None:
    if value is None or not ends[0] <= value <= ends[1]:
        raise ClockRefused(field, f"{field} must be from {ends[0]} to {ends[1]} seconds.")


SLOW = Clock(kind="slow", turn_seconds=2 * DAY)
UNLIMITED = Clock(kind="none")
