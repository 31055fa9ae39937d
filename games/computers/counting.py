"""A player who counts the odds from its own dice and bids what is likely, now and then a little more."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.computers.odds import chance_exact, chance_true
from games.computers.protocol import Rng
from games.engine.dice import Hand
from games.engine.moves import Bid, BidRanges, Call, Move
from games.engine.rules import Rules
from games.engine.view import Legal, TableView

SURE = 0.97
"""A raise above this chance says next to nothing; it is left aside while others are good enough."""

Chances: TypeAlias = Sequence[tuple[Bid, float]]
"""Raises, each with the chance that it is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How well a player judges. Worth is counted in dice: minus one is a die lost for certain."""

    noise: float  # by how much the worth of a move may be misjudged, up or down
    comfort: float  # the chance from which a raise is thought good enough
    margin: float  # by how much a raise may fall short of the best where none is good enough


@dataclass(frozen=True, slots=True)
class CountingPlayer:
    """An honest player: it looks at its own dice, counts the odds, and mixes what it does a little."""

    judgement: Judgement

    def choose(self, view: TableView, rng: Rng) -> Move:
        """A legal bid or call; never `liar` where its own dice prove the bid."""
        legal, outlook = _read(view)
        raises = [(bid, outlook.chance_true(bid)) for bid in every_bid(legal.bids)]
        worths = self._worth_of_calls(legal, outlook, rng)
        if raises:
            best = max(outlook.worth_of_raise(chance) for _, chance in raises)
            worths.append((self._misjudged(best, rng), None))
        _, call = max(worths, key=lambda worth: worth[0])
        return call or self._raise(raises, outlook, rng)

    def _worth_of_calls(self, legal: Legal, outlook: "Outlook", rng: Rng) -> list[tuple[float, Call | None]]:
        if outlook.standing is None:
            return []
        worths: list[tuple[float, Call | None]] = []
        proven = outlook.chance_true(outlook.standing) >= 1
        if legal.liar and not (proven and (legal.bids or legal.exact)):
            worths.append((self._misjudged(outlook.worth_of_liar(), rng), Call("liar")))
        if legal.exact:
            worths.append((self._misjudged(outlook.worth_of_exact(), rng), Call("exact")))
        return worths

    def _misjudged(self, worth: float, rng: Rng) -> float:
        return worth + self.judgement.noise * (2 * rng.random() - 1)

    def _raise(self, raises: Chances, outlook: "Outlook", rng: Rng) -> Bid:
        """One of the raises that are good enough, else one of the best."""
        comfort = self.judgement.comfort
        good = [bid for bid, chance in raises if comfort <= chance <= SURE]
        good = good or [bid for bid, chance in raises if comfort <= chance]
        if good:
            return rng.choice(good)
        best = max(outlook.worth_of_raise(chance) for _, chance in raises)
        least = best - self.judgement.margin
        possible = [(bid, chance) for bid, chance in raises if chance > 0] or raises
        near = [bid for bid, chance in possible if outlook.worth_of_raise(chance) >= least]
        return rng.choice(near or [bid for bid, _ in possible])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What the player sees when it is to move, and what a move is worth from there, in dice."""

    rules: Rules
    hand: Hand = field(repr=False)
    dice_in_play: int
    palifico: bool
    standing: Bid | None
    rivals: int

    def chance_true(self, bid: Bid) -> float:
        return chance_true(
            self.rules, bid, hand=self.hand, dice_in_play=self.dice_in_play, palifico=self.palifico
        )

    def chance_exact(self, bid: Bid) -> float:
        return chance_exact(
            self.rules, bid, hand=self.hand, dice_in_play=self.dice_in_play, palifico=self.palifico
        )

    def worth_of_raise(self, chance: float) -> float:
        """A raise is the more likely to be called, the less likely it is to be true."""
        called = 1 - chance
        return called * (chance / self.rivals - (1 - chance))

    def worth_of_liar(self) -> float:
        """One rival loses a die, or I do."""
        true = self.chance_true(self._standing())
        return (1 - true) / self.rivals - true

    def worth_of_exact(self) -> float:
        """I gain a die, or every rival loses one; or I lose one."""
        exact = self.chance_exact(self._standing())
        at_cap = self.rules.exact == "regain" and len(self.hand) >= self.rules.starting_dice
        return (0 if at_cap else exact) - (1 - exact)

    def _standing(self) -> Bid:
        if self.standing is None:
            raise ValueError("nothing stands that could be called")
        return self.standing


def every_bid(ranges: BidRanges) -> list[Bid]:
    """Every bid that these ranges allow."""
    if "total" in ranges:
        lowest, highest = ranges["total"]
        return [Bid(total=total) for total in range(lowest, highest + 1)]
    return [
        Bid(quantity=quantity, face=int(face))
        for face, (lowest, highest) in ranges.items()
        for quantity in range(lowest, highest + 1)
    ]


def _read(view: TableView) -> tuple[Legal, Outlook]:
    round, legal = view.round, view.legal
    if round is None or round.hand is None or legal is None:
        raise ValueError("a computer is asked when it is to move, and looks through its own seat")
    return legal, Outlook(
        rules=view.rules,
        hand=round.hand,
        dice_in_play=round.dice_in_play,
        palifico=round.palifico,
        standing=round.bids[-1].bid if round.bids else None,
        rivals=sum(1 for seat in view.seats.values() if seat.still_in) - 1,
    )
