"""News of a table as server-sent events: its id and version, and nothing else.

The stream looks at the table's row now and then; whoever reads it comes back for their own view.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from typing import TYPE_CHECKING

from asgiref.sync import sync_to_async
from django.contrib.auth import aget_user
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from rest_framework.exceptions import AuthenticationFailed

from accounts.queries import player_by_token, player_of_user
from games.access import NothingThere
from games.api import errors
from games.api.auth import bearer_token
from games.queries.table import visible_row

if TYPE_CHECKING:
    from games.store.rows import TableRow

LOOK_SECONDS = 1.0
COMMENT_SECONDS = 20.0


async def events(request: HttpRequest, table_id: str) -> HttpResponse | StreamingHttpResponse:
    """The stream of a table, for whoever may see the table."""
    if request.method != "GET":
        return JsonResponse(
            {"code": "method_not_allowed", "message": "Read the stream with GET."},
            status=405,
            headers={"Allow": "GET"},
        )
    try:
        player_id = await _reader(request)
        row = await sync_to_async(visible_row)(table_id, player_id)
    except Exception as error:
        refused = errors.handle(error, {})
        if refused is None:
            raise
        kept = {name: value for name, value in refused.headers.items() if name != "Content-Type"}
        return JsonResponse(refused.data, status=refused.status_code, headers=kept)
    return StreamingHttpResponse(
        _stream(row, player_id),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization, Cookie"},
    )


async def _reader(request: HttpRequest) -> str | None:
    token = bearer_token(request.META.get("HTTP_AUTHORIZATION"))
    if token is not None:
        player = await sync_to_async(player_by_token)(token)
        if player is None:
            raise AuthenticationFailed("This token is not good.")
        return player.id
    user = await aget_user(request)
    signed_in = await sync_to_async(player_of_user)(user)
    return signed_in.id if signed_in else None


async def _stream(row: "TableRow", player_id: str | None) -> AsyncIterator[str]:
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
            row = await sync_to_async(visible_row)(row.id, player_id)
        except NothingThere:
            return


def _event(row: "TableRow") -> str:
    data = json.dumps({"id": row.id, "version": row.version})
    return f"id: {row.version}\nevent: table\ndata: {data}\n\n"
