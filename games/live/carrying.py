"""Threads that bring what they are given to another process, so that no move waits for it."""

import atexit
import os
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import structlog

MOST_WAITING = 10_000
MOST_AT_ONCE = 500
QUIET_SECONDS = 1.0
LAST_SECONDS = 0.5
"""How long the end of a process waits for what is still to go out."""

Batch = Mapping[Any, Any]

_log = structlog.get_logger(__name__)


class Away(Exception):
    """What should have taken a batch is not there now."""


class Carrier:
    """A thread of this process that carries things, many at once when they come faster than it goes.

    `carry` takes a batch; where it raises `Away`, the batch stays and is tried again a second later. Whatever
    else it raises is logged and costs this batch alone. Of things with the same key the greatest is kept, of
    all only so many. More may come for `linger` seconds before a batch goes.
    """

    def __init__(self, carry: Callable[[Batch], None], *, name: str, linger: float) -> None:
        self.process = os.getpid()
        self._carry, self._name, self._linger = carry, name, linger
        self._waiting: dict[Any, Any] = {}
        self._lock = threading.Lock()
        self._stirred, self._idle, self._last = threading.Event(), threading.Event(), threading.Event()
        self._idle.set()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def take(self, key: Hashable, value: Any) -> None:
        """Have this carried."""
        with self._lock:
            self._waiting[key] = max(value, self._waiting.get(key, value))
            while len(self._waiting) > MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]
            self._idle.clear()
        if not self._stirred.is_set():
            self._stirred.set()

    def finish(self, patience: float) -> None:
        """Give what waits a moment, in seconds, to go out at once."""
        self._last.set()
        self._idle.wait(patience)
        self._last.clear()

    def _work(self) -> None:
        while True:
            self._stirred.wait()
            self._last.wait(self._linger)
            self._stirred.clear()
            while batch := self._next():
                try:
                    self._carry(batch)
                except Away:
                    self._put_back(batch)
                    time.sleep(QUIET_SECONDS)
                except Exception as error:  # without this thread all that comes later would be lost as well
                    _log.error("batch_lost", carrier=self._name, error=type(error).__name__, exc_info=True)
            self._rest()

    def _next(self) -> dict[Any, Any]:
        with self._lock:
            keys = list(self._waiting)[:MOST_AT_ONCE]
            return {key: self._waiting.pop(key) for key in keys}

    def _put_back(self, batch: Batch) -> None:
        with self._lock:
            for key, value in batch.items():
                self._waiting[key] = max(value, self._waiting.get(key, value))

    def _rest(self) -> None:
        with self._lock:
            if not self._waiting:
                self._idle.set()


_kept: dict[Hashable, Carrier] = {}
_keeping = threading.Lock()


def _renew() -> None:
    """A fork while another thread makes a carrier leaves a lock that nobody would ever open."""
    global _keeping
    _keeping = threading.Lock()


os.register_at_fork(after_in_child=_renew)


def carrier(key: Hashable, make: Callable[[], Carrier]) -> Carrier:
    """The carrier of this name in this process: a fork needs another one."""
    kept = _kept.get(key)
    if kept is not None and kept.process == os.getpid():
        return kept
    with _keeping:
        kept = _kept.get(key)
        if kept is None or kept.process != os.getpid():
            kept = _kept[key] = make()
        return kept


@atexit.register
def finish(patience: float = LAST_SECONDS) -> None:
    """Let every carrier of this process bring what it has, within so many seconds."""
    until = time.monotonic() + patience
    for kept in list(_kept.values()):
        if kept.process == os.getpid():
            kept.finish(max(0.0, until - time.monotonic()))
