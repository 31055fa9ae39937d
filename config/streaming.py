"""How a server sends streams: without holding a request, a thread or a connection to the database.

Django answers as always and hands the stream over (games.api.events); what lives on is one task that sends
what the stream says, and one that notices when its reader goes.
"""

import asyncio
import gc
import resource
import signal
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# The same words as in games.api.events, which cannot be imported before Django is set up.
HAND_OVER = "longbluff.hand_over"
# So long a reader may take nothing of what it is sent.
SEND_SECONDS = 20
# Files open in a process besides its streams: other connections, rows, logs.
OTHER_FILES = 1000
# So many new things before the collector of garbage looks at them; Python's own number is made for scripts.
YOUNG_THINGS = 2000

_open: set[asyncio.Future[None]] = set()
_settled = False


async def serve_stream(django: Any, scope: Message, receive: Receive, send: Send) -> None:
    """Answer one request for a stream, until it ends."""
    ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    _open.add(ending)
    try:
        stream = await _Opening(receive, send, ending).ask(django, scope)
        if stream is not None:
            _settle()
            await _follow(stream, receive, send, ending)
    finally:
        _open.discard(ending)


def end_streams() -> None:
    """End every open stream, so that the server can stop; a client that wants more comes again."""
    for ending in tuple(_open):
        if not ending.done():
            ending.set_result(None)


def end_streams_on_signals() -> None:
    """Let a server that is told to stop end its streams, since it waits for all open answers."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, partial(_end_streams_and_go_on, loop, before))


def _end_streams_and_go_on(
    loop: asyncio.AbstractEventLoop, before: Callable[[int, Any], Any], number: int, frame: Any
) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(end_streams)
    before(number, frame)


def make_room(streams: int) -> None:
    """Let this process open so many streams: each is a file, of which few are given unasked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _settle() -> None:
    """Have the collector of garbage pass over what is loaded for good, as the first stream finds it.

    Each of its great rounds holds up all streams, for as long as it has things to look at.
    """
    global _settled
    if not _settled:
        _settled = True
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG_THINGS, *gc.get_threshold()[1:])


class _Opening:
    """The part of a stream that Django answers: refusals as a whole, and the beginning of all else."""

    def __init__(self, receive: Receive, send: Send, ending: asyncio.Future[None]) -> None:
        self._receive, self._send, self._ending = receive, send, ending
        self._began = False
        self._streams: list[Any] = []

    async def ask(self, django: Any, scope: Message) -> Any:
        """The stream, the beginning of whose answer was sent; None where all of an answer was."""
        try:
            await django({**scope, HAND_OVER: self._streams.append}, self._heard, self._told)
        except BaseException:
            self._let_go()
            raise
        if self._began:
            return self._streams[0] if self._streams else None
        self._let_go()
        if self._ending.done():
            await _stopping(self._send)
        return None

    async def _heard(self) -> Message:
        receiving = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait((receiving, self._ending), return_when=asyncio.FIRST_COMPLETED)
            return receiving.result() if receiving.done() else {"type": "http.disconnect"}
        finally:
            receiving.cancel()

    async def _told(self, message: Message) -> None:
        self._began = True
        if message["type"] == "http.response.start" or not self._streams:
            await self._send(message)

    def _let_go(self) -> None:
        for stream in self._streams:
            stream.close()


async def _follow(stream: Any, receive: Receive, send: Send, ending: asyncio.Future[None]) -> None:
    """Send what the stream says until it ends, its reader is gone or too slow, or all streams shall end."""
    leaving = asyncio.ensure_future(_gone(receive))
    for over in (leaving, ending):
        over.add_done_callback(lambda _: stream.end())
    try:
        async for text in stream:
            async with asyncio.timeout(SEND_SECONDS):
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
        async with asyncio.timeout(SEND_SECONDS):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
    except TimeoutError:
        _cut(send)
    finally:
        leaving.cancel()
        stream.close()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stopping(send: Send) -> None:
    headers = [(b"content-type", b"text/plain"), (b"retry-after", b"1")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"This server is about to stop: try again.\n"})


def _cut(send: Send) -> None:
    """Drop a reader who takes nothing; what ASGI has a word for would wait until they do."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()
