"""The faults, each with a name: what is done to the site, and what that explains."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import httpx
import redis

from tests.faults.grounds import DATABASE, Grounds


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault and what it befalls; `stops_time`: deadlines may wait for its end."""

    name: str
    where: str
    inflict: Callable[[Grounds, random.Random], None]
    stops_time: bool = False


def _kill(name: str) -> Callable[[Grounds, random.Random], None]:
    return lambda grounds, rng: grounds.kill(name)


def _kill_a_web_worker(grounds: Grounds, rng: random.Random) -> None:
    grounds.kill_a_child("web")


def _redis_away(grounds: Grounds, rng: random.Random) -> None:
    grounds.redis.kill()
    time.sleep(rng.uniform(1.0, 4.0))
    grounds.redis.start()


def _redis_silent(grounds: Grounds, rng: random.Random) -> None:
    grounds.redis.pause(True)
    try:
        time.sleep(rng.uniform(1.0, 4.0))
    finally:
        grounds.redis.pause(False)


def _redis_emptied(grounds: Grounds, rng: random.Random) -> None:
    with redis.from_url(grounds.redis.url) as client:
        client.flushall()


def _postgresql_restarted(how: str) -> Callable[[Grounds, random.Random], None]:
    def inflict(grounds: Grounds, rng: random.Random) -> None:
        grounds.postgresql.stop(how)
        time.sleep(rng.uniform(0.0, 2.0))
        grounds.postgresql.start()

    return inflict


def _no_connection_left(grounds: Grounds, rng: random.Random) -> None:
    with grounds.postgresql.crowded(DATABASE):
        time.sleep(rng.uniform(2.0, 4.0))


def _paused_past_a_deadline(grounds: Grounds, rng: random.Random) -> None:
    # A reveal on the quick clock is over after 4.5 s, and with live tables enough one always is.
    with grounds.paused("worker-time"):
        time.sleep(rng.uniform(5.0, 8.0))


def _tasks_twice_and_out_of_order(grounds: Grounds, rng: random.Random) -> None:
    tables: list[dict[str, str]] = []
    with suppress(httpx.HTTPError):
        tables = httpx.get(f"{grounds.address}/api/v1/tables", timeout=10).json().get("results", [])
    sent = [("games.run_computer", (table["id"],)) for table in tables for _ in range(3)]
    sent += [("games.archive_tables", ([table["id"]],)) for table in tables for _ in range(3)]
    sweeps = ("run_due_tables", "run_due_computers", "leave_absent", "close_untouched", "archive_recent")
    sent += [(f"games.{name}", ()) for name in sweeps for _ in range(15)]
    rng.shuffle(sent)
    with grounds.sender() as sender:
        for task, arguments in sent:
            queue, late = rng.choice(["time", "computers", "default"]), rng.choice([0.0, 0.0, 1.5])
            sender.send_task(task, args=arguments, queue=queue, countdown=late, retry=False)


def _clock_set_back(grounds: Grounds, rng: random.Random) -> None:
    grounds.clock.set_back(rng.uniform(0.5, 5.0))


def _worker_behind(grounds: Grounds, rng: random.Random) -> None:
    grounds.clock.behind("--queues time", rng.uniform(10.0, 60.0))
    try:
        time.sleep(rng.uniform(4.0, 8.0))
    finally:
        grounds.clock.behind("--queues time", 0.0)


FAULTS = (
    Fault("web killed", "web", _kill("web")),
    Fault("web worker killed", "web", _kill_a_web_worker),
    Fault("events killed", "events", _kill("events")),
    Fault("time worker killed", "worker-time", _kill("worker-time"), stops_time=True),
    Fault("computers' worker killed", "worker-computers", _kill("worker-computers"), stops_time=True),
    Fault("default worker killed", "worker-default", _kill("worker-default")),
    Fault("beat killed", "beat", _kill("beat"), stops_time=True),
    Fault("Redis stopped and started", "redis", _redis_away, stops_time=True),
    Fault("Redis silent", "redis", _redis_silent, stops_time=True),
    Fault("Redis emptied", "redis", _redis_emptied, stops_time=True),
    Fault("PostgreSQL restarted (fast)", "postgresql", _postgresql_restarted("fast"), stops_time=True),
    Fault(
        "PostgreSQL restarted (immediate)", "postgresql", _postgresql_restarted("immediate"), stops_time=True
    ),
    Fault("every connection held", "postgresql", _no_connection_left, stops_time=True),
    Fault("time worker paused past a deadline", "worker-time", _paused_past_a_deadline, stops_time=True),
    Fault("tasks doubled and out of order", "redis", _tasks_twice_and_out_of_order),
    Fault("clock set back", "clock", _clock_set_back),
    Fault("time worker's clock behind", "clock", _worker_behind, stops_time=True),
)


# Threads that last: a server that is started by one ends with it (`tests.services._end_with_parent`).
_hands = ThreadPoolExecutor(2)


def inflict(faults: Sequence[Fault], grounds: Grounds, rng: random.Random) -> None:
    """Do all of these, two at most, to the site at once."""
    for done in [_hands.submit(fault.inflict, grounds, random.Random(rng.random())) for fault in faults]:
        done.result()
