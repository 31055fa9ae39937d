"""People who play: each looks, thinks, acts with a key, and sends again what was not answered."""

from __future__ import annotations

import random
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.faults.acting import Actor, a_move, until_made
from tests.faults.line import Line, Lost
from tests.faults.told import Opening, Told

# How often a turn is forgotten, and a table left in the middle of a match.
FORGOTTEN, LEFT_FOR_GOOD = 0.05, 0.004


@dataclass
class Party:
    """A few people who play one match after another; the first of them makes the tables."""

    wanted: dict[str, Any]
    people: list[Player] = field(default_factory=list)
    table: str | None = None

    @property
    def is_live(self) -> bool:
        return bool(self.wanted["clock"]["kind"] == "live")


class Player(threading.Thread):
    """Somebody with a token, who plays until `stop` is set."""

    def __init__(self, party: Party, *, address: str, told: Told, rng: random.Random, stop: threading.Event):
        super().__init__(daemon=True)
        self.party, self.told, self.rng, self.stop = party, told, rng, stop
        self.line = Line(address, told)
        self.failure: BaseException | None = None
        self._forgets: int | None = None  # the version of the turn that is forgotten
        self._table: str | None = None
        self._sits = False
        party.people.append(self)

    def arrive(self) -> None:
        """Become a guest."""
        guest = self.line.ask("POST", "guests", {}).document
        self.line.token = guest["token"]
        self.actor = Actor(guest["player"]["id"], self.line, self.told, self.rng)

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                try:
                    self.stop.wait(self._one_look())
                except Lost:
                    self.stop.wait(0.2)
        except BaseException as failure:  # for whoever waits for this thread
            self.failure = failure
            raise

    # one thing after another; each returns how long to wait

    def _one_look(self) -> float:
        if self._table != self.party.table:
            self._table, self._sits, self._forgets = self.party.table, False, None
        if self._table is None:
            return self._open() if self.party.people[0] is self else 0.3
        if not self._sits:
            return self._sit(self._table)
        view, pause = self.actor.looks(self._table)
        if view is None:
            return max(0.3, pause)
        if view["status"] == "finished":
            return self._over()
        return self._play(view) if view["legal"] else self.rng.uniform(0.2, 0.6)

    def _over(self) -> float:
        if self.party.people[0] is self:
            self.party.table = None
        return 0.3

    def _open(self) -> float:
        opening = Opening(player=self.actor.id, key=uuid.uuid4().hex)
        self.told.opened(opening)
        opening.table = until_made(self.line, "tables", self.party.wanted, opening.key)
        self._sits, self._table, self.party.table = True, opening.table, opening.table
        return 0.0

    def _sit(self, table: str) -> float:
        if self.party.people[0] is self:
            self._sits = True
            return 0.0
        answer = self.line.ask("POST", f"tables/{table}/seats", {})
        # "Taken" comes too after an answer that was lost; where it means the seat, the others play on.
        self._sits = answer.status in (200, 409)
        return answer.pause

    def _play(self, view: dict[str, Any]) -> float:
        if self._forgets == view["version"]:
            return 0.5
        if self.party.is_live and self.rng.random() < FORGOTTEN:
            self._forgets = view["version"]
            return 0.5
        if self.rng.random() < LEFT_FOR_GOOD:
            self.actor.leaves(view)
            return 0.1
        self.stop.wait(self.rng.uniform(0.0, 0.25))
        self.actor.acts(view, a_move(view, self.rng))
        return 0.0
