"""One address for a site under development: a small reverse proxy before the web and the streams.

A site in earnest has a proxy of its own; see `docker-compose.yml`.
"""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import Any

import h11

# What concerns one connection only, and not the request that came over it.
OF_THE_CONNECTION = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade", b"expect"}
)
AWAY = json.dumps(
    {"code": "unavailable", "message": "This part is just starting. Please try again."}
).encode()
CHUNK = 64 * 1024


class Front:
    """Hands each request to the port that `route` names for its path, and the answer back as it comes."""

    def __init__(self, route: Callable[[str], int], *, behind_a_proxy: bool) -> None:
        self._route = route
        self._behind_a_proxy = behind_a_proxy

    async def start(self, listener: socket.socket) -> asyncio.Server:
        """Begin to answer at this socket."""
        return await asyncio.start_server(self._talk, sock=listener)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Line(reader, writer, h11.SERVER)
        with closing(writer):
            try:
                while await self._exchange(client):
                    client.http.start_next_cycle()
            except h11.RemoteProtocolError as error:
                await client.refuse(error.error_status_hint)
            except (OSError, h11.LocalProtocolError, asyncio.CancelledError):
                return  # one of the two is gone, or the site ends: the other sees that the line is closed

    async def _exchange(self, client: "_Line") -> bool:
        """Pass on one request and its answer; may another follow on this line?"""
        request = await client.heard()
        if not isinstance(request, h11.Request):
            return False
        path = request.target.split(b"?")[0].decode("latin-1")
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._route(path))
        except OSError:
            await client.refuse(503, AWAY)
            return False
        with closing(writer):
            part = _Line(reader, writer, h11.CLIENT)
            await part.say(self._passed_on(request, client.peer))
            while not isinstance(event := await client.heard(), h11.EndOfMessage):
                await part.say(event)
            await part.say(event)
            await _while_heard(client, _answer(part, client))
        return client.http.our_state is h11.DONE and client.http.their_state is h11.DONE

    def _passed_on(self, request: h11.Request, peer: str) -> h11.Request:
        scheme, forwarded = b"http", []
        headers = [(b"connection", b"close")]
        for name, value in request.headers:
            if name == b"x-forwarded-for":
                forwarded.append(value)
            elif name == b"x-forwarded-proto":
                scheme = value if self._behind_a_proxy else scheme
            elif name not in OF_THE_CONNECTION:
                headers.append((name, value))
        headers += [
            (b"x-forwarded-for", b", ".join([*forwarded, peer.encode()])),
            (b"x-forwarded-proto", scheme),
        ]
        return h11.Request(method=request.method, target=request.target, headers=headers)


class _Line:
    """One connection, as events of HTTP."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, role: type[h11.SERVER | h11.CLIENT]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.http = h11.Connection(role)
        self.peer = str(writer.get_extra_info("peername")[0])

    async def heard(self) -> h11.Event:
        """Return the next event from over there."""
        while (event := self.http.next_event()) is h11.NEED_DATA:
            if self.http.they_are_waiting_for_100_continue:
                await self.say(h11.InformationalResponse(status_code=100, headers=[]))
            self.http.receive_data(await self._reader.read(CHUNK))
        assert isinstance(event, h11.Event)  # else it would be read in the middle of an answer
        return event

    async def say(self, event: h11.Event) -> None:
        """Send an event as soon as it is taken over there."""
        if data := self.http.send(event):
            self._writer.write(data)
            await self._writer.drain()

    async def gone(self) -> None:
        """Wait until nobody is there any more; what is heard until then is kept."""
        while data := await self._reader.read(CHUNK):
            self.http.receive_data(data)

    async def refuse(self, status: int, body: bytes = b"") -> None:
        """Answer for the parts behind, unless an answer has begun, and close."""
        if self.http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        headers = [("content-type", "application/json"), ("content-length", str(len(body)))]
        headers += [("retry-after", "1"), ("connection", "close")]
        await self.say(h11.Response(status_code=status, headers=headers))
        await self.say(h11.Data(data=body))
        await self.say(h11.EndOfMessage())


async def _answer(part: _Line, client: _Line) -> None:
    while True:
        try:
            event = await part.heard()
        except h11.RemoteProtocolError as error:
            # It died in the middle: nobody knows what it did, and to the client that is no fault of its own.
            raise ConnectionResetError from error
        if isinstance(event, h11.ConnectionClosed):
            raise ConnectionResetError
        if isinstance(event, h11.Response):
            headers = [field for field in event.headers if field[0] not in OF_THE_CONNECTION]
            event = h11.Response(status_code=event.status_code, reason=event.reason, headers=headers)
        if not isinstance(event, h11.InformationalResponse):
            await client.say(event)
        if isinstance(event, h11.EndOfMessage):
            return


async def _while_heard(client: _Line, telling: Coroutine[Any, Any, None]) -> None:
    """Tell the client, and stop when it is gone: a stream may have nothing to say for long."""
    told, gone = asyncio.ensure_future(telling), asyncio.ensure_future(client.gone())
    try:
        await asyncio.wait({told, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        whole = told.done()
        told.cancel()
        gone.cancel()
        await asyncio.gather(told, gone, return_exceptions=True)
    if not whole:
        raise ConnectionResetError
    told.result()
