"""From round to round back to the whole match: what a round is worth follows from what comes after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from games.engine.rules import Rules
from games.solving.recent import RecentBids
from games.solving.rounds import Stakes, round_between

Dice: TypeAlias = tuple[int, int]
"""How many the opener has, and the other."""


@dataclass(slots=True)
class Worths:
    """The chance of the seat that opens to win the match, by its dice and the other's."""

    rules: Rules
    known: dict[Dice, float] = field(default_factory=dict)

    def chance(self, mine: int, theirs: int, *, i_open: bool) -> float:
        """My chance to win the match before a round in which I open, or the other does."""
        if not mine or not theirs:
            return 1.0 if mine else 0.0
        return self.known[mine, theirs] if i_open else 1 - self.known[theirs, mine]

    def stakes(self, mine: int, theirs: int) -> Stakes:
        """What calls are worth to me with so many dice."""
        lost = self._worth(mine - 1, theirs, i_open=True)
        return Stakes(
            liar_right=self._worth(mine, theirs - 1, i_open=False),
            liar_wrong=lost,
            exact_right=self._worth_of_exact(mine, theirs),
            exact_wrong=lost,
        )

    def _worth_of_exact(self, mine: int, theirs: int) -> float:
        if self.rules.exact == "regain":
            return self._worth(min(mine + 1, self.rules.starting_dice), theirs, i_open=True)
        return self._worth(mine, theirs - 1, i_open=True)

    def _worth(self, mine: int, theirs: int, *, i_open: bool) -> float:
        return 2 * self.chance(mine, theirs, i_open=i_open) - 1


@dataclass(frozen=True, slots=True)
class Effort:
    """How many bids are remembered, and how often the round is learned."""

    memory: int
    iterations: int


EFFORTS: Mapping[int, Effort] = {
    2: Effort(6, 600),
    3: Effort(4, 350),
    4: Effort(3, 200),
    5: Effort(2, 200),
    6: Effort(2, 120),
    7: Effort(1, 100),
    8: Effort(1, 100),
    9: Effort(1, 60),
    10: Effort(1, 60),
}
"""By the dice in play: what fits into minutes and a few hundred kilobytes."""


WITH_EXACT_CALLS = {3: Effort(5, 250)}
"""More is mixed where exact calls may be made, and one bid more then matters."""

ROUGH = Effort(1, 30)
"""Enough to see what matches are worth where dice are won back, and what comes next may be what was."""

SWEEPS = 5
ROUGH_UP_TO = 7
"""With more dice a guess will do: it takes several exact calls in a row to get there from an endgame."""


def settle(worths: Worths) -> None:
    """Where dice are won back: learn all rounds roughly, again and again, until their worths agree."""
    everywhere = pairs(2 * worths.rules.starting_dice, worths.rules.starting_dice)
    worths.known = {(mine, theirs): mine**2 / (mine**2 + theirs**2) for mine, theirs in everywhere}
    for _ in range(SWEEPS):
        for dice in pairs(ROUGH_UP_TO, worths.rules.starting_dice):
            learn(worths.rules, dice, worths, ROUGH)


def pairs(most: int, starting_dice: int) -> Iterator[Dice]:
    """The dice of the opener and of the other, up to `most` together: the fewest first, then the evenest."""
    numbers = range(1, starting_dice + 1)
    found = [(mine, theirs) for mine in numbers for theirs in numbers if mine + theirs <= most]
    return iter(sorted(found, key=lambda dice: (sum(dice), abs(dice[0] - dice[1]), dice)))


def effort(rules: Rules, dice: Dice) -> Effort:
    """How much is put into the table of this round."""
    together = sum(dice)
    return EFFORTS[together] if rules.exact == "off" else WITH_EXACT_CALLS.get(together, EFFORTS[together])


def learn(rules: Rules, dice: Dice, worths: Worths, effort: Effort) -> RecentBids:
    """Learn the round of these two seats, and note what it is worth to the opener."""
    stakes = worths.stakes(*dice), worths.stakes(*dice[::-1])
    learned = RecentBids(round_between(rules, dice, stakes), effort.memory)
    learned.run(effort.iterations)
    worths.known[dice] = (learned.worth() + 1) / 2
    return learned
