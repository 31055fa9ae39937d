"""How each level plays, with or without the leanings of a character."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.computers import counting, hard
from games.computers.counting import Judgement, Outlook
from games.computers.hard import PLAIN, Style
from games.computers.protocol import Rng
from games.computers.situation import Mix, Situation, drawn, situation_of
from games.engine.moves import Bid, Move
from games.engine.view import TableView

LEVELS = ("easy", "normal", "hard")

SURPRISED: Mapping[str, float] = {"easy": 0.5}
"""How often a bluff of this level shows in its face."""

BLUFF = 0.35
"""A bid that is less likely true than this, in the eyes of its own bidder, is a bluff."""

Mixer: TypeAlias = Callable[[Situation, Style], Mix]

_EASY = Judgement(evenness=0.22, comfort=0.3, margin=0.3, forgets=0.3)
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
    surprised: float = 0.0  # how often a bluff shows in its face

    def choose(self, view: TableView, rng: Rng) -> Move:
        """A legal bid or call; never `liar` where its own dice prove the bid."""
        return drawn(self.mixer(situation_of(view), self.style), rng)

    def tells(self, view: TableView, move: Move, rng: Rng) -> bool:
        """Does this bluff of its own show in its face?"""
        if not self.surprised or not isinstance(move, Bid):
            return False
        chance = Outlook(situation_of(view), True).chance_true(move)
        return chance < BLUFF and rng.random() < self.surprised


def _leaning(judgement: Judgement, style: Style) -> Judgement:
    return replace(judgement, doubt=style.suspicious, daring=style.bold)
