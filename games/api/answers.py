"""The forms of an answer: fresh, unchanged, minimal, a page, or the first answer to a key once more."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import orjson
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Player
from games.api import errors
from games.api.parsing import Malformed
from games.api.rendering import PRIVATE
from games.clocks import whole_milliseconds
from games.commands import once

MOST_KEY = 128


def now() -> Any:
    """The time of this request."""
    return whole_milliseconds(timezone.now())


def answer(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer for this reader only."""
    return Response(data, status=status, headers={**PRIVATE, **(headers or {})})


def minimal(meta: Mapping[str, Any]) -> bool:
    """Does the client want no more than the new version?"""
    prefer: str = meta.get("HTTP_PREFER", "")
    if not prefer:
        return False
    return any(wish.strip().lower() == "return=minimal" for wish in prefer.replace(";", ",").split(","))


BRIEF = {"Preference-Applied": "return=minimal"}
"""What a minimal answer says of itself."""


def page(request: Request, results: list[dict[str, Any]], cursor: str | int | None) -> Response:
    """A page, and the address of the next one."""
    following = None
    if cursor is not None:
        query = urlencode({**request.query_params.dict(), "cursor": cursor})
        following = absolute(request, f"{request.path}?{query}")
    return answer({"results": results, "next": following})


def absolute(request: Request, path: str) -> str:
    """The whole address of a path: where people find us, if that was told, else where this was asked."""
    return f"{settings.BASE_URL}{path}" if settings.BASE_URL_TOLD else request.build_absolute_uri(path)


def answer_once(request: Request, player: Player, act: Callable[[], Response]) -> HttpResponse:
    """What `act` answers; where the request brings an idempotency key, its first answer every time."""
    key = _text_of_header(request, "HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return act()
    if not 1 <= len(key) <= MOST_KEY:
        raise Malformed(f"An Idempotency-Key has 1 to {MOST_KEY} characters.", field="Idempotency-Key")
    raw = request._request.body  # Django keeps it, and the parser reads it from there
    _ = request.data  # what is no JSON is malformed, with whatever key
    asked = once.Request.of(player.id, named=f"{request.method} {request.path}\n{key}", asked=raw)
    answered = once.once(asked, lambda: _answered(act), now=now())
    response = HttpResponse(answered.body, status=answered.status, content_type="application/json")
    for name, value in PRIVATE.items():
        response[name] = value
    if answered.status == 200 and minimal(request.META):
        for name, value in BRIEF.items():
            response[name] = value
    if answered.replayed:
        response["Idempotency-Replayed"] = "true"
    return response


def _answered(act: Callable[[], Response]) -> once.Answered:
    """The answer to keep: a refusal too, but no fault of ours and no "slow down"."""
    try:
        with transaction.atomic():
            response = act()
    except errors.REFUSALS as error:
        refused = errors.handle(error, {})
        if refused is None or refused.status_code == 429 or refused.status_code >= 500:
            raise
        response = refused
    return once.Answered(status=response.status_code, body=orjson.dumps(response.data))


def _text_of_header(request: Request, name: str) -> str | None:
    """A header as its sender wrote it: WSGI hands on each byte of its UTF-8 as a letter of its own."""
    text: str | None = request.META.get(name)
    try:
        return None if text is None else text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
