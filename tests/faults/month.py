"""`python -m tests.faults.month --minutes 12`: a month of slow tables in minutes, workers killed at random.

The processes of the site read a clock that runs some thousand times faster (tests/faults/clock). It waits for
nobody: a worker that dies, or is late, is late by that much more.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.faults.correspondents import DAY, Correspondents
from tests.faults.deadlines import Outage
from tests.faults.driver import Run, judge
from tests.faults.findings import Finding
from tests.faults.grounds import Grounds, grounds
from tests.faults.summary import summary

DAYS = 31
RECOVERY_SECONDS = 60.0
RARE = ("worker-computers", "worker-default", "beat", "web")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many tables for how many days of the site's clock, and who is killed how often."""

    tables: int
    days: float
    seed: int
    patience: float
    kill_every: tuple[float, float] = (12.0, 40.0)
    rarely: tuple[str, ...] = RARE


def run(grounds: Grounds, plan: Plan, say: Callable[[str], None] = lambda words: None) -> Run:
    """Play while a worker is killed now and then; then check."""
    done, began, rng = Run(plan.seed), time.time(), random.Random(plan.seed)
    people = Correspondents(grounds, tables=plan.tables, told=done.told, rng=random.Random(rng.random()))
    people.untouched(max(3, plan.tables // 15))
    people.begins()
    until = time.time() + plan.days * DAY / grounds.clock.rate
    kill_at = time.time() + rng.uniform(*plan.kill_every)
    while time.time() < until:
        # Nobody waits an hour for it here; sent often, it must still close each table once.
        with grounds.sender() as sender:
            for _ in range(2):
                sender.send_task("games.close_untouched", queue="default", retry=False)
        time.sleep(min(1.0, max(0.0, until - time.time())))
        if time.time() >= kill_at and until - time.time() > 5:
            _kill(grounds, done, "worker-time" if rng.random() < 0.7 else rng.choice(plan.rarely), say)
            kill_at = time.time() + rng.uniform(*plan.kill_every)
    time.sleep(3.0)
    people.ends()
    if people.failure is not None:
        done.findings.append(Finding("answer", "", f"a player gave up: {people.failure!r}"))
    judge(grounds, done, plan.patience)
    done.seconds = time.time() - began
    return done


def _kill(grounds: Grounds, done: Run, name: str, say: Callable[[str], None]) -> None:
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
        plan = Plan(tables=given.tables, days=given.days, seed=given.seed, patience=given.patience)
        done = run(ground, plan, say)
        print(f"clock                {rate:.0f} times as fast as time\n{summary(done)}", flush=True)
    return 1 if done.findings else 0


if __name__ == "__main__":
    sys.exit(main())
