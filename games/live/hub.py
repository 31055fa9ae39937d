"""The hub of a process that serves streams: who follows which table, and what each has to be told.

Nobody polls. A change that is announced marks its table; marked tables are looked at together, in few
statements for all of their readers, and each reader learns the newest version if they may still see the
table. What an announcement says is never passed on: it only says where to look. All tables are looked at now
and then, seldom while announcements come in, often while they do not.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from games.live import announcing

LOOK_SECONDS = 1.0
SAFETY_SECONDS = 15.0
PRESENCE_SECONDS = 20.0
NOTING_PAUSE_SECONDS = 0.05
COUNT_SECONDS = 5.0
MOST_AT_ONCE = 50
MOST_NOTED_AT_ONCE = 100
"""So few that neither a change nor anybody's move waits for long behind them."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a look found of one table, and which of those asked for may see it."""

    version: int
    finished: bool
    welcome: frozenset[Hashable]


Look = Callable[[Mapping[str, frozenset[Hashable]]], Awaitable[Mapping[str, Sight]]]
"""Looks at tables for these people each; a table that is gone is not in the answer."""

Attend = Callable[[frozenset[Hashable]], Awaitable[None]]
"""Notes that these people are there."""


Count = Callable[[Mapping[str, tuple[Hashable, ...]]], Awaitable[None]]
"""Notes who follows which table."""


class Reader:
    """One open stream: the newest version of its table, and never more than that."""

    __slots__ = ("_stirred", "error", "over", "table_id", "version", "who")

    def __init__(self, table_id: str, who: Hashable) -> None:
        self.table_id, self.who = table_id, who
        self.version, self.over = 0, False
        self.error: Exception | None = None
        self._stirred = asyncio.Event()

    async def stirred(self, patience: float) -> bool:
        """Wait for news; False where there were none for so many seconds."""
        try:
            async with asyncio.timeout(patience):
                await self._stirred.wait()
        except TimeoutError:
            return False
        self._stirred.clear()
        return True

    def tell(self, version: int) -> None:
        """Let it know a version, if that is newer."""
        if version > self.version:
            self.version = version
            self._stirred.set()

    def end(self, error: Exception | None = None) -> None:
        """Let it come to its end, after what it knows by now."""
        self.over, self.error = True, error
        self._stirred.set()


@dataclass(slots=True)
class _Followed:
    """A table with readers, and its version as far as the hub knows."""

    readers: set[Reader] = field(default_factory=set)
    version: int = 0


