"""News of a table as server-sent events: its id and version, and nothing else.

Whoever reads it comes back for their own view.
"""

from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.throttling import BaseThrottle

from accounts.queries import player_by_token
from accounts.sessions import player_of_session
from accounts.visitors import STRANGER, Visitor, note_seen, visitor_with_session, visitor_with_token
from games.api import errors, streams
from games.api.auth import bearer_token
from games.api.rendering import PRIVATE
from games.queries.table import visible_row

HAND_OVER = "longbluff.hand_over"
"""Where a server says that it takes the stream itself, so that no request lives as long as a stream."""

RETRY_MILLISECONDS = 2000
RETRY_SECONDS = 30
HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "Vary": "Authorization, Cookie",
}


@csrf_exempt  # it changes nothing; another method hears so, as everywhere in the API
async def events(request: HttpRequest, table_id: str) -> HttpResponse | StreamingHttpResponse:
    """The stream of a table, for whoever may see the table."""
    if request.method != "GET":
        return JsonResponse(
            {"code": "method_not_allowed", "message": "Read the stream with GET."},
            status=405,
            headers={**PRIVATE, "Allow": "GET"},
        )
    try:
        if not isinstance(request, ASGIRequest):
            return await sync_to_async(_one_event)(request, table_id)
        visitor = await streams.look(_visitor, request)
        stream = await streams.opened(table_id, visitor, _address(request))
    except Exception as error:
        return _refused(error)
    hand_over = request.scope.get(HAND_OVER)
    if hand_over is None:
        return StreamingHttpResponse(stream, headers=HEADERS)
    hand_over(stream)
    return StreamingHttpResponse(_nothing(), headers=HEADERS)


def _one_event(request: HttpRequest, table_id: str) -> HttpResponse:
    """A thread is too dear to wait in: the client reads one event and comes back, as streams do."""
    visitor = _visitor(request)
    row = visible_row(table_id, visitor.player_id)
    if refusal := streams.no_room(_address(request)):
        raise refusal
    if visitor.player_id:
        note_seen([visitor.player_id], now=timezone.now())
    return HttpResponse(f"retry: {RETRY_MILLISECONDS}\n{streams.event(row.id, row.version)}", headers=HEADERS)


def _visitor(request: HttpRequest) -> Visitor:
    token = bearer_token(request.META.get("HTTP_AUTHORIZATION"))
    if token is None:
        player = player_of_session(request)
        if player is None:
            return STRANGER
        return visitor_with_session(player, request.user, request.session.session_key or "")
    player = player_by_token(token)
    if player is None:
        raise AuthenticationFailed("This token is not good.")
    return visitor_with_token(player, token)


def _address(request: HttpRequest) -> str:
    return BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]  # it looks at META only


def _refused(error: Exception) -> HttpResponse:
    if isinstance(error, streams.Full):
        return JsonResponse(
            {"code": "unavailable", "message": "Too many streams are open: look at the table now and then."},
            status=503,
            headers={**PRIVATE, "Retry-After": str(RETRY_SECONDS)},
        )
    if isinstance(error, streams.TooMany):
        error = Throttled(wait=RETRY_SECONDS)
    refused = errors.handle(error, {})
    if refused is None:
        raise error
    kept = {name: value for name, value in refused.headers.items() if name != "Content-Type"}
    return JsonResponse(refused.data, status=refused.status_code, headers=kept)


async def _nothing() -> AsyncIterator[str]:
    return
    yield ""  # which makes it a stream
