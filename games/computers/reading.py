"""What the bids of a round give away: how the dice under each cup lie, judged by what its player bid.

A player is taken to prefer bids that its own dice support, more or less firmly, and to bluff now and then.
Turned round by Bayes' rule, each bid makes some hands of that seat likelier than others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp
from typing import NamedTuple, TypeAlias

from games.computers.ladder import hands_of, ways_to_roll
from games.computers.odds import (
    FACES,
    chance_of_at_least,
    chance_of_sum,
    chance_of_sum_at_least,
    chances_of_each,
)
from games.computers.situation import Situation
from games.engine.moves import Bid, amount_of, count_matching, legal_bids
from games.engine.rules import Rules

Counts: TypeAlias = Sequence[float]
"""The chances that none, one, two, … dice match (or, of totals, that the pips come to 0, 1, 2, …)."""

HONESTY = 5.0
"""How much its chance, as the bidder sees it, speaks for a bid: from 0 to 1, e to this power."""

SURE = 0.85
"""Beyond this chance a bid is not likelier still: nobody is drawn to a bid that says nothing."""

HONEST, CLIMBING, STUBBORN, BLUFF = 0.65, 0.17, 0.03, 0.15
"""How many players bid by their dice; by as little as can be, while what stands seems true; by as little as
can be, whatever stands, so that they never call; or at random."""

WILDER = 3.0
"""How much likelier than a bid on a face a total is one at random."""

STEADY = 10.0
"""How much each total that is the lowest speaks for somebody who climbs."""

DOUBT = 0.08
"""How sharply those who climb tell what seems true from what does not."""

CALLS = 2.0
"""How many bids a call weighs up, where somebody thinks of what else to do."""

STEPS = 3
"""How far above the lowest raise a bid of each face is thought of."""


@dataclass(frozen=True, slots=True)
class Table:
    """The public side of a round that bids are read by."""

    rules: Rules
    dice_in_play: int
    palifico: bool

    @property
    def wild(self) -> bool:
        return self.rules.ones_are_wild and not self.palifico


class Read(NamedTuple):
    """What the bids of one seat give away."""

    hands: Counts  # the chance of every hand; with sum bidding, of every number of pips
    stubborn: float  # the chance that it never calls


class Beliefs:
    """What somebody who sees the bids alone thinks of every seat's dice; it is worked out when asked for."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._table = Table(situation.rules, situation.dice_in_play, situation.palifico)
        self._counts: dict[tuple[int, int], Counts] = {}
        self._reads: dict[int, Read] = {}

    def of(self, seat: int, face: int) -> Counts:
        """How many dice of this seat match a bid on this face; for a total, face is 0."""
        known = self._counts.get((seat, face))
        if known is None:
            known = self._counts[seat, face] = self._judged(seat, face)
        return known

    def never_calls(self, seat: int) -> float:
        """The chance that this seat raises whatever stands, by what it raised over in this round."""
        return self._read(seat).stubborn

    def _judged(self, seat: int, face: int) -> Counts:
        dice = self._situation.dice[seat]
        if face == 0:
            return self._read(seat).hands
        if not self._bids_of(seat):  # quicker than by every hand
            return chances_of_each(dice, _faces_matching(face, self._table.wild))
        return _gathered(self._read(seat).hands, dice, face, self._table.wild)

    def _read(self, seat: int) -> "Read":
        if seat not in self._reads:
            read = _totals if self._table.rules.sums else _weighed
            self._reads[seat] = read(self._table, self._situation.dice[seat], self._bids_of(seat))
        return self._reads[seat]

    def _bids_of(self, seat: int) -> list[tuple[Bid | None, Bid]]:
        """The bids of this seat, each after the one that stood."""
        bids = self._situation.bids
        return [
            (bids[number - 1][1] if number else None, bid)
            for number, (bidder, bid) in enumerate(bids)
            if bidder == seat
        ]


def believed(situation: Situation, bid: Bid) -> float:
    """The chance that a bid is true, from the seat's own dice and what all bids so far give away."""
    beliefs = Beliefs(situation)
    face = bid.face or 0
    hidden = [beliefs.of(seat, face) for seat in situation.dice if seat != situation.seat]
    held = count_matching(situation.rules, bid, [situation.hand], palifico=situation.palifico)
    missing = amount_of(bid) - held
    return 1.0 if missing <= 0 else sum(together(hidden)[missing:])


def unread(table: Table, dice: int, face: int) -> Counts:
    """How many of so many dice match a bid on this face, for who only counts the odds (0: their pips)."""
    if face == 0:
        return _ways_of_pips(dice)
    return chances_of_each(dice, _faces_matching(face, table.wild))


def together(counts: Sequence[Counts]) -> list[float]:
    """The counts of several seats added up, each seat's dice being independent of the others'."""
    result = [1.0]
    for more in counts:
        added = [0.0] * (len(result) + len(more) - 1)
        for first, chance in enumerate(result):
            if chance > 1e-9:
                for second, other in enumerate(more):
                    added[first + second] += chance * other
        result = added
    return result


