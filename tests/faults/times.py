"""The clock of a site under test: run fast, set back, or behind in one process; and what it showed when."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "clock"


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `real` on the clock shows `shown` and runs at `rate`."""

    real: float
    shown: float
    rate: float

    def at(self, real: float) -> float:
        return self.shown + (real - self.real) * self.rate


@dataclass
class Clock:
    """What the clock of the site showed, stretch after stretch."""

    stretches: list[Stretch] = field(default_factory=lambda: [Stretch(0.0, 0.0, 1.0)])

    def shows(self, real: float) -> float:
        """What the clock showed at a real time."""
        return next(each for each in reversed(self.stretches) if each.real <= real).at(real)

    def real(self, shown: float) -> float:
        """The last real time at which it showed this: a clock that was set back shows a time twice."""
        ends = [*(each.real for each in self.stretches[1:]), float("inf")]
        for each, end in zip(reversed(self.stretches), reversed(ends), strict=True):
            real = each.real + (shown - each.shown) / each.rate
            if each.real <= real:
                return min(real, end)
        return self.stretches[0].real

    @property
    def rate(self) -> float:
        return self.stretches[-1].rate


class MovedClock(Clock):
    """A clock that the processes of a site read from a file."""

    def __init__(self, path: Path, *, rate: float = 1.0) -> None:
        now = time.time()
        super().__init__([Stretch(now, now, rate)])
        self._path, self._behind = path, dict[str, float]()
        self._write()

    @property
    def variables(self) -> dict[str, str]:
        """What a process needs to see to read this clock."""
        return {"TEST_CLOCK": str(self._path), "PYTHONPATH": str(FOLDER)}

    def set_back(self, seconds: float) -> None:
        """Set the clock of every process back, for good."""
        now = time.time()
        self.stretches.append(Stretch(now, self.shows(now) - seconds, self.rate))
        self._write()

    def behind(self, words: str, seconds: float) -> None:
        """Let the clock of one process be so much behind; 0 sets it right again."""
        self._behind[words] = seconds
        self._write()

    def _write(self) -> None:
        last = self.stretches[-1]
        setting = {"real": last.real, "shown": last.shown, "rate": last.rate, "behind": self._behind}
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(setting))
        os.replace(fresh, self._path)
