"""The ground of a fault run: a whole site over services of its own, with a clock that can be moved."""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import redis
from celery import Celery

from tests.faults.postgresql import OwnPostgresql, own_postgresql
from tests.faults.times import MovedClock
from tests.own_redis import OwnRedis, own_redis
from tests.serving import Served, serving
from tests.site.running import eventually, part, processes_of

# The words of each process's command line.
PARTS = {
    "web": "granian",
    "events": "config.asgi",
    "worker-time": "--queues time",
    "worker-computers": "--queues computers",
    "worker-default": "--queues default",
    "beat": "beat",
}

DATABASE = "longbluff"


@dataclass
class Grounds:
    """A running site, and everything that can be done to it."""

    site: Served
    postgresql: OwnPostgresql
    redis: OwnRedis
    clock: MovedClock
    home: dict[str, str]

    @property
    def address(self) -> str:
        return self.site.address

    def number(self, name: str) -> int:
        """The process of this part; `ValueError` while there is none."""
        return part(self.site.process.pid, PARTS[name])

    def kill(self, name: str) -> None:
        """End a part as a power cut would; its supervisor starts it again."""
        before = self.number(name)
        os.kill(before, signal.SIGKILL)
        assert eventually(lambda: self._is_another(name, before)), f"{name} did not come back"

    def kill_a_child(self, name: str) -> None:
        """End one of the processes below a part, which starts another itself."""
        children = processes_of(self.number(name))
        if children:
            os.kill(max(children), signal.SIGKILL)

    @contextmanager
    def paused(self, name: str) -> Iterator[None]:
        """Let a part stand still."""
        number = self.number(name)
        os.kill(number, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(number, signal.SIGCONT)

    def swept_at(self) -> float | None:
        """When the deadlines were last looked through, as the site remembers it for its readiness."""
        try:
            with redis.from_url(self.redis.url, socket_timeout=1) as client:
                kept = client.get("longbluff:1:health.swept-at")
        except redis.RedisError:
            return None
        return None if kept is None else float(pickle.loads(kept))

    def swept_since(self, instant: float, *, within: float) -> float | None:
        """Wait for the next sweep after this instant: when it was, or None where there was none."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            swept_at = self.swept_at()
            if swept_at is not None and swept_at > instant:
                return swept_at
            time.sleep(0.1)
        return None

    @contextmanager
    def sender(self) -> Iterator[Celery]:
        """Lend what hands tasks to the workers, as anybody might who can reach the broker."""
        with Celery(broker=self.redis.url, set_as_current=False) as sender:
            yield sender

    def _is_another(self, name: str, before: int) -> bool:
        try:
            return self.number(name) != before
        except ValueError:
            return False


@contextmanager
def grounds(*, rate: float = 1.0, log: IO[str] | None = None, **variables: str) -> Iterator[Grounds]:
    """Start PostgreSQL, Redis and every process of a site; end them all."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="longbluff-faults-")))
        postgresql = stack.enter_context(own_postgresql())
        own = stack.enter_context(own_redis())
        clock = MovedClock(folder / "clock.json", rate=rate)
        home = {
            "DATA_DIR": str(folder),
            "DATABASE_URL": postgresql.database(DATABASE),
            "REDIS_URL": own.url,
            **clock.variables,
        }
        told = {"ARCHIVE_AFTER_DAYS": "0", **variables}
        site = stack.enter_context(serving(home, command="site", log=log, **told))
        yield Grounds(site, postgresql, own, clock, home)
