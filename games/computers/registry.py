"""Which computers there are: levels that play differently, and characters that they go by."""

from collections.abc import Iterable, Mapping

from games.computers import characters
from games.computers.hard import Style
from games.computers.levels import LEVELS, MIXERS, SURPRISED, MixingPlayer
from games.computers.protocol import Computer

__all__ = ["CHARACTERS", "LEVELS", "ComputerRefused", "computer", "style_of"]

CHARACTERS: Mapping[str, str] = {key: character.name for key, character in characters.CHARACTERS.items()}
"""The key that a request names, and the name that people read."""


class ComputerRefused(ValueError):
    """There is no such computer; the message names those there are, `field` what to mend."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message


def computer(level: str, character: str) -> Computer:
    """The player of this level and character, or `ComputerRefused`."""
    if level not in LEVELS:
        raise ComputerRefused("level", "unknown_level", f"A level is {_one_of(LEVELS)}.")
    if character not in CHARACTERS:
        raise ComputerRefused("character", "unknown_character", f"A character is {_one_of(CHARACTERS)}.")
    return MixingPlayer(MIXERS[level], style_of(character), SURPRISED.get(level, 0.0))


def style_of(character: str) -> Style:
    """How this character leans."""
    return characters.CHARACTERS[character].style


def _one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
