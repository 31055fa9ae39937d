"""One table from refusals to answers: which status, which code, which words."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from accounts.names import NameRefused
from games.access import NothingThere, NotYours, SeatNeeded
from games.api.parsing import Malformed, UnknownWord
from games.api.rendering import PRIVATE
from games.clocks import ClockRefused
from games.commands.lobby import LobbyRefused, Taken
from games.commands.once import InProgress, KeyReused
from games.commands.play import NotStarted, Stale
from games.computers.registry import ComputerRefused
from games.engine.dice import SeedRefused
from games.engine.moves import IllegalMove
from games.engine.rules import RulesRefused
from games.queries.lists import BadCursor
from games.queries.table import Busy

_log = structlog.get_logger(__name__)

STATUSES: Mapping[type[Exception], int] = {
    Malformed: 400,
    BadCursor: 400,
    SeatNeeded: 400,
    NothingThere: 404,
    NotYours: 403,
    Stale: 409,
    Taken: 409,
    InProgress: 409,
    KeyReused: 422,
    LobbyRefused: 422,
    UnknownWord: 422,
    NotStarted: 422,
    IllegalMove: 422,
    RulesRefused: 422,
    ClockRefused: 422,
    ComputerRefused: 422,
    SeedRefused: 422,
    NameRefused: 422,
}

REFUSALS: tuple[type[Exception], ...] = (*STATUSES, exceptions.APIException)
"""Every way to say no that is no fault of ours."""

_FIELDS: Mapping[type[Exception], str] = {
    NameRefused: "name",
    SeedRefused: "client_seed",
    SeatNeeded: "seat",
    BadCursor: "cursor",
}

_FRAMEWORK: Mapping[int, tuple[str, str | None]] = {
    400: ("malformed", "The request cannot be read."),
    401: ("unauthenticated", None),
    403: ("forbidden", None),
    404: ("not_found", "There is nothing here that you may see."),
    405: ("method_not_allowed", "This address does not answer to that method."),
    429: ("slow_down", "Too many requests: wait a little."),
}

CHALLENGE = "Bearer"
RETRY_SECONDS = 1


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to a refusal; None for a fault of ours."""
    status = STATUSES.get(type(error))
    if status is not None:
        return Response(_document(error), status=status, headers=PRIVATE)
    if isinstance(error, Busy | OperationalError | InterfaceError):
        return _try_again(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, RequestDataTooBig | SuspiciousOperation):
        error = exceptions.ParseError()
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return None


def _document(error: Exception) -> dict[str, Any]:
    document: dict[str, Any] = {
        "code": getattr(error, "code", "refused"),
        "message": _printable(getattr(error, "message", str(error))),
    }
    if isinstance(error, Stale | Taken):
        document["version"] = error.version
    field = getattr(error, "option", None) or getattr(error, "field", None) or _FIELDS.get(type(error))
    if field:
        document["fields"] = {_printable(field)[:60]: [document["message"]]}
    return document


def _of_framework(error: exceptions.APIException) -> Response:
    code, words = _FRAMEWORK.get(error.status_code, ("refused", None))
    headers = dict(PRIVATE)
    if isinstance(error, exceptions.Throttled):
        headers["Retry-After"] = str(int(getattr(error, "wait", None) or 0) + 1)
    if error.status_code == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    return Response(
        {"code": code, "message": words or str(error.detail)}, status=error.status_code, headers=headers
    )


def _try_again(error: Exception) -> Response:
    _log.warning("try_again", error=type(error).__name__)
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    return Response(
        {"code": "unavailable", "message": "This cannot be done just now: try again in a moment."},
        status=503,
        headers={**PRIVATE, "Retry-After": str(RETRY_SECONDS)},
    )


def _printable(text: str) -> str:
    """The text without the lone surrogates that no UTF-8 can write."""
    return text.encode("utf-8", "replace").decode("utf-8")
