"""The WSGI application, for granian or any other server of that kind."""

import os
from collections.abc import Iterable
from http import HTTPStatus
from io import BytesIO
from typing import Any

import structlog
from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

from config import request_ids  # noqa: E402 - Django is set up by now
from games.api import quick  # noqa: E402 - likewise

_REASONS = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer one request, whose body may have come in chunks."""
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        _gather(environ)
    environ["HTTP_X_REQUEST_ID"] = name = request_ids.name_of(environ.get("HTTP_X_REQUEST_ID", ""))
    answer = quick.answer(environ)
    if answer is None:
        return _django(environ, _learning(environ, start_response))
    structlog.contextvars.clear_contextvars()
    start_response(_REASONS[answer.status], [*answer.headers.items(), (request_ids.HEADER, name)])
    return (answer.body,)


def _learning(environ: dict[str, Any], start_response: Any) -> Any:
    """`start_response`, with the short way in looking on."""

    def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        quick.learn(environ, int(status[:3]), headers)
        return start_response(status, headers, *rest)

    return start


def _gather(environ: dict[str, Any]) -> None:
    """Give the body a length: without one Django takes it for empty.

    Of a body that is too large one byte more than is allowed is kept, so that Django says what is wrong.
    """
    body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    environ["wsgi.input"] = BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