def at_least(counts: Counts) -> list[float]:
    """For each number, the chance that there are so many or more."""
    tails = list(counts)
    for number in range(len(tails) - 2, -1, -1):
        tails[number] += tails[number + 1]
    return tails


def support(table: Table, dice: int, bid: Bid) -> Counts:
    """How much a bid speaks for each number of matching dice (or pips) of its bidder, on average one."""
    prior = _pips(dice) if bid.face is None else chances_of_each(dice, _faces_matching(bid.face, table.wild))
    drawn_to = _attractions(table, dice, bid)
    mean = sum(chance * attraction for chance, attraction in zip(prior, drawn_to, strict=True))
    return [1 - HONEST + HONEST * attraction / mean for attraction in drawn_to]


def _attractions(table: Table, dice: int, bid: Bid) -> Counts:
    """How much this bid attracts, for each number of matching dice (or pips) of its bidder."""
    return [_attraction(chance) for chance in _chances(table, dice, bid)]


def _chances(table: Table, dice: int, bid: Bid) -> Counts:
    """The chance that a bid is true, for each number of matching dice (or pips) in the hand that counts."""
    others = table.dice_in_play - dice
    if bid.total is not None:
        return [chance_of_sum_at_least(others, bid.total - pips) for pips in range(FACES * dice + 1)]
    quantity, face = bid.parts
    faces = _faces_matching(face, table.wild)
    return [chance_of_at_least(others, quantity - held, faces) for held in range(dice + 1)]


def _attraction(chance: float) -> float:
    return exp(HONESTY * min(chance, SURE))


def _weighed(table: Table, dice: int, bids: Sequence[tuple[Bid | None, Bid]]) -> Read:
    """What is read from these bids of a seat, each after what stood, of every hand."""
    prior = _prior(dice)
    honest: Counts = prior
    climbing: Counts = prior
    stubborn = bluffing = 1.0
    for standing, bid in bids:
        likely, climbs, at_random = _likelihood(table, dice, standing, bid)
        honest = [weight * chance for weight, chance in zip(honest, likely, strict=True)]
        climbing = [weight * chance for weight, chance in zip(climbing, climbs, strict=True)]
        lowest = _lowest(table, standing)
        stubborn *= (bid in lowest) / len(lowest)
        bluffing *= at_random
    return _joined(prior, honest, climbing, stubborn, bluffing)


def _joined(prior: Counts, honest: Counts, climbing: Counts, stubborn: float, bluffing: float) -> Read:
    """What the ways of bidding come to together, each as far as it explains what was bid."""
    untold = STUBBORN * stubborn + BLUFF * bluffing
    weights = [
        HONEST * first + CLIMBING * second + untold * third
        for first, second, third in zip(honest, climbing, prior, strict=True)
    ]
    whole = sum(weights)
    return Read([weight / whole for weight in weights], STUBBORN * stubborn / whole)


@lru_cache(maxsize=1500)
def _likelihood(table: Table, dice: int, standing: Bid | None, bid: Bid) -> tuple[Counts, Counts, float]:
    """How likely each hand makes this bid: in earnest, or to climb by little; and somebody at random."""
    drawn_to = _attractions(table, dice, bid)
    whole, thought_of = _choices(table, dice, standing)
    if bid.face is None:
        honest = [to / all_ for to, all_ in zip(drawn_to, whole, strict=True)]
    else:
        held = _held(dice, bid.face, table.wild)
        honest = [drawn_to[number] / all_ for number, all_ in zip(held, whole, strict=True)]
    return honest, _climbs(table, dice, standing, bid), 1 / thought_of


def _climbs(table: Table, dice: int, standing: Bid | None, bid: Bid) -> Counts:
    """How likely somebody bids this who raises by as little as can be while what stands seems true."""
    hands = len(_prior(dice)) if bid.face is not None else FACES * dice + 1
    lowest = _lowest(table, standing)
    if bid not in lowest:
        return [0.0] * hands
    if standing is None:
        return [1 / len(lowest)] * hands
    stays = [
        1 / len(lowest) / (1 + exp((0.5 - chance) / DOUBT)) for chance in _chances(table, dice, standing)
    ]
    if bid.face is None:
        return stays
    return [stays[number] for number in _held(dice, standing.parts[1], table.wild)]


def _lowest(table: Table, standing: Bid | None) -> Sequence[Bid]:
    """The lowest raise, and the lowest on ones."""
    ranges = legal_bids(
        table.rules, dice_in_play=table.dice_in_play, palifico=table.palifico, standing=standing
    )
    if "total" in ranges:
        return [Bid(total=ranges["total"][0])]
    others = [(lowest, int(key)) for key, (lowest, _) in ranges.items() if key != "1"]
    found = [min(others)] if others else []
    if "1" in ranges:
        found.append((ranges["1"][0], 1))
    return [Bid(quantity=quantity, face=face) for quantity, face in found]


