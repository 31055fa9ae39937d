"""Group commit: what several threads of a process write at the same time is one transaction.

Whoever comes while another thread is at the database waits, and the next one takes along all that wait. On an
idle server nobody waits for anybody; on a busy one a transaction, its statement and its flush to the disk
serve several moves.
"""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from django.db import Error

MOST_AT_ONCE = 8

Item = TypeVar("Item")


@dataclass(slots=True)
class _Place(Generic[Item]):
    """One thread that waits: for what became of its item, or for its turn to take others along."""

    key: str
    item: Item
    called: threading.Lock = field(default_factory=threading.Lock)
    written: bool | None = None  # None until it is known
    error: BaseException | None = None


class GroupCommit(Generic[Item]):
    """Items of many threads, written together by one of them.

    `write` takes items of different keys, writes each that can be written, all in one transaction, and says
    of each whether it was. Where it fails for several together, each is tried alone, so that nobody pays for
    another's item.
    """

    def __init__(self, write: Callable[[Sequence[Item]], Sequence[bool]]) -> None:
        self._write = write
        self._lock = threading.Lock()
        self._waiting: list[_Place[Item]] = []
        self._led = False
        os.register_at_fork(after_in_child=self._renew)

    def add(self, key: str, item: Item) -> bool:
        """Write this; was it written? Raises what `write` raises."""
        place = _Place(key, item)
        with self._lock:
            self._waiting.append(place)
            leads, self._led = not self._led, True
            if not leads:
                place.called.acquire()
        if not leads:
            place.called.acquire()  # whoever leads lets go of it
        if place.written is None and place.error is None:
            self._lead(place)
        if place.error is not None:
            raise place.error
        return bool(place.written)

    def _renew(self) -> None:
        """As at first: what other threads left is not there in a process that was forked."""
        self._lock, self._waiting, self._led = threading.Lock(), [], False

    def _lead(self, own: _Place[Item]) -> None:
        group = self._take()
        try:
            self._decide(group)
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._led = following is not None
            for place in group:
                if place is not own:
                    place.called.release()
            if following is not None:
                following.called.release()

    def _take(self) -> list[_Place[Item]]:
        """Those who wait, in their order, and of each key the first."""
        group: dict[str, _Place[Item]] = {}
        with self._lock:
            for place in self._waiting[:MOST_AT_ONCE]:
                group.setdefault(place.key, place)
            taken = list(group.values())
            self._waiting = [place for place in self._waiting if group.get(place.key) is not place]
        return taken

    def _decide(self, group: Sequence[_Place[Item]]) -> None:
        try:
            for place, written in zip(group, self._write([place.item for place in group]), strict=True):
                place.written = written
        except Error as error:
            if len(group) == 1:
                group[0].error = error
                return
            for place in group:
                self._decide([place])
        except BaseException as error:
            for place in group:
                place.error = error
            raise
