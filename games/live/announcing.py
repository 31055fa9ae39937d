"""Announcements: a table's id and its new version, to every process that serves streams.

They go to the hubs of this process by hand, and to those of others through Redis, where there is one. A
thread brings them there, so that no move waits for Redis: what cannot be sent stays, of each table its newest
version, and is tried again a second later. What is lost all the same costs seconds, since hubs look at their
tables now and then.
"""

import atexit
import os
import threading
import time
from collections.abc import Iterable
from typing import Protocol

import structlog
from django.conf import settings
from django.db import transaction

CHANNEL = "longbluff:tables"
QUIET_SECONDS = 1.0
REDIS_SECONDS = 1.0
MOST_WAITING = 10_000
MOST_AT_ONCE = 500

_log = structlog.get_logger(__name__)


class Listener(Protocol):
    """A hub of this process, which hears of changes from any thread."""

    def hear(self, table_id: str, version: int) -> None: ...


_listeners: set[Listener] = set()


def announce(table_id: str, version: int) -> None:
    """Once the transaction is committed, tell whoever follows this table that it has a new version."""
    transaction.on_commit(lambda: _tell(table_id, version), robust=True)


def listen(listener: Listener) -> None:
    """Let a hub of this process hear of every change."""
    _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    """Let it hear no more."""
    _listeners.discard(listener)


def written(changes: Iterable[tuple[str, int]]) -> str:
    """Changes as they stand in a message."""
    return " ".join(f"{table_id}:{version}" for table_id, version in changes)


def read(message: str) -> list[tuple[str, int]]:
    """The changes in a message; what cannot be read is nothing of ours."""
    pairs = (change.rpartition(":") for change in message.split(" "))
    return [
        (table_id, int(version))
        for table_id, _, version in pairs
        if table_id and version.isdecimal() and len(version) < 12
    ]


def _tell(table_id: str, version: int) -> None:
    for listener in tuple(_listeners):
        listener.hear(table_id, version)
    if settings.REDIS_URL:
        _messenger().take(table_id, version)


class _Messenger:
    """Brings announcements to Redis, many in one message when they come faster than it goes."""

    def __init__(self, url: str) -> None:
        # Only here: a club, which has no Redis, would carry its client all the same.
        from redis import Redis, RedisError
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self.url, self.process = url, os.getpid()
        self._away = (RedisError, OSError)
        self._redis = Redis.from_url(
            url,
            socket_timeout=REDIS_SECONDS,
            socket_connect_timeout=REDIS_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._waiting: dict[str, int] = {}
        self._lock = threading.Lock()
        self._stirred, self._idle = threading.Event(), threading.Event()
        self._idle.set()
        threading.Thread(target=self._work, name="announcements", daemon=True).start()

    def take(self, table_id: str, version: int) -> None:
        """Have this change announced; of each table only the newest waits, and of all only so many."""
        with self._lock:
            self._waiting[table_id] = max(version, self._waiting.get(table_id, 0))
            while len(self._waiting) > MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]
            self._idle.clear()
        self._stirred.set()

    def finish(self, patience: float) -> None:
        """Give what waits a moment to go out, at the end of the process."""
        self._idle.wait(patience)

    def _work(self) -> None:
        silent = False
        while True:
            self._stirred.wait()
            self._stirred.clear()
            while batch := self._next():
                try:
                    self._redis.publish(CHANNEL, written(batch.items()))
                    silent = False
                except self._away as error:
                    if not silent:
                        _log.warning("announcements_wait", error=type(error).__name__)
                    silent = True
                    self._put_back(batch)
                    time.sleep(QUIET_SECONDS)
            self._rest()

    def _next(self) -> dict[str, int]:
        with self._lock:
            ids = list(self._waiting)[:MOST_AT_ONCE]
            return {table_id: self._waiting.pop(table_id) for table_id in ids}

    def _put_back(self, batch: dict[str, int]) -> None:
        with self._lock:
            self._waiting = batch | self._waiting  # whichever is newer is in the latter

    def _rest(self) -> None:
        with self._lock:
            if not self._waiting:
                self._idle.set()


_kept: list[_Messenger] = []
_keeping = threading.Lock()


def _messenger() -> _Messenger:
    """The one of this process: a fork, or another address, needs another."""
    kept = _kept[0] if _kept else None
    if kept is not None and kept.process == os.getpid() and kept.url == settings.REDIS_URL:
        return kept
    with _keeping:
        if not _kept or (_kept[0].process, _kept[0].url) != (os.getpid(), settings.REDIS_URL):
            _kept[:] = [_Messenger(settings.REDIS_URL)]
        return _kept[0]


@atexit.register
def _finish() -> None:
    if _kept and _kept[0].process == os.getpid():
        _kept[0].finish(0.5)
