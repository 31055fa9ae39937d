"""The state of one match: immutable values, the hands of the round in play included."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from games.engine.dice import ROUND_LIMIT, Hand
from games.engine.facts import Reveal
from games.engine.moves import Bid
from games.engine.rules import Rules

Status: TypeAlias = Literal["open", "bidding", "revealed", "finished"]
Pace: TypeAlias = Literal["live", "slow", "practice"]
"""How the next round is started: by everybody, by the designated starter, or by the one owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One seat of the match and what its player has come to."""

    number: int
    computer: bool = False  # first-hand; a substitute sits where `left` is set
    dice: int = 0
    strikes: int = 0
    claimed: bool = False  # has ever had a claim to a palifico round
    out: int | None = None  # the how-manieth call that put somebody out put this seat out
    left: int | None = None  # the how-manieth person to leave sat here
    forfeited: bool = False

    @property
    def still_in(self) -> bool:
        return self.dice > 0 and not self.forfeited

    @property
    def person(self) -> bool:
        """Does a person decide here?"""
        return not self.computer and self.left is None

    @property
    def substitute(self) -> bool:
        return self.left is not None and not self.forfeited


@dataclass(frozen=True, slots=True)
class PlacedBid:
    """A bid on the table: who made it, when (ISO 8601), and whether its computer looked surprised at it."""

    seat: int
    bid: Bid
    at: str
    tell: bool = False

    def document(self) -> dict[str, Any]:
        told = {"tell": True} if self.tell else {}
        return {"seat": self.seat, **self.bid.document(), "at": self.at, **told}


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round in play. Hands are secret: they are left out of `repr`, and hold what was loaded."""

    number: int
    palifico: bool
    opener: int
    turn: int
    bids: tuple[PlacedBid, ...] = ()
    hands: Mapping[int, Hand] = field(default_factory=dict, repr=False)

    @property
    def standing(self) -> PlacedBid | None:
        return self.bids[-1] if self.bids else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a match ended: the winner (None: drawn) and the place of every seat."""

    winner: int | None
    places: Mapping[int, int]
    drawn: bool = False

    def document(self) -> dict[str, Any]:
        places = {str(seat): place for seat, place in sorted(self.places.items())}
        return {"winner": self.winner, "places": places, "drawn": self.drawn}


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a match begins whose first hands are given: how many dice a seat has, and under which rules."""

    dice: Mapping[int, int]
    palifico: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A match as it stands between two moves."""

    rules: Rules
    pace: Pace
    seats: tuple[Seat, ...]
    status: Status = "open"
    number: int = 0  # rounds begun so far
    round: Round | None = None
    ready: frozenset[int] = frozenset()
    claims: tuple[int, ...] = ()  # seats that wait for their palifico round, first come first
    next_opener: int | None = None
    next_palifico: bool = False
    reveal: Reveal | None = None
    result: Result | None = None
    round_limit: int = ROUND_LIMIT

    def seat(self, number: int) -> Seat:
        """The seat with this number; `KeyError` where the match has none."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats still in, in playing order from the lowest."""
        return tuple(seat.number for seat in self.seats if seat.still_in)

    @property
    def persons_in(self) -> frozenset[int]:
        """The seats still in where a person decides."""
        return frozenset(seat.number for seat in self.seats if seat.still_in and seat.person)

    @property
    def dice_in_play(self) -> int:
        return sum(seat.dice for seat in self.seats if seat.still_in)

    @property
    def turn(self) -> int | None:
        return self.round.turn if self.round is not None else None

    @property
    def pressers(self) -> frozenset[int]:
        """Whose person may press Next round now (rules, 7.1)."""
        if self.status != "revealed":
            return frozenset()
        people = self.persons_in
        if self.pace == "slow" and self.next_opener in people:
            return frozenset({self.next_opener})
        return people

    def next_in(self, number: int) -> int:
        """The seat still in that plays after this one, clockwise."""
        seats = self.seats_in
        return next((seat for seat in seats if seat > number), seats[0])

    def in_or_next(self, number: int) -> int:
        """This seat where it is still in, else the next one clockwise."""
        return number if number in self.seats_in else self.next_in(number)


def clockwise_after(state: State, number: int) -> list[int]:
    """All seats of the match in playing order, beginning after this one."""
    numbers = [seat.number for seat in state.seats]
    return [seat for seat in numbers if seat > number] + [seat for seat in numbers if seat <= number]


def places_so_far(state: State) -> dict[int, int]:
    """The places of the seats that are out, as things stand (rules, 5.4)."""
    places = {}
    for seat in state.seats:
        if seat.out is not None:
            stayed = [other for other in state.seats if other.out is None or other.out > seat.out]
            places[seat.number] = len(stayed) + 1
    return places


def final_places(state: State) -> dict[int, int]:
    """The places of a finished match: those who stayed, then the leavers, the earliest last (7.5)."""
    last_call = max((seat.out or 0 for seat in state.seats), default=0) + 1
    stayers = {seat.number: seat.out or last_call for seat in state.seats if seat.left is None}
    places = {
        seat: 1 + sum(1 for other in stayers.values() if other > finish) for seat, finish in stayers.items()
    }
    leavers = [seat for seat in state.seats if seat.left is not None]
    for place, seat in enumerate(sorted(leavers, key=lambda seat: -(seat.left or 0)), len(stayers) + 1):
        places[seat.number] = place
    return places
