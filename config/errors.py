"""What a client reads when a request reached no view, or broke there: JSON under /api/, else a page."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

WORDS = {
    HTTPStatus.BAD_REQUEST: ("malformed", "The request cannot be read."),
    HTTPStatus.FORBIDDEN: ("forbidden", "That is not yours to do."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing here that you may see."),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("server_error", "Something went wrong on our side. Please try again."),
}


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a request that Django itself turned away."""
    return _answer(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a request for something that is not this visitor's."""
    return _answer(request, HTTPStatus.FORBIDDEN)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that did not come from a page of ours."""
    return _answer(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a request for an address that leads nowhere."""
    return _answer(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest, *args: Any) -> HttpResponse:
    """Answer a request that broke, without saying what broke."""
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def _answer(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    code, message = WORDS[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "message": message}, status=status)
    # It looks nothing up and knows nobody, so that it can be shown whatever broke.
    nobody = {"me": None, "theme": "", "waiting_count": 0}
    try:
        page = render_to_string("error.html", {"message": message, "status": status, **nobody})
    except Exception:  # what broke may be the page itself
        return HttpResponse(f"{message}\n", status=status, content_type="text/plain; charset=utf-8")
    return HttpResponse(page, status=status)
