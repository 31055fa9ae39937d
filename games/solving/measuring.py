"""How much the best of all opponents, who knows the play of a table, would win against it.

The whole tree is walked, every bid remembered by the opponent: node by node near the root, and in slices once
few enough rungs are left (see `whole`). What the table does not list is taken for a call of liar.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from games.computers.endgame_tables import Table, contexts, contexts_below
from games.engine.rules import Rules
from games.solving.chain import Dice
from games.solving.recent import Play, RecentBids, memories
from games.solving.rounds import Numbers, Round, Stakes, round_between
from games.solving.shipping import plans_of
from games.solving.whole import Group, groups, raises_of

SLICED = 17
"""With so many rungs left a subtree has 2**17 nodes, half of them each seat's."""


class Opponent:
    """The best opponent on one side of a round, against the other side's play of a table."""

    def __init__(self, round: Round, table: Table, side: int) -> None:
        self.round, self.side = round, side
        self.after = memories(table.rungs, table.memory).after
        self.plan = _plans(table, round)[1 - side]

    def worth(self) -> float:
        """What the round is worth to this opponent."""
        theirs = self.round.chances[1 - self.side]
        return float(self._node(-1, 0, 0, theirs) @ self.round.chances[self.side])

    def _node(self, rung: int, context: int, mover: int, theirs: Numbers) -> Numbers:
        """The worth of a node to each own hand, weighted with how often the other's play leads there."""
        if not theirs.any():
            return np.zeros(len(self.round.chances[self.side]))
        left = self.round.rungs - 1 - rung
        if rung >= 0 and 0 < left <= SLICED:
            return _Slices(self, rung, context, mover, theirs).worth()
        after = int(self.after[rung][context]) if rung >= 0 else 0
        shares = self.plan[rung][context]
        raises = [
            self._node(
                rung + 1 + step, after, 1 - mover, theirs if mover == self.side else theirs * shares[step]
            )
            for step in range(left)
            if rung >= 0 or self.round.openings[step]
        ]
        if mover != self.side:
            return sum(raises, self.worth_of_their_calls(rung, theirs[None], shares[None])[0])
        return np.maximum.reduce([*raises, *(worth[0] for worth in self.worth_of_calls(rung, theirs[None]))])

    def worth_of_calls(self, rung: int, theirs: Numbers) -> list[Numbers]:
        return [] if rung < 0 else [theirs @ worth[rung].T for worth in self.round.calls[self.side]]

    def worth_of_their_calls(self, rung: int, theirs: Numbers, shares: Numbers) -> Numbers:
        """For [node, hand] of the other, with its shares of [node, move, hand]."""
        result = np.zeros((len(theirs), len(self.round.chances[self.side])))
        if rung >= 0:
            raises = self.round.rungs - 1 - rung
            for number, worth in enumerate(self.round.calls[1 - self.side]):
                result -= (theirs * shares[:, raises + number]) @ worth[rung]
        return result


class _Slices:
    """The subtree below a node, in the slices of `whole`; seat 0 is here the one that moves first."""

    def __init__(self, opponent: Opponent, rung: int, context: int, mover: int, theirs: Numbers) -> None:
        self.opponent, self.first = opponent, rung + 1
        self.waits = int(mover == opponent.side)  # the seat, 0 or 1, that the other side plays
        self.groups = tuple(groups(opponent.round.rungs - 1 - rung))
        size = self.groups[-1].nodes.stop
        self.reach = [np.zeros((size, len(theirs))) for _ in (0, 1)]
        self.contexts: list[NDArray[np.intp]] = [np.zeros(size, np.intp) for _ in (0, 1)]
        self.reach[0][0], self.contexts[0][0] = theirs, context
        for group in self.groups:
            for seat in (0, 1):
                self._follow(group, seat)

    def _rung(self, group: Group, seat: int) -> int:
        return self.first + group.standing[seat]

    def _follow(self, group: Group, seat: int) -> None:
        here, contexts = self.reach[seat][group.nodes], self.contexts[seat][group.nodes]
        after = self.opponent.after[self._rung(group, seat)][contexts]
        shares = self._shares(group, seat) if seat == self.waits else None
        for step, nodes in enumerate(raises_of(group, seat)):
            self.reach[1 - seat][nodes] = here if shares is None else here * shares[:, step]
            self.contexts[1 - seat][nodes] = after

    def _shares(self, group: Group, seat: int) -> Numbers:
        return self.opponent.plan[self._rung(group, seat)][self.contexts[seat][group.nodes]]

    def worth(self) -> Numbers:
        """The worth of the first node."""
        hands = len(self.opponent.round.chances[self.opponent.side])
        values = [np.zeros((len(self.contexts[0]), hands)) for _ in (0, 1)]
        for group in reversed(self.groups):
            for seat in (1, 0):
                rung, theirs = self._rung(group, seat), self.reach[seat][group.nodes]
                raises = [values[1 - seat][nodes] for nodes in raises_of(group, seat)]
                if seat == self.waits:
                    calls = self.opponent.worth_of_their_calls(rung, theirs, self._shares(group, seat))
                    values[seat][group.nodes] = sum(raises, calls)
                else:
                    choices = [*raises, *self.opponent.worth_of_calls(rung, theirs)]
                    np.maximum.reduce(choices, out=values[seat][group.nodes])
        return values[0][0]


