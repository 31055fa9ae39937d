"""What a standing of the match is worth to a seat: its chance to win from there."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.computers import endgame
from games.computers.situation import Situation
from games.engine.rules import Rules

EXPONENTS = {2: 2.3, 3: 2.4, 4: 2.7, 5: 2.8, 6: 3.0}
"""By seats still in: strength goes with the dice to this power. Fitted to 480 matches of Hard against itself,
in which whoever opened won neither more nor less often than by their dice."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Between two rounds: who has how many dice, and who opens."""

    dice: Mapping[int, int]  # of the seats still in
    opener: int


def chance_to_win(rules: Rules, standing: Standing, seat: int) -> float:
    """This seat's chance to win the match."""
    dice = standing.dice
    if seat not in dice:
        return 0.0
    if len(dice) == 1:
        return 1.0
    if len(dice) == 2:
        mine, theirs = dice[seat], next(held for other, held in dice.items() if other != seat)
        known = endgame.value(rules, mine=mine, theirs=theirs, i_open=standing.opener == seat)
        if known is not None:
            return known
    strengths: dict[int, float] = {other: held ** EXPONENTS[len(dice)] for other, held in dice.items()}
    return strengths[seat] / sum(strengths.values())


class Outcomes:
    """What the ways a round can end are worth to the seat that decides."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._me = situation.seat
        self._known: dict[tuple[frozenset[tuple[int, int]], int], float] = {}

    def loses(self, seat: int) -> float:
        """This seat loses a die and opens."""
        return self._after({seat: -1}, opener=seat)

    def hits(self, caller: int) -> float:
        """This seat has called exact and is right."""
        dice = self._situation.dice
        if self._situation.rules.exact == "regain":
            at_cap = dice[caller] >= self._situation.rules.starting_dice
            return self._after({} if at_cap else {caller: 1}, opener=caller)
        return self._after({seat: -1 for seat in dice if seat != caller}, opener=caller)

    def others_lose(self) -> float:
        """On average over the other seats, one of them loses a die and opens."""
        others = [seat for seat in self._situation.dice if seat != self._me]
        return sum(self.loses(seat) for seat in others) / len(others)

    def _after(self, changes: Mapping[int, int], *, opener: int) -> float:
        key = (frozenset(changes.items()), opener)
        if key not in self._known:
            self._known[key] = self._worked_out(changes, opener)
        return self._known[key]

    def _worked_out(self, changes: Mapping[int, int], opener: int) -> float:
        before = self._situation.dice
        dice = {seat: held + changes.get(seat, 0) for seat, held in before.items()}
        dice = {seat: held for seat, held in dice.items() if held > 0}
        claims = [seat for seat in dice if (before[seat], dice[seat]) == (2, 1)]
        if claims and self._situation.rules.palifico and len(dice) > 2:
            opener = _next_in(claims, opener)
        opener = opener if opener in dice else _next_in(list(dice), opener)
        return chance_to_win(self._situation.rules, Standing(dice, opener), self._me)


def _next_in(seats: list[int], after: int) -> int:
    return next((seat for seat in seats if seat >= after), seats[0])
