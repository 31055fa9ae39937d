"""What a run has done so far, and what it found wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


class Difference(Exception):
    """An answer that is not as the rules or the contract have it."""

    def __init__(self, what: str, *, expected: Any = None, got: Any = None, viewer: str = "") -> None:
        super().__init__(what)
        self.what, self.expected, self.got, self.viewer = what, expected, got, viewer


@dataclass
class Summary:
    """Counts of one run."""

    matches: int = 0
    actions: int = 0
    comparisons: int = 0
    requests: int = 0
    races: int = 0
    reveals: int = 0
    seconds: float = 0.0
    refusals: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)  # what kinds of tables and events came up
    reports: list[str] = field(default_factory=list)  # one text for each difference

    @property
    def differences(self) -> int:
        """How many matches were broken off at a difference."""
        return len(self.reports)

    def add(self, other: Summary) -> None:
        """Take in the counts of another worker."""
        for name in ("matches", "actions", "comparisons", "requests", "races", "reveals"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refusals.update(other.refusals)
        self.met.update(other.met)
        self.reports.extend(other.reports)

    def __str__(self) -> str:
        refusals = ", ".join(f"{code}: {count}" for code, count in sorted(self.refusals.items()))
        met = ", ".join(f"{kind}: {count}" for kind, count in sorted(self.met.items()))
        return "\n".join(
            [
                f"matches      {self.matches}",
                f"actions      {self.actions}",
                f"reveals      {self.reveals}",
                f"comparisons  {self.comparisons}",
                f"requests     {self.requests}",
                f"races        {self.races}",
                f"refusals     {refusals or 'none'}",
                f"met          {met or 'nothing'}",
                f"differences  {self.differences}",
                f"seconds      {self.seconds:.1f}",
            ]
        )
