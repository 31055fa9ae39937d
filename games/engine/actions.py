"""What can happen to a match: what somebody does, or what time does."""

from dataclasses import dataclass
from typing import TypeAlias

from games.engine.moves import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A seat makes a move.

    `auto`: the computer makes it for an absent person. `tell`: a computer looks surprised at its own bid.
    """

    seat: int
    move: Move
    auto: bool = False
    tell: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """The person of a seat leaves."""

    seat: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """The owner leaves a practice table."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The turn's time, bank included, is over."""


@dataclass(frozen=True, slots=True)
class RevealOver:
    """The time to look at the reveal is over."""


Action: TypeAlias = Act | Leave | Abandon | TimeOut | RevealOver
