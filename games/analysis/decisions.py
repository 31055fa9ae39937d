"""The decisions of a revealed round, each as the seat that took it saw it."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from games.computers.situation import Decision, Situation
from games.engine.moves import Call, bid_from, legal_bids
from games.engine.rules import Rules

Document: TypeAlias = Mapping[str, Any]


def decisions_in(reveal: Document) -> int:
    """How many decisions a round had: its bids, and the call."""
    return len(reveal["bids"]) + 1


def situation_before(rules: Rules, reveal: Document, move: int) -> Situation:
    """What the seat of this move, counted from 1, knew when it was to move."""
    hands = {int(seat): tuple(hand) for seat, hand in reveal["hands"].items()}
    bids = tuple((placed["seat"], bid_from(placed)) for placed in reveal["bids"][: move - 1])
    seat = seat_of(reveal, move)
    dice = {number: len(hand) for number, hand in sorted(hands.items())}
    return Situation(
        rules=rules,
        seat=seat,
        hand=hands[seat],
        dice=dice,
        bids=bids,
        palifico=reveal["palifico"],
        ranges=legal_bids(
            rules,
            dice_in_play=sum(dice.values()),
            palifico=reveal["palifico"],
            standing=bids[-1][1] if bids else None,
        ),
    )


def seat_of(reveal: Document, move: int) -> int:
    """Whose move this was."""
    seat: int = placed_at(reveal, move)["seat"]
    return seat


def decision_at(reveal: Document, move: int) -> Decision:
    """The bid or the call that was made."""
    placed = placed_at(reveal, move)
    return Call(placed["type"]) if move == decisions_in(reveal) else bid_from(placed)


def placed_at(reveal: Document, move: int) -> Document:
    """The same as the reveal writes it, with its seat and time."""
    placed: Document = reveal["call"] if move == decisions_in(reveal) else reveal["bids"][move - 1]
    return placed
