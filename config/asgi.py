"""The ASGI application of `manage.py serve`: streams in the event loop, all else in a few worker threads.

Each of those threads keeps its database connection, which Django's own ASGI handler cannot do: it takes a
new thread for each request. A request is read whole before a thread sees it and an answer is queued without
a bound (both are small), so that a slow or vanished client never holds a thread.
"""

import asyncio
import os
import re
from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.asgi import get_asgi_application

from config import wsgi
from config.streaming import Message, Receive, Send, end_streams_on_signals, make_room, serve_stream
from config.streaming import end_streams as end_streams  # noqa: PLC0414 - servers ask for it here

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

STREAM = re.compile(r"/api/v1/tables/[^/]+/events/?")
BODY_SECONDS = 30
# What is read and thrown away of a body that is too large, so that its sender gets to read the answer.
DRAINED_BYTES = 64 * 1024 * 1024

# Three packages describe the same protocol in types that do not fit together, hence Any.
_wsgi: Any = wsgi.application
streams: Any = get_asgi_application()
pages: Any = WSGIMiddleware(_wsgi, workers=settings.SERVE_THREADS, send_queue_size=0)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """Answer one connection."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http" and STREAM.fullmatch(scope["path"]):
        await serve_stream(streams, scope, receive, send)
    elif scope["type"] == "http":
        await _answer(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    while (message := await receive())["type"] != "lifespan.shutdown":
        make_room(settings.STREAMS_MOST)
        end_streams_on_signals()
        await send({"type": f"{message['type']}.complete"})
    await send({"type": "lifespan.shutdown.complete"})


async def _answer(scope: Message, receive: Receive, send: Send) -> None:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _body(receive)
    except TimeoutError:
        await _refuse(send, 408, b"The request took too long to arrive.\n", (b"connection", b"close"))
        return
    if body is None:
        return

    async def once() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    await pages(_plain(scope, len(body)), once, send)


async def _body(receive: Receive) -> bytes | None:
    """Return the body, or None when its sender is gone.

    Of a body that is too large one byte more than is allowed is kept, so that Django says what is wrong.
    """
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
    parts, size, more = [], 0, True
    while more and size < DRAINED_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        parts.append(part[: max(0, most - size)])
        size += len(part)
        more = message.get("more_body", False)
    return b"".join(parts)


def _plain(scope: Message, length: int) -> Message:
    """Return the request as WSGI can bear it."""
    headers = [
        (name, value)
        for name, value in scope["headers"]
        # WSGI cannot tell `x_real_ip` from `x-real-ip`, and so only the latter may come in.
        if name not in {b"content-length", b"transfer-encoding"} and b"_" not in name
    ]
    query = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in scope["query_string"])
    return {
        **scope,
        "headers": [*headers, (b"content-length", str(length).encode())],
        "query_string": query.encode(),
    }


async def _refuse(send: Send, status: int, words: bytes, header: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"text/plain"), header]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})
