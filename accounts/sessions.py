"""Who is at the site in this browser: an account that signed in, or a guest whom the session remembers."""

from datetime import datetime

from django.http import HttpRequest

from accounts.commands import new_guest
from accounts.models import Player
from accounts.queries import player_of_user

_GUEST = "guest"


def player_of_session(request: HttpRequest) -> Player | None:
    """Return the player of this session, or None for somebody who never played here."""
    if request.user.is_authenticated:
        return player_of_user(request.user)
    player_id = request.session.get(_GUEST)
    if player_id is None:
        return None
    # A guest who took an account is reached by signing in alone.
    return Player.objects.filter(pk=player_id, user=None).first()


def player_at_hand(request: HttpRequest, *, now: datetime, name: str | None = None) -> Player:
    """Return the player of this session; somebody new becomes a guest whom the session remembers."""
    player = player_of_session(request)
    if player is None:
        player = new_guest(name=name, now=now)
        request.session[_GUEST] = player.id
    return player


def guest_of_session(request: HttpRequest) -> Player | None:
    """Return the guest that this session began as, also once an account has signed in."""
    player_id = request.session.get(_GUEST)
    return None if player_id is None else Player.objects.filter(pk=player_id, user=None).first()


def forget_guest(request: HttpRequest) -> None:
    """Let the session no longer speak for its guest."""
    request.session.pop(_GUEST, None)
