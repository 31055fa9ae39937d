"""Predictive CFR+ where both seats remember only the last few bids of the round.

A state is the rung that stands, the few rungs bid before it, and whose turn it is. Different histories meet
in one state, so how hands and histories go together is kept for each pair of hands: what a state is worth,
and how often play leads to it, are then exact for the play at hand. Contexts (the sets of rungs bid before)
are numbered so that those below any rung come first: where a raise leads does not depend on how high it is.
With as many bids remembered as there are rungs this is the whole game, and the play an equilibrium of it.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from games.computers.endgame_tables import contexts, contexts_below
from games.solving.rounds import Numbers, Round
from games.solving.steps import SINGLE, Places, Singles, Turn, carry, weigh

LEAST = 1e-30
"""Where own play leads more rarely, it does not lead."""

Play: TypeAlias = list[Numbers]
"""For each rung that stands, the opening last: the shares of [context, move, hand]; raises before calls."""


@dataclass(frozen=True, slots=True)
class Memories:
    """What a seat can remember, as far as the solver has to know."""

    below: tuple[int, ...]  # how many contexts are of rungs below this one
    after: tuple[Places, ...]  # for each rung, the context that follows each when it is outbid


def memories(rungs: int, memory: int) -> Memories:
    """Everything that a memory of so many bids can hold."""
    known = contexts(rungs, memory)
    below = contexts_below(rungs, memory)
    number = {chosen: index for index, chosen in enumerate(known)}
    keep = memory - 1
    after = tuple(
        np.array([number[(*chosen, rung)[-keep:] if keep else ()] for chosen in known[: below[rung]]])
        for rung in range(rungs)
    )
    return Memories(below, after)


class RecentBids:
    """Learns one round; `curiosity` is how much own play is taken to err, so that every state is met."""

    def __init__(self, round: Round, memory: int, *, curiosity: float = 0.02) -> None:
        self.round, self.memory, self.curiosity = round, memory, curiosity
        self.hands = (len(round.chances[0]), len(round.chances[1]))
        self.iterations = 0
        self._memories = memories(round.rungs, memory)
        self._firsts = np.cumsum([0, *self._memories.below[:-1]])
        self._states = sum(self._memories.below)
        self._current = [self._even(side) for side in (0, 1)]
        self._regrets = [_nothing_like(play) for play in self._current]
        self._latest = [_nothing_like(play) for play in self._current]
        self._sums = [_nothing_like(play) for play in self._current]

    def _even(self, side: int) -> Play:
        calls = len(self.round.calls[side])
        play = [
            np.ones((below, self.round.rungs - 1 - rung + calls, self.hands[side]))
            for rung, below in enumerate(self._memories.below)
        ]
        return self._normalised([*play, np.ones((1, self.round.rungs, self.hands[side]))])

    def _normalised(self, play: Play) -> Play:
        """The same in shares of one; even shares where there is nothing."""
        play[-1][:, ~self.round.openings] = 0
        for part in play:
            total = part.sum(axis=1, keepdims=True)
            np.copyto(part, 1.0, where=total <= 0)
            np.divide(part, np.where(total > 0, total, part.shape[1]), out=part)
        play[-1][:, ~self.round.openings] = 0
        play[-1] /= play[-1].sum(axis=1, keepdims=True)
        return play

    def run(self, iterations: int) -> None:
        """Learn so many times more, both sides in turn."""
        for _ in range(iterations):
            self.iterations += 1
            for side in (0, 1):
                self._learn(side)
                self._remember(side)

    def _learn(self, side: int) -> None:
        gains = self._gains(side)
        regrets, latest = self._regrets[side], self._latest[side]
        for regret, gain in zip(regrets, gains, strict=True):
            np.maximum(regret + gain, 0, out=regret)
        latest[:] = gains
        predicted = [np.maximum(regret + last, 0) for regret, last in zip(regrets, latest, strict=True)]
        self._current[side] = self._normalised(predicted)

    def _remember(self, side: int) -> None:
        """The average weighs with the fourth power of time, and with how often own play leads there."""
        weight, current = float(self.iterations) ** 4, self._current[side]
        for total, part, reach in zip(
            self._sums[side], current, self.reach_of_own(side, current), strict=True
        ):
            np.add(total, weight * reach[:, None, :] * part, out=total)

    def average(self, side: int) -> Play:
        """What the side has played on average: what it has learned."""
        return self._normalised([part.copy() for part in self._sums[side]])

    def worth(self) -> float:
        """What the round is worth to the opener when both play what they have learned."""
        return self._worth_of([self.average(0), self.average(1)])

    def answer(self, side: int, against: Play, turns: int) -> float:
        """Let one side alone learn against a play that stays as it is; what the round is then worth to it."""
        self._current[1 - side] = against
        for _ in range(turns):
            self.iterations += 1
            self._learn(side)
            self._remember(side)
        worth = self._worth_of([self.average(0), against] if side == 0 else [against, self.average(1)])
        return worth if side == 0 else -worth

    def _worth_of(self, plays: list[Play]) -> float:
        reach = self._reach_of_pairs(plays)
        worth = 0.0
        for rung, turn in self._turns():
            for number, calls in enumerate(self.round.calls[turn.mover]):
                shares = plays[turn.mover][rung][:, self.round.rungs - 1 - rung + number]
                pairs = "cij,ci,ij->" if turn.mover == 0 else "cij,cj,ji->"
                met = reach[turn.mover][self._of(rung)]
                part = float(np.einsum(pairs, met, shares, calls[rung], optimize=True))
                worth += part if turn.mover == 0 else -part
        return worth

    def _turns(self) -> list[tuple[int, Turn]]:
        """Every rung and side to move, the lowest rung first."""
        after, firsts = self._memories.after, self._firsts
        return [
            (rung, Turn(mover, after[rung], firsts[rung + 1 :]))
            for rung in range(len(after))
            for mover in (0, 1)
        ]

    def _of(self, rung: int) -> slice:
        """Where the states over a rung lie."""
        first = int(self._firsts[rung])
        return slice(first, first + self._memories.below[rung])

    def _openings(self) -> list[int]:
        openings: list[int] = np.flatnonzero(self.round.openings).tolist()
        return openings

    def _reach_of_pairs(self, plays: list[Play]) -> list[Singles]:
        """How often each pair of hands meets in each state of side 0, and of side 1."""
        reach = [np.zeros((self._states, *self.hands), SINGLE) for _ in (0, 1)]
        first = self.round.chances[0][:, None] * self.round.chances[1]
        for rung in self._openings():
            reach[1][self._firsts[rung]] = first * plays[0][-1][0, rung][:, None]
        for rung, turn in self._turns():
            carry(turn, reach[turn.mover][self._of(rung)], plays[turn.mover][rung], reach[1 - turn.mover])
        return reach

    def reach_of_own(self, side: int, own: Play) -> list[Numbers]:
        """How often own play leads to own states, whatever the other does; the opening comes last."""
        reach = [np.zeros((self._states, self.hands[side], 1), SINGLE) for _ in (0, 1)]
        for rung in self._openings():
            reach[1][self._firsts[rung], :, 0] = own[-1][0, rung] if side == 0 else 1.0
        for rung, turn in self._turns():
            shares = own[rung] if turn.mover == side else np.ones_like(own[rung])
            only = replace(turn, mover=0)
            carry(only, reach[turn.mover][self._of(rung)], shares, reach[1 - turn.mover])
        mine = reach[side][:, :, 0].astype(np.float64)
        return [*(mine[self._of(rung)] for rung in range(self.round.rungs)), np.ones((1, self.hands[side]))]

    def _gains(self, side: int) -> list[Numbers]:
        """By how much each move would have been better than play as it is, where play leads."""
        curious = [
            (1 - self.curiosity) * part + self.curiosity / part.shape[1] for part in self._current[side]
        ]
        plays = [curious, self._current[1]] if side == 0 else [self._current[0], curious]
        reach, own = self._reach_of_pairs(plays)[side], self.reach_of_own(side, curious)
        gains: list[Numbers] = [*self._current[side]]
        values = [np.zeros((self._states, *self.hands), SINGLE) for _ in (0, 1)]
        for rung, turn in reversed(self._turns()):
            mover, states = turn.mover, self._of(rung)
            met = reach[states] if mover == side else None
            calls, shares = self._calls(side, mover, rung), self._current[mover][rung]
            gain = weigh(turn, values[1 - mover], calls, shares, values[mover][states], met)
            if mover == side:
                gains[rung] = gain / np.maximum(own[rung], LEAST)[:, None]
        gains[-1] = self._worth_of_openings(values[1]) if side == 0 else np.zeros_like(gains[-1])
        for gain, part in zip(gains, self._current[side], strict=True):
            np.subtract(gain, (gain * part).sum(axis=1, keepdims=True), out=gain)
        return gains

    def _calls(self, side: int, mover: int, rung: int) -> Singles:
        """What each call brings `side`, for each pair of hands."""
        sign = 1 if mover == side else -1
        calls = [sign * (call[rung] if mover == 0 else call[rung].T) for call in self.round.calls[mover]]
        return np.ascontiguousarray(calls, SINGLE)

    def _worth_of_openings(self, values: Singles) -> Numbers:
        worths: Numbers = np.stack([values[first] @ self.round.chances[1] for first in self._firsts])[None]
        return worths


def _nothing_like(play: Play) -> Play:
    return [np.zeros_like(part) for part in play]
