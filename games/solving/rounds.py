"""One round between two seats as numbers: its bids, its hands, and what each call is worth."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.computers.ladder import hands_of, ladder, may_open, ways_to_roll
from games.engine.moves import amount_of, count_matching
from games.engine.rules import Rules

Numbers: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
CallNumbers: TypeAlias = tuple[Numbers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """What a call is worth to the seat that makes it, from -1 (a lost match, or die) to 1."""

    liar_right: float = 1.0
    liar_wrong: float = -1.0
    exact_right: float = 1.0
    exact_wrong: float = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round that side 0 opens; `calls[side]` holds, for each call, [rung, own hand, other's hand]."""

    rungs: int
    openings: Flags  # may the round be opened on this rung?
    chances: tuple[Numbers, Numbers]  # of each side's hands
    calls: tuple[CallNumbers, CallNumbers]


def round_between(rules: Rules, dice: tuple[int, int], stakes: tuple[Stakes, Stakes]) -> Round:
    """The round of two seats with so many dice, the opener's first."""
    bids = ladder(rules, sum(dice))
    counts = _counts(rules, dice)
    amounts = np.array([amount_of(bid) for bid in bids])[:, None, None]
    false, exact = counts < amounts, counts == amounts
    return Round(
        rungs=len(bids),
        openings=np.array([may_open(rules, bid) for bid in bids]),
        chances=(_chances(dice[0]), _chances(dice[1])),
        calls=(
            _calls(rules, stakes[0], false, exact),
            _calls(rules, stakes[1], false.transpose(0, 2, 1), exact.transpose(0, 2, 1)),
        ),
    )


def _counts(rules: Rules, dice: tuple[int, int]) -> NDArray[np.int64]:
    """For each rung and pair of hands, how much is there of what is bid."""
    sides = [
        np.array(
            [
                [count_matching(rules, bid, [hand], palifico=False) for hand in hands_of(number)]
                for bid in ladder(rules, sum(dice))
            ]
        )
        for number in dice
    ]
    counts: NDArray[np.int64] = sides[0][:, :, None] + sides[1][:, None, :]
    return counts


def _chances(dice: int) -> Numbers:
    return np.array([ways_to_roll(hand) for hand in hands_of(dice)]) / 6.0**dice


def _calls(rules: Rules, stakes: Stakes, false: Flags, exact: Flags) -> CallNumbers:
    liar = np.where(false, stakes.liar_right, stakes.liar_wrong)
    if rules.exact == "off":
        return (liar,)
    return liar, np.where(exact, stakes.exact_right, stakes.exact_wrong)