class Hub:
    """All readers of one event loop."""

    def __init__(
        self,
        *,
        look: Look,
        attend: Attend,
        count: Count | None = None,
        subscribe: Callable[["Hub"], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self._look, self._attend, self._count, self._subscribe = look, attend, count, subscribe
        self._loop = asyncio.get_running_loop()
        self._tables: dict[str, _Followed] = {}
        self._changed: dict[str, None] = {}
        self._unseen: dict[str, None] = {}
        self._arrived: set[Hashable] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._work, self._arrival = asyncio.Event(), asyncio.Event()
        self._hears_others = False
        self._round_at = self._count_at = 0.0

    def join(self, table_id: str, who: Hashable) -> Reader:
        """Let somebody follow a table; they are told its version, or their end, after the next look."""
        reader = Reader(table_id, who)
        self._tables.setdefault(table_id, _Followed()).readers.add(reader)
        self._mark(table_id)
        self._arrived.add(who)
        self._arrival.set()
        if not self._tasks:
            self._start()
        return reader

    def leave(self, reader: Reader) -> None:
        """Forget a reader; a second time does nothing."""
        followed = self._tables.get(reader.table_id)
        if followed is None or reader not in followed.readers:
            return
        followed.readers.discard(reader)
        if not followed.readers:
            del self._tables[reader.table_id]
        if not self._tables:
            self._stop()

    def hear(self, table_id: str, version: int) -> None:
        """Take an announcement, in whatever thread it comes."""
        followed = self._tables.get(table_id)
        if followed is None or version <= followed.version:
            return
        try:
            self._loop.call_soon_threadsafe(self._mark, table_id)
        except RuntimeError:  # the loop is closed, and its streams with it
            announcing.unlisten(self)

    def hears_others(self, hears: bool) -> None:
        """Say whether the announcements of other processes come in, from now on."""
        if self._hears_others == hears:
            return
        self._hears_others = hears
        # What was said before nobody heard.
        self._round_at = 0.0
        self._work.set()

    def _mark(self, table_id: str) -> None:
        if table_id in self._tables:
            self._changed[table_id] = None
            self._work.set()

    def _start(self) -> None:
        self._round_at = self._loop.time() + self._round_seconds()
        announcing.listen(self)
        running = [self._keep_looking(), self._keep_attending()]
        if self._subscribe is not None:
            running.append(self._subscribe(self))
        self._tasks = [self._loop.create_task(each) for each in running]

    def _stop(self) -> None:
        announcing.unlisten(self)
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        self._hears_others = False
        self._changed.clear()
        self._unseen.clear()

    # Looking.

    def _round_seconds(self) -> float:
        return SAFETY_SECONDS if self._hears_others else LOOK_SECONDS

    async def _keep_looking(self) -> None:
        while True:
            if self._loop.time() >= self._round_at:
                self._round_at = self._loop.time() + self._round_seconds()
                self._unseen = dict.fromkeys(self._tables)
            if batch := self._batch():
                await self._look_at(batch)
                continue
            self._work.clear()
            await _set_within(self._work, self._round_at - self._loop.time())

    def _batch(self) -> list[str]:
        """What to look at next: tables that changed before those whose turn it merely is."""
        marked = self._changed or self._unseen
        batch = list(marked)[:MOST_AT_ONCE]
        for table_id in batch:
            self._changed.pop(table_id, None)
            self._unseen.pop(table_id, None)
        return [table_id for table_id in batch if table_id in self._tables]

    async def _look_at(self, batch: Iterable[str]) -> None:
        asked = {table_id: tuple(self._tables[table_id].readers) for table_id in batch}
        try:
            sights = await self._look(
                {table_id: frozenset(reader.who for reader in readers) for table_id, readers in asked.items()}
            )
        except Exception as error:  # the rows are away for a moment, the streams are not
            _log.warning("streams_wait", error=type(error).__name__)
            self._look_again(asked, error)
            await asyncio.sleep(LOOK_SECONDS)
            return
        for table_id, readers in asked.items():
            self._tell(table_id, readers, sights.get(table_id))

    def _look_again(self, asked: Mapping[str, tuple[Reader, ...]], error: Exception) -> None:
        for table_id, readers in asked.items():
            for reader in readers:
                if reader.version == 0:  # who has only just come hears it instead of waiting
                    reader.end(error)
            self._mark(table_id)

    def _tell(self, table_id: str, readers: Iterable[Reader], sight: Sight | None) -> None:
        if sight is not None and table_id in self._tables:
            followed = self._tables[table_id]
            followed.version = max(followed.version, sight.version)
        for reader in readers:
            if sight is None or reader.who not in sight.welcome:
                reader.end()
                continue
            reader.tell(sight.version)
            if sight.finished:
                reader.end()

    # Presence.

    async def _keep_attending(self) -> None:
        everybody_at = self._loop.time() + PRESENCE_SECONDS
        while True:
            if self._loop.time() >= everybody_at:
                everybody_at = self._loop.time() + PRESENCE_SECONDS
                self._arrived.update(reader.who for each in self._tables.values() for reader in each.readers)
            there, self._arrived = list(self._arrived), set()
            for first in range(0, len(there), MOST_NOTED_AT_ONCE):
                await self._note(frozenset(there[first : first + MOST_NOTED_AT_ONCE]))
            await self._number()
            self._arrival.clear()
            await _set_within(self._arrival, everybody_at - self._loop.time())

    async def _number(self) -> None:
        now = self._loop.time()
        if self._count is not None and now >= self._count_at:
            self._count_at = now + COUNT_SECONDS
            await self._count(
                {
                    table_id: tuple(reader.who for reader in each.readers)
                    for table_id, each in self._tables.items()
                }
            )

    async def _note(self, there: frozenset[Hashable]) -> None:
        try:
            await self._attend(there)
        except Exception as error:  # they are there all the same, and noted the next time
            _log.warning("presence_lost", error=type(error).__name__)
        await asyncio.sleep(NOTING_PAUSE_SECONDS)


async def _set_within(event: asyncio.Event, patience: float) -> None:
    try:
        async with asyncio.timeout(max(0.0, patience)):
            await event.wait()
    except TimeoutError:
        pass
