"""Winning chances drawn: a line for each seat, its name written at it, and a mark at the round in view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]

LEFT, RIGHT, TOP, BOTTOM = 34.0, 372.0, 14.0, 196.0
MOST_POINTS = 120
"""Of a longer match every so many rounds are drawn; all of them stand in the table of figures."""

DASHES = ("", "7 4", "12 3 2 3", "1.5 4", "3 3", "14 4")
LETTER, LINE = 8.4, 15.0
CLEAR = 26.0
"""So far from every other line a name stands well; farther is no better."""

LABELS = 6
"""At most so many rounds are numbered below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One seat's line, and where its name stands."""

    name: str
    mine: bool
    dashes: str
    points: str
    x: float
    y: float


def graph_of(
    match: Mapping[str, Any], names: Mapping[int, str], you: int | None, number: int
) -> dict[str, Any]:
    """What `games/_chances.html` draws; `number` is the round in view."""
    rows, seats = match["chances"], match["seats"]
    if len(rows) < 2:
        return {}
    shown = _thinned(len(rows))
    across = {at: LEFT + (RIGHT - LEFT) * at / (len(rows) - 1) for at in range(len(rows))}
    lines = {
        seat: [(across[at], BOTTOM - (BOTTOM - TOP) * rows[at][place]) for at in shown]
        for place, seat in enumerate(seats)
    }
    return {
        "curves": _curves(lines, names, you),
        "here": round(across[min(number, len(rows) - 1)], 1),
        "rounds": [(round(across[at], 1), at or "start") for at in _numbered(len(rows))],
        "levels": [(round(BOTTOM - (BOTTOM - TOP) * level / 100, 1), level) for level in (0, 50, 100)],
    }


def _thinned(number: int) -> list[int]:
    step = -(-number // MOST_POINTS)
    return sorted({*range(0, number, step), number - 1})


def _numbered(number: int) -> list[int]:
    step = max(1, -(-(number - 1) // LABELS))
    return list(range(0, number, step))


def _curves(lines: Mapping[int, Points], names: Mapping[int, str], you: int | None) -> list[Curve]:
    """Mine last, so that it lies above the others."""
    taken: list[tuple[float, float, float]] = []
    curves = []
    ordered = sorted(lines, key=lambda seat: (-max(-y for _, y in lines[seat]), seat))
    dashes = dict(zip((seat for seat in lines if seat != you), DASHES, strict=False))
    for seat in ordered:
        name = "you" if seat == you else names[seat]
        short = name if len(name) <= 12 else f"{name[:11]}…"
        x, y = _place(lines, seat, LETTER * len(short), taken)
        taken.append((x, y, LETTER * len(short)))
        curves.append(
            Curve(
                name=short,
                mine=seat == you,
                dashes=dashes.get(seat, ""),
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in lines[seat]),
                x=round(x, 1),
                y=round(y, 1),
            )
        )
    return sorted(curves, key=lambda curve: curve.mine)


def _place(
    lines: Mapping[int, Points], seat: int, width: float, taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Where the name of a seat stands: at its line, and as clear of all others as may be."""
    own = lines[seat]
    step = max(1, len(own) // 40)
    best, place = -1e9, (own[0][0] + width / 2, own[0][1] - 6)
    for at_x, at_y in own[::step]:
        x = min(max(at_x, LEFT + width / 2), RIGHT + 24 - width / 2)
        for y in (at_y - 6, at_y + LINE):
            if not TOP - 2 <= y <= BOTTOM - 2 or _overlaps(x, y, width, taken):
                continue
            score = _clearance(lines, seat, x, y, width)
            if score > best:
                best, place = score, (x, y)
    return place


def _overlaps(x: float, y: float, width: float, taken: Sequence[tuple[float, float, float]]) -> bool:
    return any(
        abs(x - other) < (width + wide) / 2 + 4 and abs(y - height) < LINE for other, height, wide in taken
    )


def _clearance(lines: Mapping[int, Points], seat: int, x: float, y: float, width: float) -> float:
    """How far the middle of a name is from the nearest other line, and how little its own line crosses it."""
    middle = y - LINE / 3
    score = CLEAR
    for of_seat, points in lines.items():
        for part in (-0.5, 0.0, 0.5):
            away = abs(_height(points, x + part * width) - middle)
            score = min(score, 2 * away if of_seat == seat else away)
    return score


def _height(points: Points, x: float) -> float:
    """The height of a line at this x."""
    first, last = points[0][0], points[-1][0]
    share = min(max((x - first) / (last - first), 0.0), 1.0) * (len(points) - 1)
    at = min(int(share), len(points) - 2)
    left, right = points[at][1], points[at + 1][1]
    return left + (right - left) * (share - at)
