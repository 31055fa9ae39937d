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


@dataclass(slots=True, eq=False)
class _Place(Generic[Item]):
    """One thread that waits: for what became of its item, or for its turn to take others along."""

    key: str
    item: Item
    called: threading.Lock = field(default_factory=threading.Lock)
    leads: bool = False
    alone: bool = False  # since it failed together with others
    decided: bool = False
    written: bool = False
    error: BaseException | None = None


class GroupCommit(Generic[Item]):
    """Items of many threads, written together by one of them.

    `write` takes items of different keys, writes each that can be written, all in one transaction, and says
    of each whether it was. Where it fails for several together, each thread tries alone, by a connection of
    its own, so that nobody pays for another's item or connection.
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
            place.leads, self._led = not self._led, True
            if not place.leads:
                place.called.acquire()
        if not place.leads:
            place.called.acquire()  # whoever leads lets go of it
        if place.leads:
            self._lead(place)
        if place.error is not None:
            raise place.error
        return place.written

    def _renew(self) -> None:
        """As at first: what other threads left is not there in a process that was forked."""
        self._lock, self._waiting, self._led = threading.Lock(), [], False

    def _lead(self, own: _Place[Item]) -> None:
        """Write what waits, and call the others: those whose item is decided, and who leads next."""
        group = self._take()
        self._decide(own, group)
        called = [place for place in group if place.decided and place is not own]
        with self._lock:
            self._waiting[:0] = [place for place in group if not place.decided]
            self._led = bool(self._waiting)
            if self._led:
                self._waiting[0].leads = True
                called.append(self._waiting[0])
        for place in called:
            place.called.release()

    def _take(self) -> list[_Place[Item]]:
        """Those who wait, in their order, and of each key the first."""
        with self._lock:
            first = self._waiting[0]
            group = {first.key: first}
            for place in [] if first.alone else self._waiting[1:MOST_AT_ONCE]:
                if not place.alone:
                    group.setdefault(place.key, place)
            self._waiting = [place for place in self._waiting if group.get(place.key) is not place]
        return list(group.values())

    def _decide(self, own: _Place[Item], group: Sequence[_Place[Item]]) -> None:
        """Write these, or where that is refused the own one; whatever happens, it is told to whom it is."""
        try:
            written = self._write([place.item for place in group])
        except Error as error:
            if len(group) > 1:
                for place in group:
                    place.alone = True
                self._decide(own, [own])
                return
            own.decided, own.error = True, error
        except BaseException as error:
            for place in group:
                place.decided, place.error = True, error
        else:
            for place, done in zip(group, written, strict=True):
                place.decided, place.written = True, done