@lru_cache(maxsize=500)
def _choices(table: Table, dice: int, standing: Bid | None) -> tuple[Counts, float]:
    """For each hand, how much everything attracts it that may come to mind; and of how much one may think."""
    if table.rules.sums:
        return _choices_of_total(table, dice, standing)
    whole = [0.0] * len(_prior(dice))
    thought_of = CALLS if standing is not None else 0.0
    for face, bids in _bids_in_mind(table, dice, standing).items():
        thought_of += len(bids)
        of_face = [
            sum(column) for column in zip(*(_attractions(table, dice, bid) for bid in bids), strict=True)
        ]
        held = _held(dice, face, table.wild)
        whole = [all_ + of_face[number] for all_, number in zip(whole, held, strict=True)]
    if standing is not None:
        doubts = _doubts(table, dice, standing)
        held = _held(dice, standing.parts[1], table.wild)
        whole = [all_ + doubts[number] for all_, number in zip(whole, held, strict=True)]
    return whole, thought_of


def _bids_in_mind(table: Table, dice: int, standing: Bid | None) -> Mapping[int, Sequence[Bid]]:
    """The bids of each face that one may think of: the lowest raises, or an opening about the average."""
    ranges = legal_bids(
        table.rules, dice_in_play=table.dice_in_play, palifico=table.palifico, standing=standing
    )
    found: dict[int, Sequence[Bid]] = {}
    for key, (lowest, highest) in ranges.items():
        faces = _faces_matching(int(key), table.wild)
        others = table.dice_in_play - dice
        usual = max(lowest, round(others * faces / FACES)) if standing is None else lowest
        quantities = range(usual, min(usual + STEPS, highest) + 1)
        found[int(key)] = [Bid(quantity=quantity, face=int(key)) for quantity in quantities]
    return found


def _totals(table: Table, dice: int, bids: Sequence[tuple[Bid | None, Bid]]) -> Read:
    """The same of pips. Totals climb by little: what a seat said before adds little to its last bid."""
    prior = _pips(dice)
    if not bids:
        return Read(prior, STUBBORN)
    likely, climbs, at_random = _likelihood(table, dice, *bids[-1])
    honest = [weight * chance for weight, chance in zip(prior, likely, strict=True)]
    climbing = [0.0] * len(prior)
    patience = 0.0
    if all(bid in _lowest(table, standing) for standing, bid in bids):
        patience = STEADY ** (len(bids) - 1)
        climbing = [patience * weight * chance for weight, chance in zip(prior, climbs, strict=True)]
    return _joined(prior, honest, climbing, patience, at_random * WILDER)


def _choices_of_total(table: Table, dice: int, standing: Bid | None) -> tuple[Counts, float]:
    lowest = 1 if standing is None else amount_of(standing) + 1
    usual = max(lowest, round(2.5 * table.dice_in_play)) if standing is None else lowest
    totals = range(usual, min(usual + 2 * table.dice_in_play, FACES * table.dice_in_play) + 1)
    bids = [_attractions(table, dice, Bid(total=total)) for total in totals]
    if standing is not None:
        bids.append(_doubts(table, dice, standing))
    return [sum(column) for column in zip(*bids, strict=True)], len(totals) + CALLS


def _doubts(table: Table, dice: int, standing: Bid) -> Counts:
    """How much calling attracts instead, for each number of matching dice (or pips)."""
    return [CALLS * _attraction(1 - chance) for chance in _chances(table, dice, standing)]


def _gathered(hands: Counts, dice: int, face: int, wild: bool) -> Counts:
    counts = [0.0] * (dice + 1)
    for held, chance in zip(_held(dice, face, wild), hands, strict=True):
        counts[held] += chance
    return counts


def _faces_matching(face: int, wild: bool) -> int:
    return 2 if wild and face != 1 else 1


@cache
def _prior(dice: int) -> Counts:
    return tuple(ways_to_roll(hand) / FACES**dice for hand in hands_of(dice))


@cache
def _held(dice: int, face: int, wild: bool) -> Sequence[int]:
    """Of every hand, how many dice match a bid on this face."""
    also = 1 if wild else face
    return bytes(sum(1 for die in hand if die in (face, also)) for hand in hands_of(dice))


@cache
def _ways_of_pips(dice: int) -> Counts:
    return tuple(chance_of_sum(dice, pips) for pips in range(FACES * dice + 1))


@cache
def _pips(dice: int) -> Counts:
    counts = [0.0] * (FACES * dice + 1)
    for hand, chance in zip(hands_of(dice), _prior(dice), strict=True):
        counts[sum(hand)] += chance
    return tuple(counts)
