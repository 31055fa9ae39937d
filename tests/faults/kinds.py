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
    # Threads that last: a server that is started by one ends with it (`tests.services._end_with_parent`).
_hands = ThreadPoolExecutor(2)


def inflict(faults: Sequence[Fault], grounds: Grounds, rng: random.Random) -> None:
    """Do all of these, two at most, to the site at once."""
    for done in [_hands.submit(fault.inflict, grounds, random.Random(rng.random())) for fault in faults]:
        done.result()
