"""How likely a bid is, seen from one hand: exact counts of all ways the other dice can lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

from games.engine.moves import Bid, amount_of, count_matching
from games.engine.rules import Rules

FACES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class BidOdds:
    """What one hand makes of a bid: what it holds, what the hidden dice must bring, and how likely."""

    held: int  # dice of this hand that count, or its pips where the bid is a total
    hidden: int  # dice that this hand does not see
    needed: int  # what they have to bring; 0 where the hand alone proves the bid
    expected: float  # what they bring on average
    chance: float  # that the bid is true


def odds_of_bid(rules: Rules, bid: Bid, *, hand: Sequence[int], dice_in_play: int, palifico: bool) -> BidOdds:
    """Weigh a bid from one hand, under any way of ones, in a palifico round, or as a total of pips."""
    held = count_matching(rules, bid, [hand], palifico=palifico)
    hidden = dice_in_play - len(hand)
    return BidOdds(
        held=held,
        hidden=hidden,
        needed=max(0, amount_of(bid) - held),
        expected=expected_of(rules, bid, hidden, palifico=palifico),
        chance=chance_true(rules, bid, hand=hand, dice_in_play=dice_in_play, palifico=palifico),
    )


def expected_of(rules: Rules, bid: Bid, dice: int, *, palifico: bool) -> float:
    """How many of so many unknown dice count for a bid on average; for a total, what they come to."""
    each = count_matching(rules, bid, [range(1, FACES + 1)], palifico=palifico)
    return dice * each / FACES


def chance_true(rules: Rules, bid: Bid, *, hand: Sequence[int], dice_in_play: int, palifico: bool) -> float:
    """The chance that at least as much is there as was bid; exactly 1.0 where this hand proves it."""
    missing = amount_of(bid) - count_matching(rules, bid, [hand], palifico=palifico)
    hidden = dice_in_play - len(hand)
    if bid.total is not None:
        return chance_of_sum_at_least(hidden, missing)
    return chance_of_at_least(hidden, missing, matching_faces(rules, bid, palifico=palifico))


def chance_exact(rules: Rules, bid: Bid, *, hand: Sequence[int], dice_in_play: int, palifico: bool) -> float:
    """The chance that exactly as much is there as was bid."""
    missing = amount_of(bid) - count_matching(rules, bid, [hand], palifico=palifico)
    hidden = dice_in_play - len(hand)
    if bid.total is not None:
        return chance_of_sum(hidden, missing)
    return chance_of_exactly(hidden, missing, matching_faces(rules, bid, palifico=palifico))


def matching_faces(rules: Rules, bid: Bid, *, palifico: bool) -> int:
    """How many of the six faces of a die count for this bid: one, or two where ones are wild."""
    return count_matching(rules, bid, [range(1, FACES + 1)], palifico=palifico)


@cache
def chance_of_at_least(dice: int, wanted: int, faces: int) -> float:
    """The chance that so many of these dice show one of so many faces."""
    if wanted <= 0:
        return 1.0
    return sum(_ways_exactly(dice, hits, faces) for hits in range(wanted, dice + 1)) / _ways_to_lie(dice)


@cache
def chance_of_exactly(dice: int, wanted: int, faces: int) -> float:
    """The chance that just so many of these dice show one of so many faces."""
    if not 0 <= wanted <= dice:
        return 0.0
    return _ways_exactly(dice, wanted, faces) / _ways_to_lie(dice)


def chances_of_each(dice: int, faces: int) -> tuple[float, ...]:
    """The chances that none, one, two, … of these dice show one of so many faces."""
    return tuple(chance_of_exactly(dice, hits, faces) for hits in range(dice + 1))


@cache
def chance_of_sum_at_least(dice: int, wanted: int) -> float:
    """The chance that the pips of these dice come to so much or more."""
    if wanted <= dice:
        return 1.0
    return sum(_ways_of_sums(dice)[wanted:]) / _ways_to_lie(dice)


def chance_of_sum(dice: int, wanted: int) -> float:
    """The chance that the pips of these dice come to just so much."""
    ways = _ways_of_sums(dice)
    return ways[wanted] / _ways_to_lie(dice) if 0 <= wanted < len(ways) else 0.0


def _ways_to_lie(dice: int) -> int:
    ways: int = FACES**dice
    return ways


def _ways_exactly(dice: int, hits: int, faces: int) -> int:
    ways: int = comb(dice, hits) * faces**hits * (FACES - faces) ** (dice - hits)
    return ways


@cache
def _ways_of_sums(dice: int) -> tuple[int, ...]:
    """In how many ways these dice can come to each sum, from 0 on."""
    if dice == 0:
        return (1,)
    fewer = _ways_of_sums(dice - 1)
    return tuple(
        sum(fewer[total - face] for face in range(1, FACES + 1) if 0 <= total - face < len(fewer))
        for total in range(FACES * dice + 1)
    )
