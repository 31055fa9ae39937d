"""News of a table as server-sent events: its id and version, and nothing else.

The stream looks at the table's row now and then; whoever reads it comes back for their own view.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import AuthenticationFailed

from accounts.queries import player_by_token, player_of_user
from games.access import NothingThere
from games.api import errors
from games.api.auth import bearer_token
from games.api.rendering import PRIVATE
from games.queries.table import visible_row

if TYPE_CHECKING:
    from games.store.rows import TableRow

LOOK_SECONDS = 1.0
COMMENT_SECONDS = 20.0
RETRY_MILLISECONDS = 2000
MOST_STREAMS = 2000
LOOKERS = ThreadPoolExecutor(max_workers=4, thread_name_prefix="stream")
HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "Vary": "Authorization, Cookie",
}

P = ParamSpec("P")
T = TypeVar("T")

_open: set[object] = set()


@csrf_exempt  # it changes nothing; another method hears so, as everywhere in the API
async def events(request: HttpRequest, table_id: str) -> HttpResponse | StreamingHttpResponse:
    """The stream of a table, for whoever may see the table."""
    if request.method != "GET":
        return JsonResponse(
            {"code": "method_not_allowed", "message": "Read the stream with GET."},
            status=405,
            headers={**PRIVATE, "Allow": "GET"},
        )
    waits = isinstance(request, ASGIRequest)
    look = _look if waits else _look_here
    try:
        player_id = await look(_reader, request)
        row = await look(visible_row, table_id, player_id)
    except Exception as error:
        refused = errors.handle(error, {})
        if refused is None:
            raise
        kept = {name: value for name, value in refused.headers.items() if name != "Content-Type"}
        return JsonResponse(refused.data, status=refused.status_code, headers=kept)
    if not waits:
        # A thread is too dear to wait in: the client reads one event and comes back, as streams do.
        return HttpResponse(f"retry: {RETRY_MILLISECONDS}\n{_event(row)}", headers=HEADERS)
    if len(_open) >= MOST_STREAMS:
        return JsonResponse(
            {"code": "unavailable", "message": "Too many streams are open: look at the table now and then."},
            status=503,
            headers={**PRIVATE, "Retry-After": "30"},
        )
    return StreamingHttpResponse(_stream(row, player_id), headers=HEADERS)


def _reader(request: HttpRequest) -> str | None:
    token = bearer_token(request.META.get("HTTP_AUTHORIZATION"))
    if token is None:
        signed_in = player_of_user(request.user)
        return signed_in.id if signed_in else None
    player = player_by_token(token)
    if player is None:
        raise AuthenticationFailed("This token is not good.")
    return player.id


async def _stream(row: "TableRow", player_id: str | None) -> AsyncIterator[str]:
    me = object()
    _open.add(me)
    try:
        async for text in _news(row, player_id):
            yield text
    finally:
        _open.discard(me)


async def _news(row: "TableRow", player_id: str | None) -> AsyncIterator[str]:
    told, spoken = 0, monotonic()
    while True:
        if row.version != told:
            told, spoken = row.version, monotonic()
            yield _event(row)
        elif monotonic() - spoken >= COMMENT_SECONDS:
            spoken = monotonic()
            yield ": still here\n\n"
        if row.status == "finished":
            return
        await asyncio.sleep(LOOK_SECONDS)
        try:
            row = await _look(visible_row, row.id, player_id)
        except NothingThere:
            return
        except (OperationalError, InterfaceError):
            continue  # the database is away for a moment; the stream is not


async def _look_here(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Read rows in the thread of a server that gives every request one."""
    return await sync_to_async(read)(*args, **kwargs)


async def _look(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Read rows in one of the few threads that all streams share, each with one connection that it keeps."""

    def reading() -> T:
        try:
            return read(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            raise

    return await asyncio.get_running_loop().run_in_executor(LOOKERS, reading)


def _event(row: "TableRow") -> str:
    data = json.dumps({"id": row.id, "version": row.version})
    return f"id: {row.version}\nevent: table\ndata: {data}\n\n"
