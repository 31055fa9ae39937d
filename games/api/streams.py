"""Open streams: how many there may be, how they read rows, and what each of them says."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from accounts.visitors import Visitor, note_seen
from games.access import NothingThere
from games.live import audience
from games.live.hub import Hub, Reader, Sight
from games.queries.table import Busy
from games.queries.watching import may_be_watched, sights

COMMENT_SECONDS = 20.0
FIRST_SECONDS = 10.0
COMMENT = ": still here\n\n"
READERS = ThreadPoolExecutor(max_workers=4, thread_name_prefix="stream")
LOOPBACK = ("127.", "::1", "::ffff:127.")

P = ParamSpec("P")
T = TypeVar("T")

_open: Counter[str] = Counter()
"""How many streams are open to each address."""

_place: int | None = None
"""Where this process writes down who follows which table."""

_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}
"""One for each event loop, of which a server has one and its tests have many."""


class Full(Exception):
    """This process serves as many streams as it may."""


class TooMany(Exception):
    """So many streams are open to this address already."""


class Stream:
    """The news of one table for one reader: an event for every version, comments between, and an end."""

    def __init__(self, table_id: str, visitor: Visitor, address: str) -> None:
        self._hub = _hub()
        self._reader: Reader = self._hub.join(table_id, visitor)
        self._address = address
        self._closed = False
        _open[address] += 1

    def __aiter__(self) -> AsyncIterator[str]:
        return self._news()

    async def first(self) -> None:
        """Wait for the first look; `NothingThere` for whoever may not see the table."""
        await self._reader.stirred(FIRST_SECONDS)
        if self._reader.error:
            raise self._reader.error
        if self._reader.version == 0:
            raise NothingThere if self._reader.over else Busy

    def end(self) -> None:
        """Let it come to its end."""
        self._reader.end()

    def close(self) -> None:
        """Give its place away; a second time does nothing."""
        if not self._closed:
            self._closed = True
            self._hub.leave(self._reader)
            _open[self._address] -= 1
            if not _open[self._address]:
                del _open[self._address]

    async def _news(self) -> AsyncIterator[str]:
        reader, told = self._reader, 0
        try:
            while True:
                if reader.version > told:
                    told = reader.version
                    yield event(reader.table_id, told)
                elif reader.over:
                    return
                elif not await reader.stirred(COMMENT_SECONDS):
                    yield COMMENT
        finally:
            self.close()


async def opened(table_id: str, visitor: Visitor, address: str) -> Stream:
    """The stream of a table for whoever may see it, where there is room.

    Raises `NothingThere`, `Busy`, what the database raises, and last `TooMany` and `Full`.
    """
    if not may_be_watched(table_id):
        raise NothingThere
    refusal = no_room(address)
    stream = Stream(table_id, visitor, address)
    try:
        await stream.first()
        if refusal:
            raise refusal
    except BaseException:
        stream.close()
        raise
    return stream


def no_room(address: str) -> Exception | None:
    """Why this address cannot have one more stream, or None.

    This machine's own address is a proxy's, or its operator's, and stands for nobody.
    """
    if not address.startswith(LOOPBACK) and _open[address] >= settings.STREAMS_PER_ADDRESS:
        return TooMany()
    return Full() if _open.total() >= settings.STREAMS_MOST else None


def event(table_id: str, version: int) -> str:
    """One event, which has its version for an id."""
    data = json.dumps({"id": table_id, "version": version})
    return f"id: {version}\nevent: table\ndata: {data}\n\n"


async def look(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Read rows in one of the few threads that all streams share, each with one connection that it keeps."""

    def reading() -> T:
        try:
            return read(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            raise

    return await asyncio.get_running_loop().run_in_executor(READERS, reading)


def _hub() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for closed in [other for other in _hubs if other.is_closed()]:
            del _hubs[closed]
        subscribing = _subscribing(settings.REDIS_URL) if settings.REDIS_URL else None
        _hubs[loop] = Hub(look=_sights, attend=_attend, count=_count, subscribe=subscribing)
    return _hubs[loop]


def _subscribing(url: str) -> Callable[[Hub], Coroutine[Any, Any, None]]:
    # Only here: a club, which has no Redis, would carry its client all the same.
    from games.live.subscription import subscribe

    return partial(subscribe, url=url)


async def _sights(watched: Mapping[str, Collection[Any]]) -> Mapping[str, Sight]:
    return await look(sights, watched, now=timezone.now())


async def _count(tables: Mapping[str, Collection[Any]]) -> None:
    global _place
    if _place is None:
        _place = await look(audience.take_place)
    people = {table_id: [each.player_id for each in visitors] for table_id, visitors in tables.items()}
    await look(audience.write_down, _place, people)


async def _attend(visitors: Collection[Any]) -> None:
    players = {visitor.player_id for visitor in visitors if visitor.player_id}
    if players:
        await look(note_seen, players, now=timezone.now())
