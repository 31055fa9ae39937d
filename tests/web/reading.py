"""A page as its reader has it: worked examples, tables and commands, taken from the HTML that was sent."""

import html
import re
from dataclasses import dataclass

from django.test import Client

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
FACES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6} | {
    "ones": 1,
    "twos": 2,
    "threes": 3,
    "fours": 4,
    "fives": 5,
    "sixes": 6,
}
SLUGS = ("", "/rules", "/ones", "/odds", "/strategy", "/questions", "/fair-dice")

_SECTION = re.compile(r'<section class="sheet worked" id="example-([\w-]+)".*?</section>', re.S)
_LABEL = re.compile(r'aria-label="([^"]*)"')


def page(slug: str) -> str:
    """The HTML of a page of the guide."""
    answer = Client().get(f"/guide{slug}")
    assert answer.status_code == 200
    return answer.content.decode()


def text(markup: str) -> str:
    """What remains of some HTML without its tags."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", markup))).strip()


def sheets() -> dict[str, str]:
    """The HTML of every worked example of the guide, by its key."""
    return {found[1]: found[0] for slug in SLUGS for found in _SECTION.finditer(page(slug))}


@dataclass(frozen=True)
class Die:
    """A die as it is drawn."""

    face: int
    wild: bool
    counted: bool


def dice(markup: str) -> list[Die]:
    """The dice that are drawn here, by what they are called."""
    return [
        Die(FACES[words[0]], "wild" in words, "counted" in words)
        for words in (label.split(", ") for label in _LABEL.findall(markup))
        if words[0] in FACES
    ]


def rows(markup: str) -> list[tuple[str, list[Die], int]]:
    """The hands of a round: whose, the dice, and the count at the end of the row."""
    found = []
    for row in re.findall(r"<tr>.*?</tr>", markup.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0], re.S):
        count = text(row.split('class="number">')[1])
        found.append((text(row.split("</th>")[0]), dice(row), 0 if "none" in count else int(count)))
    return found


def bid(words: str) -> dict[str, int]:
    """A bid from its words: `four fives`, `a total of 47`."""
    if words.startswith("a total of "):
        return {"total": int(words.removeprefix("a total of "))}
    quantity, face = words.split()
    return {"quantity": NUMBERS.index(quantity), "face": FACES[face]}


def part(markup: str, name: str) -> str:
    """The text of the first element of this class."""
    return text(re.search(rf'<(\w+) class="{name}".*?</\1>', markup, re.S)[0])  # type: ignore[index]
