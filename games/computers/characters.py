"""The characters that computers go by: a name, a line of biography, and small leanings in their play."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.computers.hard import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """Who sits there. The level decides how sharp they are; the style only leans."""

    name: str
    biography: str
    manner: str  # the style in a few words
    style: Style


CHARACTERS: Mapping[str, Character] = {
    "quill": Character(
        name="Quill",
        biography="Copied contracts for forty years and still reads every clause twice.",
        manner="plays it straight",
        style=Style(),
    ),
    "marl": Character(
        name="Marl",
        biography="Sells clay by weight and trusts no scale but her own.",
        manner="quick to call",
        style=Style(suspicious=0.03),
    ),
    "wick": Character(
        name="Wick",
        biography="Lights the harbour lamps, and has never been seen in a hurry to leave.",
        manner="bids boldly",
        style=Style(bold=0.05),
    ),
    "tansy": Character(
        name="Tansy",
        biography="Grows bitter herbs and tells sweet stories about them.",
        manner="loves a bluff",
        style=Style(bold=0.08, suspicious=-0.01),
    ),
    "bramble": Character(
        name="Bramble",
        biography="Keeps a hedge, a goat and a long memory.",
        manner="hard to push off a bid",
        style=Style(suspicious=0.02, bold=-0.02),
    ),
    "ferrule": Character(
        name="Ferrule",
        biography="Mends umbrellas and measures everything, rain included.",
        manner="likes a bid to be spot on",
        style=Style(exacting=0.03),
    ),
    "osier": Character(
        name="Osier",
        biography="Weaves baskets by the river and bends before breaking.",
        manner="plays it close",
        style=Style(bold=-0.06, suspicious=-0.02),
    ),
    "pewter": Character(
        name="Pewter",
        biography="Once a soup spoon in a good house, and has kept its manners.",
        manner="lets others call first",
        style=Style(suspicious=-0.03),
    ),
}
