"""A fault run: people play, faults come at random, and in the end everything is held against the rows."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.faults import rows
from tests.faults.checker import Verdict, check
from tests.faults.deadlines import Outage, Patience
from tests.faults.findings import Finding
from tests.faults.following import Follower, Watcher
from tests.faults.grounds import Grounds
from tests.faults.kinds import FAULTS, Fault, inflict
from tests.faults.players import Party, Player
from tests.faults.told import Told

QUICK = {"kind": "live", "pace": "quick"}
# People, computers, clock and options of the parties.
PARTIES: tuple[tuple[int, int, dict[str, Any], dict[str, Any]], ...] = (
    (2, 0, QUICK, {"exact": "regain"}),
    (2, 2, QUICK, {"palifico": True}),
    (3, 0, QUICK, {"exact": "off", "starting_dice": 3}),
    (2, 0, {"kind": "slow", "turn_seconds": 3600}, {"exact": "regain"}),
    (2, 1, {"kind": "slow", "turn_seconds": 86400, "bank_seconds": 86400}, {"ones": "low"}),
    (1, 3, QUICK, {}),
    (3, 1, {"kind": "none"}, {"ones": "wild"}),
    (2, 0, {"kind": "none"}, {"bidding": "sum", "exact": "regain"}),
)
TWO_AT_ONCE = 0.2
RECOVERY_SECONDS = 45.0
MARGIN_SECONDS = 1.5  # after the first sweep, until a second one has surely found everything
TABLES_TO_MOVE = 3


@dataclass
class Run:
    """What a run did and found."""

    seed: int
    told: Told = field(default_factory=Told)
    faults: Counter[str] = field(default_factory=Counter)
    recoveries: dict[str, float] = field(default_factory=dict)  # the longest of each kind
    outages: list[Outage] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    verdict: Verdict = field(default_factory=Verdict)
    expired: int = 0  # tables that were closed untouched
    seconds: float = 0.0


def run(grounds: Grounds, *, seconds: float, seed: int, say: Callable[[str], None] = lambda words: None,
        patience: float = 5.0, quiet: float = 6.0) -> Run:  # fmt: skip
    """Play for so long under faults, and check; all kinds come before any comes again."""
    done, began = Run(seed), time.monotonic()
    rng = random.Random(seed)
    stop = threading.Event()
    crowd = _crowd(grounds, done.told, rng, stop)
    time.sleep(1.0)
    until = began + seconds
    while time.monotonic() < until:
        for fault in rng.sample(FAULTS, len(FAULTS)):
            if time.monotonic() >= until:
                break
            others = [other for other in FAULTS if other.where != fault.where]
            both = [fault, rng.choice(others)] if rng.random() < TWO_AT_ONCE else [fault]
            _suffer(grounds, both, done, rng, say)
            time.sleep(rng.uniform(0.2, 1.5) if seconds < 120 else rng.uniform(1.0, 6.0))
    # Whatever is due by now gets its time to fire, with people still looking.
    time.sleep(quiet)
    stop.set()
    for thread in crowd:
        thread.join(90)
    _look_after(crowd, done)
    judge(grounds, done, patience)
    done.seconds = time.monotonic() - began
    return done


def _crowd(grounds: Grounds, told: Told, rng: random.Random, stop: threading.Event) -> list[threading.Thread]:
    parties, threads = [], list[threading.Thread]()
    for people, computers, clock, options in PARTIES:
        wanted = {"clock": clock, "rules": {"seats": people + computers, **options},
                  "computers": [{"level": "easy"}] * computers}  # fmt: skip
        party = Party(wanted)
        parties.append(party)
        for _ in range(people):
            dice = random.Random(rng.random())
            threads.append(Player(party, address=grounds.address, told=told, rng=dice, stop=stop))
            threads[-1].arrive()  # type: ignore[attr-defined]
        follower = Follower(party.people[-1], address=grounds.address, told=told, stop=stop)
        threads.append(follower)
    threads.append(
        Watcher(parties, address=grounds.address, told=told, rng=random.Random(rng.random()), stop=stop)
    )
    for thread in threads:
        thread.start()
    return threads


def _suffer(
    grounds: Grounds, faults: list[Fault], done: Run, rng: random.Random, say: Callable[[str], None]
) -> None:
    name = " and ".join(fault.name for fault in faults)
    began = time.time()
    inflict(faults, grounds, rng)
    ended = time.time()
    done.faults.update(fault.name for fault in faults)
    recovered = _recovered(done.told, ended)
    if recovered is None:
        words = f"{RECOVERY_SECONDS} s after “{name}” moves and news do not go on"
        done.findings.append(Finding("never", "", words))
        recovered = RECOVERY_SECONDS
    if any(fault.stops_time for fault in faults):
        done.outages.append(_outage(grounds, name, began, ended, done))
    for fault in faults:
        done.recoveries[fault.name] = max(recovered, done.recoveries.get(fault.name, 0.0))
    say(f"{name}: {ended - began:.1f} s, moves go on after {recovered:.1f} s")


def _outage(grounds: Grounds, what: str, began: float, ended: float, done: Run) -> Outage:
    """How long deadlines had to wait: until the first sweep after the fault."""
    swept = grounds.swept_since(ended, within=RECOVERY_SECONDS)
    if swept is None:
        done.findings.append(
            Finding("never", "", f"{RECOVERY_SECONDS} s after “{what}” no deadline is looked at")
        )
        swept = time.time()
    return Outage(what=what, began=began, ended=swept + MARGIN_SECONDS)


def _recovered(told: Told, since: float) -> float | None:
    """After how many seconds moves were acknowledged again at several tables."""
    while (waited := time.time() - since) < RECOVERY_SECONDS:
        moving = len(told.tables_moved_since(since)) >= TABLES_TO_MOVE
        if moving and len(told.streams_heard_since(since)) >= TABLES_TO_MOVE:
            return waited
        time.sleep(0.1)
    return None


def _look_after(crowd: list[threading.Thread], done: Run) -> None:
    for thread in crowd:
        failure = getattr(thread, "failure", None)
        if failure is not None or (isinstance(thread, Player) and thread.is_alive()):
            done.findings.append(Finding("answer", "", f"a player gave up: {failure!r}"))


def judge(grounds: Grounds, done: Run, patience: float) -> None:
    """Hold everything that was told in a run against the rows."""
    held = rows.read(grounds.home, at=time.time())
    allowed = Patience(seconds=patience, outages=done.outages)
    done.verdict = check(held, done.told, clock=grounds.clock, patience=allowed)
    done.findings += done.verdict.findings
    done.expired = len({notice.table for notice in held.notices})
