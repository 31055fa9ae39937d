"""`python -m tests.faults.month --minutes 12`: a month of slow tables in minutes, workers killed at random.

The processes of the site read a clock that runs some thousand times faster (tests/faults/clock). It waits for
nobody: a worker that dies, or is late, is late by that much more.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.faults import rows
from tests.faults.acting import Actor, a_move, until_made
from tests.faults.checker import check
from tests.faults.deadlines import Outage, Patience
from tests.faults.driver import Run
from tests.faults.findings import Finding
from tests.faults.grounds import Grounds, grounds
from tests.faults.line import Line, Lost
from tests.faults.summary import summary
from tests.faults.told import Opening, Told

DAY = 86400
DAYS = 31
CLOCKS: tuple[dict[str, Any], ...] = (
    {"kind": "slow", "turn_seconds": DAY},
    {"kind": "slow", "turn_seconds": DAY, "bank_seconds": DAY // 2},
    {"kind": "slow", "turn_seconds": 2 * DAY},
    {"kind": "slow", "turn_seconds": 3 * DAY},
)
# What becomes of a turn: it is made in time, at the last moment, or never.
LAST_MOMENT, NEVER = 0.08, 0.15
HANDS = 6  # threads that do what people do
RECOVERY_SECONDS = 60.0


@dataclass(order=True)
class Entry:
    """What somebody is about to do at a table, and when in real time."""

    at: float
    table: str = field(compare=False)
    version: int = field(compare=False)
    act: bool = field(compare=False)  # or only look what has happened


class Month:
    """People who play at many slow tables, each move at its time."""

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


def run(
    grounds: Grounds,
    *,
    tables: int,
    days: float,
    seed: int,
    patience: float,
    kill_every: tuple[float, float] = (12.0, 40.0),
    others: bool = True,
    say: Callable[[str], None] = lambda words: None,
) -> Run:
    """Play so many days of the site's clock while a worker is killed now and then; then check."""
    done, began, rng = Run(seed), time.time(), random.Random(seed)
    month = Month(grounds, tables=tables, told=done.told, rng=random.Random(rng.random()))
    month.untouched(max(3, tables // 15))
    month.begins()
    until = time.time() + days * DAY / grounds.clock.rate
    kill_at = time.time() + rng.uniform(*kill_every)
    while time.time() < until:
        # Nobody waits an hour for it here; sent often, it must still close each table once.
        for _ in range(2):
            grounds.send("games.close_untouched", queue="default")
        time.sleep(min(1.0, max(0.0, until - time.time())))
        if time.time() >= kill_at and until - time.time() > 5:
            _kill(grounds, done, rng, others, say)
            kill_at = time.time() + rng.uniform(*kill_every)
    time.sleep(3.0)
    month.ends()
    if month.failure is not None:
        done.findings.append(Finding("answer", "", f"a player gave up: {month.failure!r}"))
    held = rows.read(grounds.home, at=time.time())
    allowed = Patience(seconds=patience, outages=done.outages)
    done.verdict = check(held, done.told, clock=grounds.clock, patience=allowed)
    done.findings += done.verdict.findings
    done.expired = len({notice.table for notice in held.notices})
    done.seconds = time.time() - began
    return done


def _kill(grounds: Grounds, done: Run, rng: random.Random, others: bool, say: Callable[[str], None]) -> None:
    rare = ["worker-computers", "worker-default", "beat", "web"] if others else ["worker-default"]
    name = "worker-time" if rng.random() < 0.7 else rng.choice(rare)
    began = time.time()
    grounds.kill(name)
    swept = grounds.swept_since(time.time(), within=RECOVERY_SECONDS)
    if swept is None:
        done.findings.append(Finding("never", "", f"after {name} was killed no deadline is looked at"))
        swept = time.time()
    done.faults[f"{name} killed"] += 1
    kept = max(done.recoveries.get(f"{name} killed", 0.0), swept - began)
    done.recoveries[f"{name} killed"] = kept
    done.outages.append(Outage(what=name, began=began, ended=swept + 1.5))
    say(f"{name} killed: deadlines are looked at again after {swept - began:.1f} s")


def main() -> int:
    """Read the command line, run, print the summary; 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.month", description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--days", type=float, default=DAYS)
    parser.add_argument("--minutes", type=float, default=12.0, help="real minutes that these days take")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument(
        "--patience", type=float, default=5.0, help="real seconds that a deadline may be late"
    )
    given = parser.parse_args()

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    say(f"seed {given.seed}")
    rate = given.days * DAY / (60 * given.minutes)
    with grounds(
        rate=rate, COMPUTER_THINK_SECONDS="0", THROTTLE_LOOPBACK="off", LOG_LEVEL="WARNING"
    ) as ground:
        done = run(
            ground, tables=given.tables, days=given.days, seed=given.seed, patience=given.patience, say=say
        )
    print(f"clock                {rate:.0f} times as fast as time\n{summary(done)}")
    return 1 if done.findings else 0


if __name__ == "__main__":
    sys.exit(main())
