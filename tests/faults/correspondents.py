"""People who play at many slow tables, each move at its time: in time, at the last moment, or never."""

from __future__ import annotations

import heapq
import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.faults.acting import Actor, a_move, until_made
from tests.faults.grounds import Grounds
from tests.faults.line import Line, Lost
from tests.faults.told import Opening, Told

DAY = 86400
CLOCKS: tuple[dict[str, Any], ...] = (
    {"kind": "slow", "turn_seconds": DAY},
    {"kind": "slow", "turn_seconds": DAY, "bank_seconds": DAY // 2},
    {"kind": "slow", "turn_seconds": 2 * DAY},
    {"kind": "slow", "turn_seconds": 3 * DAY},
)
# What becomes of a turn.
LAST_MOMENT, NEVER = 0.08, 0.15
HANDS = 6  # threads that do what people do


@dataclass(order=True)
class Entry:
    """What somebody is about to do at a table, and when in real time."""

    at: float
    table: str = field(compare=False)
    version: int = field(compare=False)
    act: bool = field(compare=False)  # or only look what has happened


class Correspondents:
    """So many tables with people and computers, for as long as they are let play."""

    def __init__(self, grounds: Grounds, *, tables: int, told: Told, rng: random.Random) -> None:
        self.grounds, self.told, self.rng = grounds, told, rng
        self.stop = threading.Event()
        self.failure: BaseException | None = None
        self._diary: list[Entry] = []
        self._due = threading.Condition()
        self._seated: dict[str, list[str]] = {}  # the players of a table, by the seats they took
        self._to_move: dict[str, str | None] = {}
        line = Line(grounds.address, told)
        guests = [line.ask("POST", "guests", {}).document for _ in range(max(12, tables // 3))]
        self._tokens = {guest["player"]["id"]: guest["token"] for guest in guests}
        self._first = [time.time() + rng.uniform(0, DAY / grounds.clock.rate) for _ in range(tables)]
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(HANDS)]

    def untouched(self, count: int) -> None:
        """Open tables at which somebody sits and nothing ever happens."""
        line = Line(self.grounds.address, self.told)
        for _ in range(count):
            host, other = self.rng.sample(sorted(self._tokens), 2)
            line.token = self._tokens[host]
            table = self._opened(line, host, {"rules": {"seats": 3}})
            line.token = self._tokens[other]
            line.ask("POST", f"tables/{table}/seats", {})
            opening = next(each for each in self.told.openings.values() if each.table == table)
            opening.touched, opening.sitting = time.time(), (host, other)

    def begins(self) -> None:
        for at in self._first:
            heapq.heappush(self._diary, Entry(at, "", 0, True))
        for thread in self.threads:
            thread.start()

    def ends(self) -> None:
        self.stop.set()
        with self._due:
            self._due.notify_all()
        for thread in self.threads:
            thread.join(90)

    # one thing after another

    def _work(self) -> None:
        line, rng = Line(self.grounds.address, self.told), random.Random(self.rng.random())
        try:
            while (entry := self._next()) is not None:
                try:
                    self._do(entry, line, rng)
                except Lost:
                    self._plan(Entry(time.time() + 0.3, entry.table, entry.version, entry.act))
        except BaseException as failure:
            self.failure = failure
            raise

    def _next(self) -> Entry | None:
        with self._due:
            while not self.stop.is_set():
                wait = self._diary[0].at - time.time() if self._diary else 1.0
                if wait <= 0:
                    return heapq.heappop(self._diary)
                self._due.wait(min(wait, 1.0))
        return None

    def _plan(self, entry: Entry) -> None:
        with self._due:
            heapq.heappush(self._diary, entry)
            self._due.notify()

    def _do(self, entry: Entry, line: Line, rng: random.Random) -> None:
        table = entry.table or self._open(line, rng)
        player = self._to_move.get(table) or self._seated[table][0]
        actor = self._actor(player, line, rng)
        view, pause = actor.looks(table)
        if view is None:
            return self._plan(Entry(time.time() + max(0.3, pause), table, entry.version, entry.act))
        if view["status"] == "finished":
            return self._plan(Entry(time.time(), "", 0, True))
        if entry.act and view["version"] == entry.version and view["legal"]:
            actor.acts(view, a_move(view, rng))
            return self._plan(Entry(time.time() + 0.01, table, 0, False))
        return self._plan_turn(view, rng)

    def _plan_turn(self, view: dict[str, Any], rng: random.Random) -> None:
        """Decide what becomes of the turn that is on, or when to look again."""
        table, now = view["id"], time.time()
        seat = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
        holder = view["seats"][seat]
        by_person = holder["player"]["kind"] != "computer" and not holder["substitute"]
        if not by_person and view["round"]:
            return self._plan(Entry(now + 0.5, table, 0, False))
        mover = holder["player"]["id"] if by_person else self._anybody(view, rng)
        self._to_move[table] = mover
        due = self._real(view["deadline"])
        roll = rng.random()
        if roll < NEVER or mover is None:
            return self._plan(Entry(due + rng.uniform(0.5, 3.0), table, 0, False))
        at = (
            now + (due - now) * rng.random() ** 2 if roll > NEVER + LAST_MOMENT else due - rng.uniform(0, 0.3)
        )
        return self._plan(Entry(max(now, at), table, view["version"], True))

    def _anybody(self, view: dict[str, Any], rng: random.Random) -> str | None:
        """Somebody still in whose press is awaited where a computer opens the next round."""
        awaited = [
            seat["player"]["id"]
            for seat in view["seats"]
            if seat["player"] and seat["player"]["kind"] == "guest" and seat["dice"]
            and not seat["substitute"] and not seat["ready"]
        ]  # fmt: skip
        return rng.choice(awaited) if awaited else None

    def _real(self, deadline: str) -> float:
        return self.grounds.clock.real(datetime.fromisoformat(deadline).timestamp())

    def _actor(self, player: str, line: Line, rng: random.Random) -> Actor:
        line.token = self._tokens[player]
        return Actor(player, line, self.told, rng)

    def _open(self, line: Line, rng: random.Random) -> str:
        people, computers = rng.choice([(2, 0), (3, 0), (4, 0), (2, 1), (3, 1)])
        sitting = rng.sample(sorted(self._tokens), people)
        line.token = self._tokens[sitting[0]]
        wanted = {
            "rules": {"seats": people + computers, "exact": rng.choice(["off", "regain", "others_lose"])},
            "clock": rng.choice(CLOCKS),
            "computers": [{"level": "easy"}] * computers,
        }
        table = self._opened(line, sitting[0], wanted)
        self._seated[table], self._to_move[table] = sitting, sitting[0]
        for player in sitting[1:]:
            line.token = self._tokens[player]
            self._sits(line, table)
        return table

    def _sits(self, line: Line, table: str) -> None:
        while True:
            try:
                answer = line.ask("POST", f"tables/{table}/seats", {})
            except Lost:
                continue
            if answer.status in (200, 409):
                return
            time.sleep(max(0.1, answer.pause))

    def _opened(self, line: Line, host: str, wanted: dict[str, Any]) -> str:
        opening = Opening(player=host, key=uuid.uuid4().hex)
        self.told.opened(opening)
        opening.table = until_made(line, "tables", wanted, opening.key)
        assert opening.table is not None
        return opening.table
