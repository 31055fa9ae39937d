"""What a proxy or a watchman asks: does this process answer, and can it do its work?

`/healthz` looks at nothing but the process. `/readyz` is 503 only while no move can be made: the database is
away or behind this version. Without Redis or with a silent schedule moves go on, so that is told and no more.
"""

import threading
import time
from contextlib import suppress
from functools import cache as once
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin

from games.management.preparation import database_lags

ALIVE, READY = "/healthz", "/readyz"
RETRY_SECONDS = 5
# However many ask, the services are looked at no more often than this.
LOOK_SECONDS = 1.0

SWEEP = "games.run_due_tables"
SWEPT_AT = "health.swept-at"
SWEEP_LATE_SECONDS = 15.0

_looking = threading.Lock()
_looked: tuple[float, dict[str, str]] = (float("-inf"), {})
_up_to_date = False


class HealthMiddleware(MiddlewareMixin):
    """Answers before anything else can refuse: a probe knows no host name and has no session."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.path_info not in (ALIVE, READY):
            return None
        if request.method not in ("GET", "HEAD"):
            return _answer({"status": "method_not_allowed"}, status=405, Allow="GET, HEAD")
        return _answer({"status": "alive"}) if request.path_info == ALIVE else _readiness()


def note_sweep() -> None:
    """Remember that the rows were looked through just now; without Redis there is nowhere to."""
    with suppress(Exception):
        cache.set(SWEPT_AT, time.time(), timeout=24 * 3600)


def _readiness() -> HttpResponse:
    checks = _checks()
    if checks["database"] != "ok":
        return _answer({"status": "unready", **checks}, status=503, **{"Retry-After": str(RETRY_SECONDS)})
    whole = checks["redis"] in ("ok", "none") and checks["sweep"] == "ok"
    return _answer({"status": "ready" if whole else "degraded", **checks})


def _checks() -> dict[str, str]:
    global _looked
    with _looking:
        looked_at, checks = _looked
        if time.monotonic() - looked_at > LOOK_SECONDS:
            redis = _redis()
            sweep = "unknown" if redis == "unreachable" else _sweep()
            checks = {"database": _database(), "redis": redis, "sweep": sweep}
            _looked = time.monotonic(), checks
        return checks


def _database() -> str:
    global _up_to_date
    try:
        # The tables never go back under a running process, so that question is asked until the first yes.
        _up_to_date = _up_to_date or not database_lags()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        connection.close()
        return "unreachable"
    return "ok" if _up_to_date else "not migrated"


def _redis() -> str:
    if not settings.REDIS_URL:
        return "none"
    try:
        _client(settings.REDIS_URL).ping()
    except Exception:  # in whatever way it is away
        return "unreachable"
    return "ok"


def _sweep() -> str:
    try:
        swept_at = cache.get(SWEPT_AT)
    except Exception:  # Redis went away just now
        return "unknown"
    if swept_at is None:
        return "unknown"
    return "ok" if time.time() - swept_at < SWEEP_LATE_SECONDS else "late"


@once
def _client(url: str) -> Any:
    import redis  # not for a club, which has none and would carry it all the same

    return redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)


def _answer(body: dict[str, str], *, status: int = 200, **headers: str) -> HttpResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store", **headers})
