"""The bids of a round as one ladder: whatever the options, each rung outbids all rungs below it."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from games.engine.dice import Hand
from games.engine.moves import Bid
from games.engine.rules import Rules

FACES = range(1, 7)


@cache
def ladder(rules: Rules, dice_in_play: int) -> tuple[Bid, ...]:
    """Every bid of an ordinary round with so many dice, the lowest first."""
    if rules.sums:
        return tuple(Bid(total=total) for total in range(1, 6 * dice_in_play + 1))
    bids = [Bid(quantity=quantity, face=face) for quantity in range(1, dice_in_play + 1) for face in FACES]
    if rules.ones == "wild":
        bids = [bid for bid in bids if bid.face != 1]
    return tuple(sorted(bids, key=lambda bid: _height(rules, bid)))


def may_open(rules: Rules, bid: Bid) -> bool:
    """May an ordinary round be opened with this bid?"""
    return bid.face != 1 or rules.ones != "aces" or rules.open_on_ones


def _height(rules: Rules, bid: Bid) -> tuple[float, int]:
    """With aces, q ones stand above 2q of any other face and below 2q + 1."""
    quantity, face = bid.parts
    if rules.ones == "aces" and face == 1:
        return 2 * quantity + 0.5, face
    return quantity, face


@cache
def hands_of(dice: int) -> tuple[Hand, ...]:
    """Every hand of so many dice, sorted within, as its order does not matter."""
    return tuple(combinations_with_replacement(FACES, dice))


def ways_to_roll(hand: Sequence[int]) -> int:
    """In how many orders these dice can fall."""
    return factorial(len(hand)) // prod(factorial(hand.count(face)) for face in FACES)
