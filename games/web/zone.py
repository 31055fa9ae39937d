"""Times are shown in the zone of whoever looks: as they chose, else as their browser told, else in UTC."""

from collections.abc import Callable
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.web.visit import preferences

COOKIE = "tz"


class ZoneMiddleware:
    """Puts each page into the zone of its visitor; the API speaks UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/"):
            return self._get_response(request)
        name = _chosen(request) or request.COOKIES.get(COOKIE, "")
        with timezone.override(ZoneInfo(name) if name in _known() else None):
            return self._get_response(request)


def _chosen(request: HttpRequest) -> str:
    try:
        return preferences(request).time_zone
    except DatabaseError:
        return ""  # the page itself says that the rows are away


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
