"""The tables and pictures of chances in the guide, from the same arithmetic as the odds helper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.computers.odds import (
    chance_of_at_least,
    chance_of_sum,
    chance_of_sum_at_least,
    chances_of_each,
)
from games.web.odds import figure

WILD, PLAIN = 2, 1
"""How many faces of an unseen die count: the face and the one, or the face alone."""

UNSEEN = (*range(1, 11), 12, 14, 15, 16, 18, 20, 22, 25, 29)
REACHED = (0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05)

HEIGHT, FLOOR = 140.0, 190.0
"""The height of the highest bar, and where the bars stand, in pixels of the picture."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A chance in a table: its figure, and the step of ink behind it, from 0 (none) to 4."""

    figure: str
    step: int


@cache
def at_least(faces: int, most: int) -> list[tuple[int, list[Cell]]]:
    """For each number of unseen dice: the chance that at least 1, 2, … `most` of them count."""
    return [
        (dice, [cell(chance_of_at_least(dice, wanted, faces)) for wanted in range(1, most + 1)])
        for dice in UNSEEN
    ]


def cell(chance: float) -> Cell:
    """A chance as tables show it: a dot where it cannot be."""
    return Cell(figure(chance) if chance else "·", min(4, int(chance * 5)))


@cache
def likeliest() -> list[dict[str, Any]]:
    """For each number of unseen dice: the number of dice that counts most often, and how often."""
    return [
        {
            "dice": dice,
            "wild": _peak(chances_of_each(dice, WILD)),
            "plain": _peak(chances_of_each(dice, PLAIN)),
        }
        for dice in UNSEEN
    ]


def _peak(chances: Sequence[float]) -> dict[str, Any]:
    best = max(chances)
    hits = [number for number, chance in enumerate(chances) if best - chance < 1e-12]
    return {"hits": " or ".join(map(str, hits)), "figure": figure(best)}


@cache
def totals() -> list[dict[str, Any]]:
    """For each number of unseen dice: what they come to on average, and the totals they reach so often."""
    return [
        {
            "dice": dice,
            "mean": f"{3.5 * dice:.1f}".removesuffix(".0"),
            "reached": [(highest_reached(dice, chance), min(4, int(chance * 5))) for chance in REACHED],
        }
        for dice in UNSEEN
    ]


def highest_reached(dice: int, chance: float) -> int:
    """The highest total that these dice reach at least so often."""
    return max(
        total for total in range(dice, 6 * dice + 1) if chance_of_sum_at_least(dice, total) >= chance - 1e-12
    )


def bars_of_faces(dice: int, faces: int, *, needed: int) -> dict[str, Any]:
    """A picture of how many of these dice count, inked from the number that is needed."""
    chances = chances_of_each(dice, faces)
    seldom = next(hits for hits in range(dice + 1) if chance_of_at_least(dice, hits + 1, faces) < 0.001)
    enough = chance_of_at_least(dice, needed, faces)
    shown = list(enumerate(chances[: seldom + 1]))
    return _picture(shown, needed=needed, enough=enough, label=lambda value: True)


def bars_of_sums(dice: int, *, needed: int) -> dict[str, Any]:
    """A picture of what the pips of these dice come to."""
    chances = [(total, chance_of_sum(dice, total)) for total in range(dice, 6 * dice + 1)]
    shown = [(total, chance) for total, chance in chances if chance >= 0.0005]
    enough = chance_of_sum_at_least(dice, needed)
    return _picture(shown, needed=needed, enough=enough, label=lambda value: value % 5 == 0)


def _picture(
    chances: list[tuple[int, float]], *, needed: int, enough: float, label: Callable[[int], bool]
) -> dict[str, Any]:
    """Bars in per cent of the width, so that letters keep their size; inked from `needed` on."""
    room = 100 / len(chances)
    scale = HEIGHT / max(chance for _, chance in chances)
    bars = [
        {
            "x": round(room * (place + 0.09), 3),
            "width": round(room * 0.82, 3),
            "middle": round(room * (place + 0.5), 3),
            "y": round(FLOOR - max(1.5, scale * chance), 1),
            "height": round(max(1.5, scale * chance), 1),
            "above": round(FLOOR - scale * chance - 6, 1),
            "label": str(value) if label(value) else "",
            "figure": figure(chance) if len(chances) < 20 and chance >= 0.005 else "",
            "enough": value >= needed,
        }
        for place, (value, chance) in enumerate(chances)
    ]
    values = [value for value, _ in chances]
    cut = round(room * values.index(needed), 3)
    return {"bars": bars, "cut": cut, "left": cut > 25, "figure": figure(enough)}
