"""Which computers there are: levels that play differently, and characters that they go by."""

from collections.abc import Iterable, Mapping

from games.computers.counting import CountingPlayer, Judgement
from games.computers.protocol import Computer

LEVELS = ("easy", "normal", "hard")

CHARACTERS: Mapping[str, str] = {
    "quill": "Quill",
    "marl": "Marl",
    "wick": "Wick",
    "tansy": "Tansy",
    "bramble": "Bramble",
    "ferrule": "Ferrule",
    "osier": "Osier",
    "pewter": "Pewter",
}
"""The key that a request names, and the name that people read."""

_JUDGEMENTS: Mapping[str, Judgement] = {
    "easy": Judgement(noise=0.6, comfort=0.3, margin=0.3),
    "normal": Judgement(noise=0.1, comfort=0.55, margin=0.05),
    "hard": Judgement(noise=0.0, comfort=0.65, margin=0.02),
}


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
    return CountingPlayer(_JUDGEMENTS[level])


def _one_of(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
