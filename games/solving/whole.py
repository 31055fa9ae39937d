"""Predictive CFR+ over the whole tree of a round, every bid remembered.

A history is a set of rungs, written as a bit mask: which seat is to move follows from how many bits are set,
so the lowest bit is left out and each seat has an array of nodes of its own. The nodes whose highest bit is
`g` then lie next to each other, and so do all that follow from them by bidding one certain rung: every step
works on whole slices. What belongs to a raise is kept at the node that the raise leads to.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from games.solving.rounds import Numbers, Round

NODES_BEFORE = slice(0, 1)  # the root, or the node after a bid on the lowest rung


@dataclass(frozen=True, slots=True)
class Group:
    """The nodes of both seats whose highest bit is the same, and the raises from there."""

    standing: tuple[int, int]  # the rung that stands where side 0, or side 1, is to move; -1 is none
    nodes: slice
    raises: tuple[slice, ...]  # for each higher rung, the nodes it leads to


def groups(rungs: int) -> Iterator[Group]:
    """All groups, from the root on."""
    yield Group((-1, 0), NODES_BEFORE, tuple(slice(1 << j, (1 << j) + 1) for j in range(rungs - 1)))
    for high in range(rungs - 1):
        size = 1 << high
        raises = tuple(slice((1 << j) + size, (1 << j) + 2 * size) for j in range(high + 1, rungs - 1))
        yield Group((high + 1, high + 1), slice(size, 2 * size), raises)


def raises_of(group: Group, side: int) -> tuple[slice, ...]:
    """The nodes that side's raises lead to; only the root has one more, on the lowest rung."""
    return (NODES_BEFORE, *group.raises) if group.standing[side] < 0 else group.raises


@dataclass(slots=True)
class Plan:
    """Numbers for every decision of one side: of raises at the nodes they lead to, of calls at its own."""

    raises: Numbers
    calls: tuple[Numbers, ...]

    @classmethod
    def empty(cls, nodes: int, hands: int, calls: int) -> "Plan":
        return cls(np.zeros((nodes, hands)), tuple(np.zeros((nodes, hands)) for _ in range(calls)))


class WholeTree:
    """The regrets and the average play of both sides."""

    def __init__(self, round: Round) -> None:
        self.round = round
        self.nodes = 1 << (round.rungs - 1)
        self.groups = tuple(groups(round.rungs))
        self.hands = tuple(len(chances) for chances in round.chances)
        self.iterations = 0
        first_raises = np.array([0, *(1 << j for j in range(round.rungs - 1))])
        self._open, self._shut = first_raises[round.openings], first_raises[~round.openings]
        self._regrets = [self._plan(side) for side in (0, 1)]
        self._latest = [self._plan(side) for side in (0, 1)]
        self._sums = [self._plan(side) for side in (0, 1)]
        self._current = [self._normalised(self._plan(side), side) for side in (0, 1)]

    def _plan(self, side: int) -> Plan:
        return Plan.empty(self.nodes, self.hands[side], len(self.round.calls[side]))

    def run(self, iterations: int) -> None:
        """So many more rounds of learning, both sides in turn."""
        for _ in range(iterations):
            self.iterations += 1
            for side in (0, 1):
                self._learn(side)
                self._add_to_average(side)

    def _learn(self, side: int) -> None:
        gains = _gains(self, side, self._current[side], self._current[1 - side])
        regrets, latest = self._regrets[side], self._latest[side]
        for gain, sum_, last in (
            (gains.raises, regrets.raises, latest.raises),
            *zip(gains.calls, regrets.calls, latest.calls, strict=True),
        ):
            np.maximum(sum_ + gain, 0, out=sum_)
            last[...] = gain
        predicted = Plan(
            np.maximum(regrets.raises + latest.raises, 0),
            tuple(np.maximum(a + b, 0) for a, b in zip(regrets.calls, latest.calls, strict=True)),
        )
        self._current[side] = self._normalised(predicted, side)

    def _normalised(self, plan: Plan, side: int) -> Plan:
        """The same in shares of one; even shares where there is nothing."""
        if side == 0:
            self._keep_openings(plan)
        for group in self.groups:
            raises = raises_of(group, side)
            calls = plan.calls if group.standing[side] >= 0 else ()
            total = np.zeros((group.nodes.stop - group.nodes.start, self.hands[side]))
            for nodes in raises:
                total += plan.raises[nodes]
            for call in calls:
                total += call[group.nodes]
            nothing = total <= 0
            np.copyto(total, 1.0, where=nothing)
            even = 1.0 / (len(raises) + len(calls) or 1)
            for part in (*(plan.raises[nodes] for nodes in raises), *(call[group.nodes] for call in calls)):
                np.divide(part, total, out=part)
                np.copyto(part, even, where=nothing)
        return plan

    def _keep_openings(self, plan: Plan) -> None:
        """A round is opened only as the rules allow."""
        plan.raises[self._shut] = 0
        if not plan.raises[self._open].sum(axis=0).all():
            plan.raises[self._open] += np.where(plan.raises[self._open].sum(axis=0) > 0, 0.0, 1.0)

    def _add_to_average(self, side: int) -> None:
        """By the fourth power of time, and by how often the side's own play leads there."""
        weight, current, sums = float(self.iterations) ** 4, self._current[side], self._sums[side]
        own = reach(self, side, current, np.ones(self.hands[side]))
        sums.raises += weight * own[1 - side]
        for sum_, call in zip(sums.calls, current.calls, strict=True):
            np.add(sum_, weight * own[side] * call, out=sum_)

    def average(self, side: int) -> Plan:
        """What the side has played on average: its share of an equilibrium."""
        sums = self._sums[side]
        return self._normalised(Plan(sums.raises.copy(), tuple(call.copy() for call in sums.calls)), side)


