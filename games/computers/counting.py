"""Players who count the odds from their own dice alone: Normal does it well, Easy misjudges them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from games.computers.odds import chance_exact, chance_true
from games.computers.situation import Decision, Mix, Situation
from games.engine.moves import Bid, BidRanges, Call

SURE = 0.97
"""A raise above this chance says next to nothing; it is left aside while others are good enough."""

Chances: TypeAlias = Sequence[tuple[Bid, float]]
"""Raises, each with the chance that it is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How well a player judges. Worth is counted in dice: minus one is a die lost for certain."""

    evenness: float  # a move that is worse by so much is chosen 1/e times as often
    comfort: float  # the chance from which a raise is thought good enough
    margin: float  # by how much a raise may fall short of the best where none is good enough
    forgets: float = 0.0  # how often it forgets that ones are wild
    doubt: float = 0.0  # added to the worth of calling liar, here and in the next
    daring: float = 0.0  # taken off the chance from which a raise is good enough


def mix(situation: Situation, judgement: Judgement) -> Mix:
    """What a player of this judgement does, move by move with its chance."""
    remembered = _mix_of(situation, judgement, wild=True)
    wild = situation.rules.ones_are_wild and not situation.palifico
    if not judgement.forgets or not wild:
        return remembered
    forgotten = _mix_of(situation, judgement, wild=False)
    return _joined(remembered, forgotten, judgement.forgets)


def _mix_of(situation: Situation, judgement: Judgement, *, wild: bool) -> Mix:
    outlook = Outlook(situation, wild)
    raises = [(bid, outlook.chance_true(bid)) for bid in every_bid(situation.ranges)]
    worths = _worth_of_calls(outlook, judgement)
    if raises:
        worths.append((max(outlook.worth_of_raise(chance) for _, chance in raises), None))
    best = max(worth for worth, _ in worths)
    weights = [(exp((worth - best) / judgement.evenness), call) for worth, call in worths]
    whole = sum(weight for weight, _ in weights)
    mixed: dict[Decision, float] = {call: weight / whole for weight, call in weights if call is not None}
    if raises:
        thought_of = _good_raises(raises, outlook, judgement)
        mixed |= {bid: weights[-1][0] / whole / len(thought_of) for bid in thought_of}
    return mixed


def _worth_of_calls(outlook: "Outlook", judgement: Judgement) -> list[tuple[float, Call | None]]:
    situation = outlook.situation
    standing = situation.standing
    if standing is None:
        return []
    worths: list[tuple[float, Call | None]] = []
    proven = Outlook(situation, True).chance_true(standing) >= 1
    if not (proven and (situation.ranges or situation.may_call_exact)):
        worths.append((outlook.worth_of_liar(standing) + judgement.doubt, Call("liar")))
    if situation.may_call_exact:
        worths.append((outlook.worth_of_exact(standing), Call("exact")))
    return worths


def _good_raises(raises: Chances, outlook: "Outlook", judgement: Judgement) -> list[Bid]:
    """The raises that are good enough, else those about as good as the best."""
    comfort = judgement.comfort - judgement.daring
    good = [bid for bid, chance in raises if comfort <= chance <= SURE]
    good = good or [bid for bid, chance in raises if comfort <= chance]
    if good:
        return good
    least = max(outlook.worth_of_raise(chance) for _, chance in raises) - judgement.margin
    possible = [(bid, chance) for bid, chance in raises if chance > 0] or raises
    near = [bid for bid, chance in possible if outlook.worth_of_raise(chance) >= least]
    return near or [bid for bid, _ in possible]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the player makes of its own dice, and what a move is worth from there, in dice."""

    situation: Situation
    wild: bool  # does it remember that ones are wild, where they are?

    def chance_true(self, bid: Bid) -> float:
        situation = self.situation
        return chance_true(
            situation.rules,
            bid,
            hand=situation.hand,
            dice_in_play=situation.dice_in_play,
            palifico=situation.palifico or not self.wild,
        )

    def chance_exact(self, bid: Bid) -> float:
        situation = self.situation
        return chance_exact(
            situation.rules,
            bid,
            hand=situation.hand,
            dice_in_play=situation.dice_in_play,
            palifico=situation.palifico or not self.wild,
        )

    def worth_of_raise(self, chance: float) -> float:
        """A raise is the more likely to be called, the less likely it is to be true."""
        called = 1 - chance
        return called * (chance / self.situation.rivals - (1 - chance))

    def worth_of_liar(self, standing: Bid) -> float:
        """One rival loses a die, or I do."""
        true = self.chance_true(standing)
        return (1 - true) / self.situation.rivals - true

    def worth_of_exact(self, standing: Bid) -> float:
        """I gain a die, or every rival loses one; or I lose one."""
        exact = self.chance_exact(standing)
        rules, mine = self.situation.rules, len(self.situation.hand)
        at_cap = rules.exact == "regain" and mine >= rules.starting_dice
        return (0 if at_cap else exact) - (1 - exact)


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


def _joined(first: Mix, second: Mix, share: float) -> Mix:
    """The first mix, with so great a share of the second."""
    moves: Iterable[Decision] = {**first, **second}
    return {move: (1 - share) * first.get(move, 0.0) + share * second.get(move, 0.0) for move in moves}
