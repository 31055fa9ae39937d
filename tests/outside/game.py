"""What the program knows of one started table: the model, who sits where, and what it was shown."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.model.match import Match
from tests.model.views import OWNER, SPECTATOR, Viewer, expected_view
from tests.outside.client import Person
from tests.outside.door import Door
from tests.outside.plan import Plan
from tests.outside.summary import Difference

HURRY = 2.0  # seconds; the shortest live clock gives 4.5 for a reveal


@dataclass(frozen=True)
class Eyes:
    """One way of looking at the table."""

    name: str
    who: Person | None
    looks: Viewer  # as the model has it
    query: str = ""
    sees: bool = True


@dataclass
class Sighting:
    """A version that was seen, and what the table was doing then."""

    version: int
    status: str
    round: int


@dataclass
class Game:
    """A table whose match has started."""

    door: Door
    rng: Random
    plan: Plan
    id: str
    host: Person
    watcher: Person
    people: dict[int, Person]
    levels: dict[int, str]
    seeds: dict[int, str]
    first_view: dict[str, Any]
    match: Match
    version: int
    pending: int = 0  # changes made since that version
    step: int = 0
    seen: list[Sighting] = field(default_factory=list)
    timed_bids: dict[int, list[dict[str, Any]]] = field(default_factory=dict)  # of each round, as first shown
    reveals: dict[int, dict[str, Any]] = field(default_factory=dict)
    etags: dict[str, tuple[int, str]] = field(default_factory=dict)
    since: float = field(default_factory=time.monotonic)  # when something last happened

    @property
    def path(self) -> str:
        """The table's address."""
        return f"tables/{self.id}"

    def changed(self) -> None:
        """Note that something happened that must have raised the version."""
        self.pending += 1
        self.since = time.monotonic()

    def is_in_a_hurry(self) -> bool:
        """Would dallying let a live clock run out?"""
        return self.plan.clock["kind"] == "live" and time.monotonic() - self.since > HURRY

    def is_at(self, version: Any, where: str) -> None:
        """Check that the version rose by as much as happened, at least, and not for nothing."""
        if type(version) is not int:
            raise Difference(f"the version in {where} is no whole number", got=version)
        if self.pending == 0 and version != self.version:
            raise Difference(
                f"nothing happened, but the version in {where}", expected=self.version, got=version
            )
        if version < self.version + self.pending:
            least = self.version + self.pending
            raise Difference(f"the version in {where} rose too little", expected=f">= {least}", got=version)
        self.version, self.pending = version, 0
        now = Sighting(version, self.match.status, len(self.match.reveals))
        if not self.seen or self.seen[-1] != now:
            self.seen.append(now)

    def waits_for_person(self) -> bool:
        """Is a person's move or press due (or nothing any more)?"""
        if self.match.status == "bidding":
            return not self.match.by_computer(self.match.turn)
        return True

    def persons_seats(self) -> list[int]:
        """The seats of people who have not left, in the match or out of it."""
        return [seat for seat in self.people if seat not in self.match.left]

    def owners_seats(self) -> list[int]:
        """On a practice table: the seats the owner moves for."""
        return [seat for seat in self.match.seats if seat not in self.levels]

    def eyes(self) -> list[Eyes]:
        """Everybody who may look, and some who may not."""
        hidden = self.plan.visibility == "private"
        found = []
        if self.plan.practice:
            # Seats first: what the owner is offered without a seat depends on a hand.
            found = [Eyes(f"owner as {s}", self.host, s, f"?as={s}") for s in self.match.seats]
            found.append(Eyes("owner", self.host, OWNER))
        else:
            found = [Eyes(f"seat {seat}", who, seat) for seat, who in self.people.items()]
            if self.host not in self.people.values():
                found.append(Eyes("host", self.host, SPECTATOR))
        found.append(Eyes("watcher", self.watcher, SPECTATOR, sees=not hidden))
        found.append(Eyes("nobody", None, SPECTATOR, sees=not hidden))
        return found

    def some_eyes(self) -> Eyes:
        """Anyone who sees the table."""
        return self.rng.choice([eyes for eyes in self.eyes() if eyes.sees])

    def expected(self, looks: Viewer) -> dict[str, Any]:
        """The model's part of the view."""
        return expected_view(self.match, looks)
