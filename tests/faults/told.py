"""What clients were told: every attempt to act with its answer, and every version and hand they saw.

Times are those of the machine that runs the clients, in seconds; no process of the site can set them back.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, kw_only=True)
class Attempt:
    """One sending of an action; a lost answer leaves `status` None."""

    table: str
    player: str
    seat: int | None
    action: dict[str, Any]  # "leave" too, which is no action of the API
    answers: int  # the version that the player acted on
    sent: float
    key: str | None = None
    answered: float | None = None
    status: int | None = None
    code: str = ""
    told: int | None = None  # the version in the answer
    replayed: bool = False

    @property
    def acknowledged(self) -> bool:
        return self.status == 200


@dataclass(slots=True, kw_only=True)
class Sight:
    """One look at a table, or one event of a stream."""

    table: str
    viewer: str | None  # a player, or None for somebody unknown
    by: str  # "view", "answer", or the name of one opened stream
    asked: float
    seen: float
    version: int
    status: str = ""
    role: str = ""
    seat: int | None = None
    number: int | None = None  # of the round in play
    hand: tuple[int, ...] | None = None
    strange: tuple[str, ...] = ()  # paths in the view at which dice lie that belong nowhere
    reveal: int | None = None  # the number of the latest one
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)  # its hands


@dataclass(slots=True, kw_only=True)
class Opening:
    """A table asked for with a key: what came of it."""

    player: str
    key: str
    table: str | None = None  # None: no answer came
    touched: float | None = None  # of a table that never starts: when somebody last did something there
    sitting: tuple[str, ...] = ()


@dataclass
class Told:
    """Everything that all clients of one run were told; many threads write here."""

    attempts: list[Attempt] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    openings: dict[str, Opening] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)  # by status, or "lost"
    wrong: list[str] = field(default_factory=list)  # answers that no fault excuses
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def tried(self, attempt: Attempt) -> None:
        with self._lock:
            self.attempts.append(attempt)

    def saw(self, sight: Sight) -> None:
        with self._lock:
            self.sights.append(sight)

    def opened(self, opening: Opening) -> None:
        with self._lock:
            self.openings[opening.key] = opening

    def answered(self, how: str, wrong: str = "") -> None:
        with self._lock:
            self.answers[how] += 1
            if wrong:
                self.wrong.append(wrong)

    def tables_moved_since(self, instant: float) -> set[str]:
        """The tables at which a move that was sent since then has been acknowledged."""
        with self._lock:
            return {a.table for a in self.attempts[-2000:] if a.acknowledged and a.sent >= instant}

    def streams_heard_since(self, instant: float) -> set[str]:
        """The tables of which a stream has told something since then."""
        with self._lock:
            heard = (s for s in self.sights[-2000:] if s.by.startswith("stream"))
            return {s.table for s in heard if s.seen >= instant}

    @property
    def moves_acknowledged(self) -> int:
        """Bids, calls and presses that were acknowledged, each once."""
        with self._lock:
            done = [a for a in self.attempts if a.acknowledged and a.action["type"] != "leave"]
        return len({(a.player, a.key) if a.key else id(a) for a in done})


def a_sight(view: dict[str, Any], *, viewer: str | None, by: str, asked: float, seen: float) -> Sight:
    """What there is to remember of a view."""
    current, reveal = view["round"], view["reveal"]
    hand = current["hand"] if current else None
    return Sight(
        table=view["id"],
        viewer=viewer,
        by=by,
        asked=asked,
        seen=seen,
        version=view["version"],
        status=view["status"],
        role=view["viewer"]["role"],
        seat=view["viewer"]["seat"],
        number=current["number"] if current else None,
        hand=None if hand is None else tuple(hand),
        strange=tuple(_dice_elsewhere(view, "")),
        reveal=reveal["number"] if reveal else None,
        shown={int(seat): tuple(dice) for seat, dice in reveal["hands"].items()} if reveal else {},
    )


_WHERE_NUMBERS_LIE = ("round.hand", "reveal.hands.", "reveal.out", "legal.bids.")


def _dice_elsewhere(value: Any, path: str) -> list[str]:
    """The places of lists of numbers where the contract has none."""
    if isinstance(value, dict):
        return [found for name, each in value.items() for found in _dice_elsewhere(each, f"{path}.{name}")]
    if isinstance(value, list) and value and all(type(each) is int for each in value):
        known = path.lstrip(".").startswith(_WHERE_NUMBERS_LIE)
        return [] if known else [path.lstrip(".")]
    if isinstance(value, list):
        return [found for each in value for found in _dice_elsewhere(each, path)]
    return []
