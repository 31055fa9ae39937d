"""The short way in for what makes up nearly all of a match: actions and looks that bring a token.

It stands before Django (config/wsgi.py) and leaves all that is not plain to the ordinary door, which is
`games.api.play` behind Django's middleware: sessions, idempotency keys, queries, bodies that cannot be read,
tokens that are no good. It parses, acts, shows and refuses by the same functions; what it spares is the way
there, and one statement signs in and reads the table; where this process knows who and what, and the table
need not be shown, none does.

The headers that its answers share with those of the ordinary door are learnt from one of them: the first
request of a kind goes there.
"""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from io import BytesIO
from typing import Any, NamedTuple

import orjson
from django.core.handlers.exception import response_for_exception
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.utils.log import log_response
from rest_framework.exceptions import AuthenticationFailed

from accounts.commands import seen
from games import limits
from games.api import errors
from games.api.answers import BRIEF, minimal, now
from games.api.auth import bearer_token
from games.api.parsing import MOST_BYTES, Body, Malformed, parse_json
from games.api.play import Action, act, action_in
from games.api.throttles import throttled
from games.commands.play import Unproven
from games.engine.moves import Bid
from games.queries.asking import Asking, asking, remember, remembered
from games.queries.table import shown

_ADDRESS = re.compile(r"/api/v1/tables/([^/]{1,16})(/actions)?")
_KINDS = {("POST", "/actions"), ("GET", None)}
# What only the ordinary door has an eye for.
_NOT_PLAIN = (
    *("HTTP_IDEMPOTENCY_KEY", "HTTP_IF_NONE_MATCH", "HTTP_TRANSFER_ENCODING", "QUERY_STRING", "SCRIPT_NAME"),
)
# Beside the kind, what the headers of an answer may depend on.
_WORN_FOR = ("wsgi.url_scheme", "HTTP_HOST", "HTTP_X_FORWARDED_PROTO")
_MOST_LEARNT = 64
# What an answer has for itself.
_OWN = frozenset({"content-length", "content-type", "etag", "preference-applied", "x-request-id"})
# What the rows have the last word on.
_ASK_THE_ROWS: tuple[type[Exception], ...] = (Unproven, *errors.REFUSALS)
_NEVER_LEARNT = frozenset({"set-cookie", "idempotency-replayed"})

Environ = MutableMapping[str, Any]
Headers = Mapping[str, str]


