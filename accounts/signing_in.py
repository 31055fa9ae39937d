"""Signing in, with attempts counted: by us at the admin, by allauth elsewhere."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.addresses import address_of

View: TypeAlias = Callable[..., HttpResponse]

SECONDS = 60
RETRY_SECONDS = 5

MOST_CREDENTIAL = 64 * 1024
"""The characters of a credential; those of today's keys are a few thousand."""


def few_attempts(view: View) -> View:
    """Let each address post to this view only so often; the rest hear when to come back."""

    def attempted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and _attempts(request) > settings.SIGN_IN_ATTEMPTS:
            return _plain(429, "Too many attempts: wait a minute.", SECONDS)
        return view(request, *args, **kwargs)

    return attempted


def counted(view: View) -> View:
    """Answer 503 where attempts cannot be counted: without its cache nobody can be kept from guessing."""

    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Exception as error:
            if not type(error).__module__.startswith("redis."):
                raise
            words = "Signing in does not work just now; tables do. Please try again in a moment."
            return _plain(503, words, RETRY_SECONDS)

    return answered


def passkeys(name: str) -> View:
    """A view of passkeys, loaded when it is first asked for: a site that uses none starts without them."""

    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        from allauth.mfa.webauthn import views

        view: View = getattr(views, name)
        if request.method == "POST" and not _readable(request.POST.get("credential", "")):
            # As if there were none: the form says so in its own words.
            emptied = request.POST.copy()
            emptied["credential"] = ""
            request.POST = emptied  # type: ignore[assignment]  # a QueryDict like any other
        return view(request, *args, **kwargs)

    return answered


def _readable(credential: str) -> bool:
    """Can this be what a browser says of a passkey? allauth breaks on much of what cannot."""
    from fido2.webauthn import AuthenticationResponse, RegistrationResponse

    try:
        read = json.loads(credential) if len(credential) <= MOST_CREDENTIAL else {}
        made = "attestationObject" in read["response"]
        (RegistrationResponse if made else AuthenticationResponse).from_dict(read)
    except Exception:  # whatever its parser may stumble over: nothing but text is looked at here
        return False
    return True


def with_mail(view: View) -> View:
    """Show this page where the site can send mail, and elsewhere one that says that it cannot."""

    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if settings.MAIL:
            return view(request, *args, **kwargs)
        return render(request, "account/no_mail.html")

    return answered


def _plain(status: int, words: str, wait: int) -> HttpResponse:
    return HttpResponse(
        f"{words}\n",
        status=status,
        content_type="text/plain; charset=utf-8",
        headers={"Retry-After": str(wait)},
    )


def _attempts(request: HttpRequest) -> int:
    key = f"sign-in:{address_of(request) or ''}"
    try:
        cache.add(key, 0, SECONDS)
        return int(cache.incr(key))
    except Exception:
        return 0  # no cache, no count: nobody is locked out by it
