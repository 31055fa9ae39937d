"""A decision as the seat that is to move sees it: its own dice, and what everybody knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.computers.protocol import Rng
from games.engine.dice import Hand
from games.engine.moves import Bid, BidRanges, Call, legal_bids
from games.engine.rules import Rules
from games.engine.view import TableView

Decision: TypeAlias = Bid | Call
Mix: TypeAlias = Mapping[Decision, float]
"""Moves, each with the chance that it is played; together they make one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One seat's decision between a raise and the calls."""

    rules: Rules
    seat: int
    hand: Hand = field(repr=False)
    dice: Mapping[int, int]  # of every seat still in, in playing order from the lowest
    bids: tuple[tuple[int, Bid], ...]  # of this round, oldest first, each with its seat
    palifico: bool
    ranges: BidRanges

    @property
    def dice_in_play(self) -> int:
        return sum(self.dice.values())

    @property
    def standing(self) -> Bid | None:
        return self.bids[-1][1] if self.bids else None

    @property
    def rivals(self) -> int:
        return len(self.dice) - 1

    @property
    def may_call_exact(self) -> bool:
        return bool(self.bids) and self.rules.exact != "off"

    @property
    def next_seat(self) -> int:
        """Who plays after this seat."""
        return next((seat for seat in self.dice if seat > self.seat), min(self.dice))


def situation_of(view: TableView) -> Situation:
    """The decision of the seat that looks through this view; `ValueError` where it has none."""
    round, legal, seat = view.round, view.legal, view.viewer.seat
    if round is None or round.hand is None or legal is None or seat is None:
        raise ValueError("a computer is asked when it is to move, and looks through its own seat")
    return Situation(
        rules=view.rules,
        seat=seat,
        hand=round.hand,
        dice={number: held.dice for number, held in sorted(view.seats.items()) if held.still_in},
        bids=tuple((placed.seat, placed.bid) for placed in round.bids),
        palifico=round.palifico,
        ranges=legal.bids,
    )


def between_two(rules: Rules, hand: Hand, theirs: int, bids: Sequence[Bid]) -> Situation:
    """A decision in an ordinary round of two seats: seat 0 opened it."""
    seat = len(bids) % 2
    dice = {seat: len(hand), 1 - seat: theirs}
    return Situation(
        rules=rules,
        seat=seat,
        hand=hand,
        dice=dict(sorted(dice.items())),
        bids=tuple((number % 2, bid) for number, bid in enumerate(bids)),
        palifico=False,
        ranges=legal_bids(
            rules,
            dice_in_play=len(hand) + theirs,
            palifico=False,
            standing=bids[-1] if bids else None,
        ),
    )


def drawn(mix: Mix, rng: Rng) -> Decision:
    """One move of a mix, as often as its chance says."""
    left = rng.random() * sum(mix.values())
    for move, chance in mix.items():
        left -= chance
        if left < 0:
            return move
    return max(mix, key=lambda move: mix[move])
