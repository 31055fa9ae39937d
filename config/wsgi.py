"""The WSGI application, for granian or any other server of that kind."""

import os
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer one request, whose body may have come in chunks."""
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        _gather(environ)
    return _django(environ, start_response)


def _gather(environ: dict[str, Any]) -> None:
    """Give the body a length: without one Django takes it for empty.

    Of a body that is too large one byte more than is allowed is kept, so that Django says what is wrong.
    """
    body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    environ["wsgi.input"] = BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