def _filled(part: Numbers, calls: int) -> Numbers:
    """With a call of liar where nothing is listed."""
    nothing = part.sum(axis=1) <= 0
    if part.shape[1] > calls:
        part[:, -calls][nothing] = 1
    else:
        part[:, 0][nothing] = 1
    return part


def best_responses(
    rules: Rules, dice: tuple[int, int], table: Table, stakes: Sequence[Stakes] = (Stakes(), Stakes())
) -> tuple[float, float]:
    """What the best opponent wins as the opener, and as the other; half their sum is how far play is off."""
    round = round_between(rules, dice, (stakes[0], stakes[1]))
    return Opponent(round, table, 0).worth(), Opponent(round, table, 1).worth()


def trained_responses(
    rules: Rules, dice: Dice, table: Table, *, memory: int, turns: int
) -> tuple[float, float]:
    """The same as far as an opponent gets that remembers `memory` bids, for trees too large to be walked."""
    round = round_between(rules, dice, (Stakes(), Stakes()))
    worths = []
    for side in (0, 1):
        against = _remembering_more(table, memory, _plans(table, round)[1 - side])
        worths.append(RecentBids(round, memory).answer(side, against, turns))
    return worths[0], worths[1]


def _remembering_more(table: Table, memory: int, play: Play) -> Play:
    """The same play, written for states of a longer memory."""
    keep = table.memory - 1
    number = {chosen: index for index, chosen in enumerate(contexts(table.rungs, table.memory))}
    same = [number[chosen[-keep:] if keep else ()] for chosen in contexts(table.rungs, memory)]
    below = contexts_below(table.rungs, memory)
    return [*(part[same[:states]] for part, states in zip(play, below, strict=False)), play[-1]]


def _plans(table: Table, round: Round) -> list[Play]:
    calls = len(round.calls[0])
    return [[_filled(part, calls) for part in play] for play in plans_of(table, calls)]


class BestMatch:
    """The best opponent of a whole match: every round is played for the chance to win what follows."""

    def __init__(self, rules: Rules, table_of: Callable[[Dice], Table]) -> None:
        if rules.exact == "regain":
            raise ValueError("where dice are won back a match does not come down round by round")
        self.rules, self.table_of = rules, table_of
        self._known: dict[tuple[int, int, bool], float] = {}

    def chance(self, mine: int, theirs: int, *, i_open: bool) -> float:
        """The opponent's chance to win from here."""
        if not mine or not theirs:
            return 1.0 if mine else 0.0
        if (mine, theirs, i_open) not in self._known:
            self._known[mine, theirs, i_open] = self._solved(mine, theirs, i_open=i_open)
        return self._known[mine, theirs, i_open]

    def _solved(self, mine: int, theirs: int, *, i_open: bool) -> float:
        dice, side = ((mine, theirs), 0) if i_open else ((theirs, mine), 1)
        stakes = [self._my_stakes(mine, theirs), self._their_stakes(mine, theirs)]
        first, second = stakes if i_open else stakes[::-1]
        round = round_between(self.rules, dice, (first, second))
        return (Opponent(round, self.table_of(dice), side).worth() + 1) / 2

    def _my_stakes(self, mine: int, theirs: int) -> Stakes:
        lost = self._worth(mine - 1, theirs, i_open=True)
        return Stakes(
            liar_right=self._worth(mine, theirs - 1, i_open=False),
            liar_wrong=lost,
            exact_right=self._worth(mine, theirs - 1, i_open=True),
            exact_wrong=lost,
        )

    def _their_stakes(self, mine: int, theirs: int) -> Stakes:
        """What the other's calls bring the other, as far as the opponent's chances go."""
        won = -self._worth(mine, theirs - 1, i_open=False)
        return Stakes(
            liar_right=-self._worth(mine - 1, theirs, i_open=True),
            liar_wrong=won,
            exact_right=-self._worth(mine - 1, theirs, i_open=False),
            exact_wrong=won,
        )

    def _worth(self, mine: int, theirs: int, *, i_open: bool) -> float:
        return 2 * self.chance(mine, theirs, i_open=i_open) - 1
