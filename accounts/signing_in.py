"""Signing in at the admin: a few attempts a minute from one address, so that nobody guesses for ever."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

SECONDS = 60


def few_attempts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let each address post to this view only so often; the rest hear when to come back."""

    def attempted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and _attempts(request) > settings.SIGN_IN_ATTEMPTS:
            return HttpResponse(
                "Too many attempts: wait a minute.\n",
                status=429,
                content_type="text/plain; charset=utf-8",
                headers={"Retry-After": str(SECONDS)},
            )
        return view(request, *args, **kwargs)

    return attempted


def _attempts(request: HttpRequest) -> int:
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    proxies = settings.TRUSTED_PROXIES
    address = forwarded[-proxies] if 0 < proxies <= len(forwarded) else request.META.get("REMOTE_ADDR", "")
    key = f"sign-in:{address}"
    try:
        cache.add(key, 0, SECONDS)
        return int(cache.incr(key))
    except Exception:
        return 0  # no cache, no count: nobody is locked out by it
