"""What a visitor reads when the database is away for a moment."""

from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from games.queries.table import Busy

RETRY_SECONDS = 5


class BusyMiddleware:
    """Turns a database that is busy or away into 503 and a sentence; the API has an answer of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Busy | OperationalError | InterfaceError):
            return None
        connection.close_if_unusable_or_obsolete()
        nobody = {"me": None, "theme": "", "waiting_count": 0}
        message = "This cannot be shown just now. Please try again in a moment."
        page = render_to_string("error.html", {"message": message, "status": 503, **nobody})
        return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
