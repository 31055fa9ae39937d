"""People who play: each looks, thinks, acts with a key, and sends again what was not answered."""

from __future__ import annotations

import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.faults.line import Answer, Line, Lost
from tests.faults.told import Attempt, Opening, Told, a_sight

# Of a hundred turns, presses or moves of somebody at a table.
FORGOTTEN, LEFT_FOR_GOOD, WITHOUT_KEY, CLICKED_TWICE = 0.05, 0.004, 0.15, 0.1
MOST_SENDINGS = 60


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
        self.id = ""
        self.failure: BaseException | None = None
        self._forgets: int | None = None  # the version of the turn that is forgotten
        self._table: str | None = None
        self._sits = False
        party.people.append(self)

    def arrive(self) -> None:
        """Become a guest."""
        guest = self.line.ask("POST", "guests", {}).document
        self.line.token, self.id = guest["token"], guest["player"]["id"]

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
        answer = self.line.ask("GET", f"tables/{self._table}")
        view = self._seen(answer, "view")
        if view is None:
            return max(0.3, answer.pause)
        if view["status"] == "finished":
            return self._over()
        return self._play(view) if view["legal"] else self.rng.uniform(0.2, 0.6)

    def _over(self) -> float:
        if self.party.people[0] is self:
            self.party.table = None
        return 0.3

    def _open(self) -> float:
        opening = Opening(player=self.id, key=uuid.uuid4().hex)
        self.told.opened(opening)
        answer = self._until_answered("POST", "tables", self.party.wanted, opening.key)
        if answer is not None:
            opening.table = answer.document["id"]
            self._sits, self._table = True, opening.table
            self.party.table = opening.table
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
            return self._leave(view)
        self.stop.wait(self.rng.uniform(0.0, 0.25))
        return self._act(view, a_move(view, self.rng))

    def _leave(self, view: dict[str, Any]) -> float:
        attempt = self._attempt(view, {"type": "leave"}, None)
        try:
            self._note(attempt, self.line.ask("DELETE", f"tables/{view['id']}/seats/me"))
        except Lost:
            self.told.tried(attempt)
        return 0.1

    def _act(self, view: dict[str, Any], action: dict[str, Any]) -> float:
        key = None if self.rng.random() < WITHOUT_KEY else uuid.uuid4().hex
        minimal = {"Prefer": "return=minimal"} if self.rng.random() < 0.5 else {}
        for _ in range(MOST_SENDINGS):
            attempt = self._attempt(view, action, key)
            try:
                answer = self._send(view, action, key, minimal)
            except Lost:
                self.told.tried(attempt)
                if key is None:
                    return 0.1  # it may have happened or not: the next look tells
                self.stop.wait(0.2)
                continue
            self._note(attempt, answer)
            in_work = answer.document.get("code") == "in_progress"
            if answer.status != 503 and not in_work:
                break
            if key is None:
                return answer.pause
            # Until it is answered, even when the run ends: else nobody knew what came of it.
            time.sleep(max(0.1, answer.pause))
        if key and self.rng.random() < CLICKED_TWICE:
            self._click_again(view, action, key, minimal)
        return 0.0

    def _click_again(self, view: dict[str, Any], action: dict[str, Any], key: str, minimal: Any) -> None:
        attempt = self._attempt(view, action, key)
        try:
            self._note(attempt, self._send(view, action, key, minimal))
        except Lost:
            self.told.tried(attempt)

    def _send(self, view: dict[str, Any], action: dict[str, Any], key: str | None, minimal: Any) -> Answer:
        headers = {**({"Idempotency-Key": key} if key else {}), **minimal}
        body = {**action, "version": view["version"]}
        return self.line.ask("POST", f"tables/{view['id']}/actions", body, expected=PRESSES[action["type"]],
                             **headers)  # fmt: skip

    def _attempt(self, view: dict[str, Any], action: dict[str, Any], key: str | None) -> Attempt:
        return Attempt(
            table=view["id"],
            player=self.id,
            seat=view["viewer"]["seat"],
            action=action,
            answers=view["version"],
            sent=time.time(),
            key=key,
        )

    def _note(self, attempt: Attempt, answer: Answer) -> None:
        document = answer.document
        attempt.answered, attempt.status = answer.came, answer.status
        attempt.code = document.get("code", "")
        attempt.told = document.get("version")
        attempt.replayed = answer.headers.get("idempotency-replayed") == "true"
        self.told.tried(attempt)
        # What is replayed was true when it was first answered.
        if not attempt.replayed and "viewer" in document:
            self._seen(answer, "answer")

    def _seen(self, answer: Answer, by: str) -> dict[str, Any] | None:
        if answer.status != 200:
            return None
        view: dict[str, Any] = answer.document
        self.told.saw(a_sight(view, viewer=self.id, by=by, asked=answer.sent, seen=answer.came))
        return view

    def _until_answered(self, method: str, path: str, body: Any, key: str) -> Answer | None:
        for _ in range(MOST_SENDINGS):
            try:
                answer = self.line.ask(method, path, body, **{"Idempotency-Key": key})
            except Lost:
                time.sleep(0.2)
                continue
            if answer.status == 201:
                return answer
            time.sleep(max(0.1, answer.pause))
        return None


# A press that comes when the match has ended is refused by the rules; a bid or call is stale before that.
PRESSES = {"next_round": frozenset({422}), "bid": frozenset[int](), "liar": frozenset[int](),
           "exact": frozenset[int]()}  # fmt: skip


def a_move(view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal action in this view, with calls often enough that matches end."""
    legal = view["legal"]
    if legal["next_round"]:
        return {"type": "next_round"}
    calls = [name for name in ("liar", "exact") if legal[name]]
    if calls and (not legal["bids"] or rng.random() < 0.25):
        return {"type": rng.choice(calls)}
    face = rng.choice(sorted(legal["bids"]))
    lowest, highest = legal["bids"][face]
    amount = min(highest, lowest + rng.choice([0, 0, 0, 1]))
    return {"type": "bid", "total": amount} if face == "total" else _bid(amount, int(face))


def _bid(quantity: int, face: int) -> dict[str, Any]:
    return {"type": "bid", "quantity": quantity, "face": face}