def reach(tree: WholeTree, side: int, plan: Plan, chances: Numbers) -> list[Numbers]:
    """How often this side's hand and play lead to each node of side 0, and of side 1."""
    result = [np.zeros((tree.nodes, tree.hands[side])) for _ in (0, 1)]
    result[0][0] = chances
    for group in tree.groups:
        for mover in (0, 1):
            here = result[mover][group.nodes]
            for nodes in raises_of(group, mover):
                if mover == side:
                    np.multiply(here, plan.raises[nodes], out=result[1 - mover][nodes])
                else:
                    result[1 - mover][nodes] = here
    return result


class _Looking:
    """One side's view of the tree against a play of the other: what its nodes and moves are worth."""

    def __init__(self, tree: WholeTree, side: int, against: Plan) -> None:
        self.tree, self.side, self.against = tree, side, against
        self.theirs = reach(tree, 1 - side, against, tree.round.chances[1 - side])
        self.values = [np.zeros((tree.nodes, tree.hands[side])) for _ in (0, 1)]  # of each side's nodes

    def wait(self, group: Group) -> None:
        """Value the nodes where the other is to move."""
        side, other, nodes = self.side, 1 - self.side, group.nodes
        value = self.values[other][nodes]
        for after in raises_of(group, other):
            value += self.values[side][after]
        if group.standing[other] >= 0:
            for call, worth in zip(self.against.calls, self.tree.round.calls[other], strict=True):
                value -= (self.theirs[other][nodes] * call[nodes]) @ worth[group.standing[other]]

    def worth_of_calls(self, group: Group) -> list[Numbers]:
        standing = group.standing[self.side]
        if standing < 0:
            return []
        theirs = self.theirs[self.side][group.nodes]
        return [theirs @ worth[standing].T for worth in self.tree.round.calls[self.side]]

    def worth_of_round(self) -> float:
        return float(self.values[0][0] @ self.tree.round.chances[self.side])


def _gains(tree: WholeTree, side: int, plan: Plan, against: Plan) -> Plan:
    """By how much each move of a side would have been better than its play."""
    looking = _Looking(tree, side, against)
    calls = tuple(np.zeros_like(call) for call in plan.calls)
    raises, own = looking.values[1 - side], looking.values[side]
    for group in reversed(tree.groups):
        for mover in (1, 0):
            if mover != side:
                looking.wait(group)
                continue
            value = own[group.nodes]
            for nodes in raises_of(group, side):
                value += raises[nodes] * plan.raises[nodes]
            for gain, call, worth in zip(calls, plan.calls, looking.worth_of_calls(group), strict=False):
                gain[group.nodes] = worth
                value += worth * call[group.nodes]
            for part in (
                *(raises[nodes] for nodes in raises_of(group, side)),
                *(gain[group.nodes] for gain in calls if group.standing[side] >= 0),
            ):
                np.subtract(part, value, out=part)
    return Plan(raises, calls)


def best_response(tree: WholeTree, side: int, against: Plan) -> float:
    """What the best play of a side is worth against this play of the other."""
    looking = _Looking(tree, side, against)
    for group in reversed(tree.groups):
        for mover in (1, 0):
            if mover != side:
                looking.wait(group)
                continue
            choices = [looking.values[1 - side][nodes] for nodes in raises_of(group, side)]
            if group.standing[side] < 0:
                choices = [choices[rung] for rung in np.flatnonzero(tree.round.openings)]
            choices += looking.worth_of_calls(group)
            np.maximum.reduce(choices, out=looking.values[side][group.nodes])
    return looking.worth_of_round()
