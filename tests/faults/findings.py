"""What a checker found: its kind, where, and in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be."""

    kind: str  # lost, doubled, order, illegal, back, leaked, early, late, never, answer
    table: str
    words: str

    def __str__(self) -> str:
        return f"{self.kind}: table {self.table or '-'}: {self.words}"
