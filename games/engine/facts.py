"""What happened, as everybody may be told: one fact for each version of a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from games.engine.moves import Bid

Reveal: TypeAlias = Mapping[str, Any]
"""The reveal of a round as the API writes it; it stands on its own for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that happened, and the seat that did it (None: the clock, or everybody)."""

    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Fact):
    """The match and its first round began, with these seats."""

    opener: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(Fact):
    """A bid; `auto` where the computer made it for somebody whose time ran out.

    `tell`: a computer looked surprised at its own bid, for everybody to see.
    """

    bid: Bid
    auto: bool = False
    tell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Fact):
    """A call and everything it revealed; `auto` as with a bid."""

    reveal: Reveal
    auto: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed(Fact):
    """Somebody is ready for the next round, which still waits for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(Fact):
    """The next round began: the seat that started it, or None where time or nobody did."""

    number: int
    opener: int
    palifico: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut(Fact):
    """A person's time ran out; `strikes` in a row so far."""

    strikes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLeft(Fact):
    """A person left and a computer took the seat, or the match was forfeited by it."""

    why: Literal["leave", "strikes"]
    forfeit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeEnded(Fact):
    """The owner left a practice table: it ends without result."""


def written(fact: Fact) -> tuple[str, Mapping[str, Any] | None]:
    """The kind under which a fact is kept as an event, and what the event says of it beside a bid."""
    match fact:
        case BidMade(tell=tell):
            return "bid", {"tell": True} if tell else None
        case Called(reveal=reveal):
            return str(reveal["call"]["type"]), reveal
        case MatchStarted(opener=opener, seats=seats):
            return "started", {"opener": opener, "seats": list(seats)}
        case RoundStarted(number=number, opener=opener, palifico=palifico):
            return "round", {"number": number, "opener": opener, "palifico": palifico}
        case Pressed():
            return "ready", {}
        case TimedOut(strikes=strikes):
            return "strike", {"strikes": strikes}
        case PersonLeft(why=why, forfeit=forfeit):
            return "left", {"why": why, "forfeit": forfeit}
        case PracticeEnded():
            return "abandoned", {}
    raise TypeError(f"no event is known for {type(fact).__name__}")
