"""Acting at a table: with a key or without, sent again until answered, and every answer written down."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass
from typing import Any

from tests.faults.line import Answer, Line, Lost
from tests.faults.told import Attempt, Told, a_sight

# Of a hundred moves.
WITHOUT_KEY, CLICKED_TWICE = 0.15, 0.1
MOST_SENDINGS = 60


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody with a token at one connection; what they are told is written down."""

    id: str
    line: Line
    told: Told
    rng: random.Random

    def looks(self, table: str) -> tuple[dict[str, Any] | None, float]:
        """The view of a table, or None and how long the service asks to wait."""
        answer = self.line.ask("GET", f"tables/{table}")
        return self._seen(answer, "view"), answer.pause

    def acts(self, view: dict[str, Any], action: dict[str, Any]) -> None:
        """Act on what the view showed: with a key until there is an answer, without one once."""
        key = None if self.rng.random() < WITHOUT_KEY else uuid.uuid4().hex
        minimal = {"Prefer": "return=minimal"} if self.rng.random() < 0.5 else {}
        for _ in range(MOST_SENDINGS if key else 1):
            answer = self._sends(view, action, key, minimal)
            if answer is not None and answer.status != 503 and answer.document.get("code") != "in_progress":
                break
            # Even when the run ends: else nobody knew what came of it.
            time.sleep(max(0.1, answer.pause if answer else 0.2))
        if key and self.rng.random() < CLICKED_TWICE:
            self._sends(view, action, key, minimal)

    def leaves(self, view: dict[str, Any]) -> None:
        """Leave for good."""
        attempt = self._attempt(view, {"type": "leave"}, None)
        try:
            self._note(attempt, self.line.ask("DELETE", f"tables/{view['id']}/seats/me"))
        except Lost:
            self.told.tried(attempt)

    def _sends(
        self, view: dict[str, Any], action: dict[str, Any], key: str | None, minimal: dict[str, str]
    ) -> Answer | None:
        attempt = self._attempt(view, action, key)
        headers = {**({"Idempotency-Key": key} if key else {}), **minimal}
        body = {**action, "version": view["version"]}
        # A press that comes when the match has ended is refused by the rules; and who was struck out a moment
        # ago holds no seat, which the checker looks at.
        expected = frozenset({403, 422} if action["type"] == "next_round" else {403})
        try:
            answer = self.line.ask("POST", f"tables/{view['id']}/actions", body, expected=expected, **headers)
        except Lost:
            self.told.tried(attempt)
            return None
        self._note(attempt, answer)
        return answer

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


def until_made(line: Line, path: str, body: Any, key: str) -> str | None:
    """Ask for something new with a key until it is there; return its id, or None after very many tries."""
    for _ in range(MOST_SENDINGS):
        try:
            answer = line.ask("POST", path, body, idempotency_key=key)
        except Lost:
            time.sleep(0.2)
            continue
        if answer.status == 201:
            return str(answer.document["id"])
        time.sleep(max(0.1, answer.pause))
    return None
