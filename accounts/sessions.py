"""Who is at the site in this browser: an account that signed in, or a guest whom the session remembers.

Who signs up may take along what they played here as a guest. Who signs in to an account that is there already
may not: a browser is shared more easily than a password. The guest then stays what they were, and is there
again once the account has signed out.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.commands import guest_of_press, make_player, new_guest
from accounts.models import Player, User
from accounts.queries import player_of_user
from accounts.session_store import SessionStore

_GUEST = "guest"
_SIGNING_UP = "signing_up"
_RENEWED = "renewed"
RENEWED_EVERY = timedelta(days=14)
NOBODY_FOR = timedelta(days=1)
"""How long a session is kept that knows nobody: signing in and signing up leave notes there on the way."""


def player_of_session(request: HttpRequest) -> Player | None:
    """Return the player of this session, or None for somebody who never played here."""
    if request.user.is_authenticated:
        return player_of_user(request.user)
    return guest_of_session(request)


def player_at_hand(
    request: HttpRequest, *, now: datetime, name: str | None = None, press: str = ""
) -> Player:
    """Return the player of this session; somebody new becomes a guest whom the session remembers.

    `press` is the key of the form that was sent: the same form, sent twice by one browser, makes one guest.
    """
    player = player_of_session(request)
    if player is None:
        player = (
            guest_of_press(_mark(request, press), name=name, now=now)
            if press
            else new_guest(name=name, now=now)
        )
        if request.session.session_key:
            request.session.cycle_key()  # who knew the key before it was anybody's shall not be this guest
        remember_guest(request, player)
    return player


def _mark(request: HttpRequest, press: str) -> str:
    """What only this browser's sending of this form has in common with itself."""
    return f"{request.META.get('CSRF_COOKIE') or secrets.token_hex()}\n{press}"


def guest_of_session(request: HttpRequest) -> Player | None:
    """Return the guest that this session began as, also once an account has signed in."""
    player_id = request.session.get(_GUEST)
    # A guest who took an account is reached by signing in alone.
    if player_id is None:
        return None
    # With the preferences, which every page asks for.
    return Player.objects.select_related("preferences").filter(pk=player_id, user=None).first()


def remember_guest(request: HttpRequest, guest: Player) -> None:
    """Let the session speak for this guest."""
    request.session[_GUEST] = guest.id


def forget_guest(request: HttpRequest) -> None:
    """Let the session no longer speak for its guest."""
    request.session.pop(_GUEST, None)


def note_sign_up(request: HttpRequest, user: User, *, keep: bool) -> None:
    """Remember until the account is in for the first time whether its guest comes along."""
    request.session[_SIGNING_UP] = {"user": user.pk, "keep": keep}


def finish_sign_up(request: HttpRequest, user: User, *, now: datetime) -> None:
    """Make the player of an account that is in for the first time; for any other there is nothing to do."""
    noted = request.session.pop(_SIGNING_UP, None)
    if not noted or noted["user"] != user.pk:
        return
    guest = guest_of_session(request) if noted["keep"] else None
    if make_player(user=user, guest=guest, now=now):
        forget_guest(request)


def forget_old_sessions() -> None:
    """Forget the sessions whose time is over; no cookie opens them any more."""
    SessionStore.clear_expired()


class RollingSessionMiddleware:
    """Renews a session now and then while it is used, so that a guest of months is still known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        # Who did not look at the session shall not pay for it; and programs are not to be told of cookies.
        if request.session.accessed and not request.path.startswith("/api/"):
            _renew(request, now=timezone.now())
        return response


def _renew(request: HttpRequest, *, now: datetime) -> None:
    session = request.session
    if not ("_auth_user_id" in session or _GUEST in session):
        if session.modified and not session.is_empty():
            session.set_expiry(NOBODY_FOR)
        return
    today, last = now.date().toordinal(), session.get(_RENEWED, 0)
    if today - last >= RENEWED_EVERY.days:
        session[_RENEWED] = today
        session.set_expiry(settings.SESSION_COOKIE_AGE)
