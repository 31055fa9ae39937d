"""What a check of an archive finds: for each thing that was checked, whether it holds and where not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from games.engine.archive import shown

Outcome: TypeAlias = Literal["good", "differs", "not checked"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and how it came out; `detail` is the first difference, or why not."""

    name: str
    claim: str
    outcome: Outcome
    detail: str = ""

    def line(self) -> str:
        return f"{self.outcome:<11}  {self.name:<9}  {self.claim}" + (
            f"\n{'':<24}{self.detail}" if self.detail else ""
        )


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked of one document, in order."""

    subject: str
    checks: tuple[Check, ...]

    @property
    def good(self) -> bool:
        """Did nothing differ?"""
        return not any(check.outcome == "differs" for check in self.checks)

    def __str__(self) -> str:
        verdict = "All is well." if self.good else "Something differs."
        return "\n".join([self.subject, *(check.line() for check in self.checks), verdict])


class Differs(Exception):
    """The document says something else than what follows from it."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")


class NotChecked(Exception):
    """There is nothing to check this against; the message says why."""


CLAIMS: Mapping[str, str] = {
    "structure": "The document has every part that the format names, each of the right kind.",
    "order": "Rounds and versions are numbered one by one, and every version is accounted for.",
    "chain": "The secret of every round hashes to the one before it, down to the commitment.",
    "hands": "Every hand is what the secret of its round and everybody's seeds roll.",
    "opener": "The first opener is the one that was drawn, or the host's lowest seat.",
    "people": "Those who sat when the match started are those whom the table shows.",
    "replay": "Every bid and call was legal and in turn, and every count, loss and next opener follows.",
    "ending": "The result, the places and the dice at the end are those of the replay.",
}


def check(name: str, look: Callable[[], None]) -> Check:
    """Look at one thing and keep what came of it."""
    try:
        look()
    except Differs as difference:
        return Check(name, CLAIMS[name], "differs", str(difference))
    except NotChecked as reason:
        return Check(name, CLAIMS[name], "not checked", str(reason))
    return Check(name, CLAIMS[name], "good")


def unchecked(names: Sequence[str], reason: str) -> list[Check]:
    """Keep that these things could not be checked."""
    return [Check(name, CLAIMS[name], "not checked", reason) for name in names]


def expect(where: str, written: object, expected: object) -> None:
    """Raise `Differs` where something else is written than what follows."""
    if written != expected:
        raise Differs(where, f"{shown(written)} is written, and {shown(expected)} follows")


def expect_same(where: str, written: Mapping[str, Any] | None, expected: Mapping[str, Any] | None) -> None:
    """Compare two documents of the same shape and name the first part that differs."""
    if written is None or expected is None:
        expect(where, written, expected)
        return
    for name, value in expected.items():
        if isinstance(value, Mapping) and isinstance(written[name], Mapping):
            expect_same(f"{where}.{name}", written[name], value)
        else:
            expect(f"{where}.{name}", written.get(name), value)
    for name in written.keys() - expected.keys():
        raise Differs(f"{where}.{name}", f"{shown(written[name])} is written, and nothing follows")