class Answer(NamedTuple):
    """A whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes


class _Asked(NamedTuple):
    """A plain request: with an action, or for the view."""

    table_id: str
    token: str
    action: Action | None


_learnt: dict[tuple[Any, ...], dict[str, str]] = {}


def answer(environ: Environ) -> Answer | None:
    """The answer to a plain request; None where the ordinary door is to answer."""
    match = _ADDRESS.fullmatch(environ["PATH_INFO"])
    if match is None or (environ["REQUEST_METHOD"], match[2]) not in _KINDS:
        return None
    if any(environ.get(name) for name in _NOT_PLAIN):
        return None
    worn = _learnt.get(_like(environ))
    asked = None if worn is None else _asked(environ, match[1], acts=match[2] is not None)
    if worn is None or asked is None:
        return None
    try:
        return _answered(environ, asked, worn)
    finally:
        if not connection.in_atomic_block:  # as in tests
            connection.close_if_unusable_or_obsolete()


def learn(environ: Environ, status: int, headers: Iterable[tuple[str, str]]) -> None:
    """Keep the headers of an answer of the ordinary door, where it is one that this door might have given."""
    match = _ADDRESS.fullmatch(environ["PATH_INFO"])
    if status != 200 or match is None or (environ["REQUEST_METHOD"], match[2]) not in _KINDS:
        return
    worn = {name: value for name, value in headers if name.lower() not in _OWN}
    if not _NEVER_LEARNT.isdisjoint(name.lower() for name in worn):
        return
    if len(_learnt) >= _MOST_LEARNT:
        _learnt.clear()
    _learnt[_like(environ)] = worn


def _like(environ: Environ) -> tuple[Any, ...]:
    return environ["REQUEST_METHOD"], *(environ.get(name) for name in _WORN_FOR)


def _asked(environ: Environ, table_id: str, *, acts: bool) -> _Asked | None:
    """What is asked for, in so far as it is plain."""
    try:
        token = bearer_token(environ.get("HTTP_AUTHORIZATION"))
        if token is None:
            return None
        return _Asked(table_id, token, action_in(Body(parse_json(_body(environ)))) if acts else None)
    except (AuthenticationFailed, Malformed):
        return None


def _body(environ: Environ) -> bytes:
    """The body, which stays there for the ordinary door."""
    length = environ.get("CONTENT_LENGTH") or ""
    if not (length.isascii() and length.isdigit() and int(length) <= MOST_BYTES):
        raise Malformed("left to the ordinary door")
    raw: bytes = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = BytesIO(raw)
    return raw


def _answered(environ: Environ, asked: _Asked, worn: Headers) -> Answer | None:
    """The answer, or a refusal; None for a token that is not good."""
    try:
        who = _remembered(environ, asked) or asking(asked.table_id, token=asked.token)
        if who is None:
            return None
        _note(environ, asked, who)
        if asked.action is None:
            return _view(who, worn)
        if who.proof is not None:
            answered = _acted_from_memory(environ, asked.action, who, worn)
            if answered is not None:
                return answered
            who = asking(asked.table_id, token=asked.token)
        return None if who is None else _acted(environ, asked.action, who, worn)
    except Exception as error:  # whatever it is, the ordinary door would answer it
        return _refused(environ, error, worn)


def _remembered(environ: Environ, asked: _Asked) -> Asking | None:
    """Who bids at a table that this process remembers; of no use to whoever is to be shown the table."""
    action = asked.action
    if action is None or not isinstance(action.move, Bid) or not minimal(environ):
        return None
    return remembered(asked.table_id, action.seen, token=asked.token)


def _note(environ: Environ, asked: _Asked, who: Asking) -> None:
    """They are there, and perhaps ask for too much."""
    seen_at = seen(player_id=who.player_id, before=who.seen_at, now=now())
    if who.proof is None or seen_at != who.seen_at:
        remember(who, seen_at=seen_at)
    if asked.action is not None and limits.often(who.player_id):
        with throttled():
            limits.count_change(WSGIRequest(dict(environ)), who.player_id)


def _acted_from_memory(environ: Environ, action: Action, who: Asking, worn: Headers) -> Answer | None:
    """The answer to a bid at a remembered table; whatever stands in its way, the rows have the last word."""
    try:
        return _acted(environ, action, who, worn)
    except _ASK_THE_ROWS:
        return None


def _acted(environ: Environ, action: Action, who: Asking, worn: Headers) -> Answer:
    brief = minimal(environ)
    document = act(action, table_id=who.table_id, player_id=who.player_id, brief=brief, known=who.table)
    return _whole(200, worn, orjson.dumps(document), BRIEF if brief else {})


def _view(who: Asking, worn: Headers) -> Answer:
    view = shown(who.table, who.player_id)
    return _whole(200, worn, orjson.dumps(view.document), {"ETag": view.etag})


def _refused(environ: Environ, error: Exception, worn: Headers) -> Answer:
    """The answer to a refusal, or to a fault of ours, as the ordinary door gives it."""
    request = WSGIRequest(dict(environ))
    refusal = errors.handle(error, {})
    if refusal is None:
        fault: Any = response_for_exception(request, error)
        return _whole(fault.status_code, worn, fault.content, {})
    if refusal.status_code >= 500:
        log_response("%s: %s", refusal.reason_phrase, request.path, response=refusal, request=request)
    own = {name: value for name, value in refusal.items() if name != "Content-Type"}
    return _whole(refusal.status_code, worn, orjson.dumps(refusal.data), own)


def _whole(status: int, worn: Headers, body: bytes, own: Headers) -> Answer:
    entity = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    return Answer(status, {**worn, **own, **entity}, body)
