"""What one viewer may see of a match. Nothing is blanked: a field is here because it was put here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from games.engine.dice import Hand
from games.engine.facts import Reveal
from games.engine.moves import Bid, BidRanges, legal_bids, suggest
from games.engine.rules import Rules
from games.engine.state import PlacedBid, Result, State, Status, places_so_far

Role: TypeAlias = Literal["player", "spectator", "owner"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a spectator, the player of a seat, or the owner of a practice table.

    An owner looks through the seat that is named, or through none.
    """

    role: Role = "spectator"
    seat: int | None = None

    def document(self) -> dict[str, Any]:
        return {"role": self.role, "seat": self.seat}


SPECTATOR = Viewer()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """The public side of a seat."""

    number: int
    dice: int
    place: int | None
    still_in: bool
    substitute: bool
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """The round in play, with the viewer's own hand (None where the viewer holds none)."""

    number: int
    palifico: bool
    opener: int
    turn: int
    dice_in_play: int
    bids: tuple[PlacedBid, ...]
    hand: Hand | None = field(repr=False)

    def document(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "palifico": self.palifico,
            "opener": self.opener,
            "turn": self.turn,
            "dice_in_play": self.dice_in_play,
            "bids": [placed.document() for placed in self.bids],
            "hand": None if self.hand is None else list(self.hand),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Legal:
    """What the viewer may do now."""

    bids: BidRanges
    liar: bool
    exact: bool
    next_round: bool
    suggested: Bid | None = field(repr=False)  # it tells of the hand

    def document(self) -> dict[str, Any]:
        return {
            "bids": {face: list(ends) for face, ends in self.bids.items()},
            "liar": self.liar,
            "exact": self.exact,
            "next_round": self.next_round,
            "suggested": None if self.suggested is None else self.suggested.document(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A match as one viewer may see it; pages, answers, mail and computers all start from it."""

    rules: Rules
    viewer: Viewer
    status: Status
    seats: Mapping[int, SeatView]
    round: RoundView | None
    legal: Legal | None
    reveal: Reveal | None
    result: Result | None


def view_for(state: State, viewer: Viewer) -> TableView:
    """Build what this viewer may know of the match."""
    return TableView(
        rules=state.rules,
        viewer=viewer,
        status=state.status,
        seats=_seats(state),
        round=_round(state, viewer),
        legal=_legal(state, viewer),
        reveal=state.reveal,
        result=state.result,
    )


def seats_seen(state: State, viewer: Viewer) -> frozenset[int]:
    """The seats whose live hands enter this viewer's view, so that no other need be opened at all."""
    acting = _acting_seat(state, viewer)
    return frozenset(seat for seat in (viewer.seat, acting) if seat is not None)


def _seats(state: State) -> dict[int, SeatView]:
    places = _places(state)
    return {
        seat.number: SeatView(
            number=seat.number,
            dice=seat.dice,
            place=places.get(seat.number),
            still_in=seat.still_in,
            substitute=seat.substitute,
            ready=seat.number in state.ready,
        )
        for seat in state.seats
    }


def _places(state: State) -> Mapping[int, int]:
    """The places that show; a practice that its owner left ends without any."""
    if state.status == "finished":
        return state.result.places if state.result else {}
    return places_so_far(state)


def _round(state: State, viewer: Viewer) -> RoundView | None:
    round = state.round
    if round is None:
        return None
    return RoundView(
        number=round.number,
        palifico=round.palifico,
        opener=round.opener,
        turn=round.turn,
        dice_in_play=state.dice_in_play,
        bids=round.bids,
        hand=None if viewer.seat is None else round.hands.get(viewer.seat),
    )


def _acting_seat(state: State, viewer: Viewer) -> int | None:
    """The viewer's own seat, or the one to move for an owner who looks through none."""
    if viewer.role == "owner" and viewer.seat is None:
        return state.turn
    return viewer.seat


def _legal(state: State, viewer: Viewer) -> Legal | None:
    if state.status == "revealed":
        return _legal_after_reveal(state, viewer)
    seat = _acting_seat(state, viewer)
    round = state.round
    if round is None or seat is None or seat != round.turn or _not_theirs(state, viewer, seat):
        return None
    standing = round.standing.bid if round.standing else None
    ranges = legal_bids(
        state.rules, dice_in_play=state.dice_in_play, palifico=round.palifico, standing=standing
    )
    return Legal(
        bids=ranges,
        liar=standing is not None,
        exact=standing is not None and state.rules.exact != "off",
        next_round=False,
        suggested=suggest(ranges, round.hands[seat]),
    )


def _legal_after_reveal(state: State, viewer: Viewer) -> Legal | None:
    waited_for = state.pressers - state.ready
    may_press = bool(waited_for) if viewer == Viewer("owner") else viewer.seat in waited_for
    if not may_press:
        return None
    return Legal(bids={}, liar=False, exact=False, next_round=True, suggested=None)


def _not_theirs(state: State, viewer: Viewer, seat: int) -> bool:
    """Does a computer decide for the seat that a person looks through?"""
    return viewer.role != "player" and not state.seat(seat).person
