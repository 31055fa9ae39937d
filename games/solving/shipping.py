"""What has been learned made small enough to ship, and read back into numbers to be measured."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from games.computers.endgame_tables import WHOLE, Mix, Table, contexts_below, write_table
from games.solving.recent import RecentBids
from games.solving.rounds import Numbers

LEAST_SHARE = 0.0005
"""A move that is played more rarely is left out."""

LEAST_REACH = 1e-6
"""Where own play leads more rarely nothing is kept."""


def shipped(learned: RecentBids) -> bytes:
    """The average play of both sides as a table."""
    sides = []
    for side in (0, 1):
        rounded = [_rounded(part) for part in learned.average(side)]
        reach = learned.reach_of_own(side, [part / WHOLE for part in rounded])
        parts = [
            np.where(led[:, None, :] >= LEAST_REACH, part, 0)
            for part, led in zip(rounded, reach, strict=True)
        ]
        sides.append((learned.hands[side], _mixes([parts[-1], *parts[:-1]])))
    return write_table(learned.memory, learned.round.rungs, sides)


def _rounded(shares: Numbers) -> NDArray[np.int64]:
    """Whole parts of WHOLE for [context, move, hand]: rounded down, the largest remainders up."""
    kept = np.where(shares >= LEAST_SHARE, shares, 0)
    kept = kept / kept.sum(axis=1, keepdims=True) * WHOLE
    whole = np.floor(kept + 1e-9)
    missing = WHOLE - whole.sum(axis=1, keepdims=True)
    rank = np.argsort(np.argsort(-(kept - whole), axis=1, kind="stable"), axis=1)
    return (whole + (rank < missing)).astype(np.int64)


def _mixes(parts: Sequence[NDArray[np.int64]]) -> list[Mix]:
    mixes: list[Mix] = []
    for part in parts:
        for state in part.transpose(0, 2, 1):
            for hand in state:
                moves = np.flatnonzero(hand)
                mixes.append([(int(move), int(hand[move])) for move in moves])
    return mixes


def plans_of(table: Table, calls: int) -> list[list[Numbers]]:
    """For each side and rung, the opening last, the shares of [context, move, hand]; zero where none."""
    return [_plan(table, side, calls) for side in (0, 1)]


def _plan(table: Table, side: int, calls: int) -> list[Numbers]:
    below, hands = contexts_below(table.rungs, table.memory), table.sides[side].hands
    plan, first = [], 1
    for rung, states in [*enumerate(below), (-1, 1)]:
        moves = table.rungs - 1 - rung + (calls if rung >= 0 else 0)
        part = np.zeros((states, moves, hands))
        for state in range(states):
            for hand in range(hands):
                for move, share in table.sides[side].mix(first + state if rung >= 0 else 0, hand):
                    part[state, move, hand] = share / WHOLE
        first += states
        plan.append(part)
    return plan
