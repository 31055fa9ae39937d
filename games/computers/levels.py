"""How each level plays, with or without the leanings of a character."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.computers import counting, hard
from games.computers.counting import Judgement
from games.computers.hard import PLAIN, Style
from games.computers.protocol import Rng
from games.computers.situation import Mix, Situation, drawn, situation_of
from games.engine.moves import Move
from games.engine.view import TableView

LEVELS = ("easy", "normal", "hard")

Mixer: TypeAlias = Callable[[Situation, Style], Mix]

_EASY = Judgement(evenness=0.35, comfort=0.3, margin=0.3, forgets=0.3)
_NORMAL = Judgement(evenness=0.05, comfort=0.55, margin=0.05)


def easy(situation: Situation, style: Style = PLAIN) -> Mix:
    """Misjudges what is likely, and sometimes forgets that ones are wild."""
    return counting.mix(situation, _leaning(_EASY, style))


def normal(situation: Situation, style: Style = PLAIN) -> Mix:
    """Counts the odds, from its own dice alone."""
    return counting.mix(situation, _leaning(_NORMAL, style))


MIXERS: Mapping[str, Mixer] = {"easy": easy, "normal": normal, "hard": hard.mix}
"""What a level plays in any situation, move by move with its chance."""


@dataclass(frozen=True, slots=True)
class MixingPlayer:
    """A player of one level and style: it draws its move from its mix."""

    mixer: Mixer
    style: Style = PLAIN

    def choose(self, view: TableView, rng: Rng) -> Move:
        """A legal bid or call; never `liar` where its own dice prove the bid."""
        return drawn(self.mixer(situation_of(view), self.style), rng)


def _leaning(judgement: Judgement, style: Style) -> Judgement:
    return replace(judgement, doubt=style.suspicious, daring=style.bold)
