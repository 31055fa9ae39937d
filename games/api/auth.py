"""Who asks: the bearer of a token, or who is signed in to the site."""

from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from accounts.commands import seen
from accounts.models import Player
from accounts.queries import player_by_token
from accounts.sessions import player_of_session


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; a token that is not good is refused, also where none is needed."""

    def authenticate(self, request: Request) -> tuple[Any, str] | None:
        token = bearer_token(request.META.get("HTTP_AUTHORIZATION"))
        if token is None:
            return None
        player = player_by_token(token)
        if player is None:
            raise AuthenticationFailed("This token is not good.")
        seen(player_id=player.id, before=player.seen_at, now=timezone.now())
        return player, "token"

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SiteSessionAuthentication(SessionAuthentication):
    """The site's session cookie, with CSRF protection for whatever changes something."""

    def authenticate(self, request: Request) -> tuple[Any, str] | None:
        player = player_of_session(request._request)
        if player is None:
            return None
        # Django keeps it for whoever reads it again; the check of the CSRF token would use it up.
        _ = request._request.body
        self.enforce_csrf(request)
        seen(player_id=player.id, before=player.seen_at, now=timezone.now())
        return player, "session"


def bearer_token(header: str | None) -> str | None:
    """The token of an Authorization header, None without header; refused where it is anything else."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise AuthenticationFailed("Send the token as Authorization: Bearer TOKEN.")
    return token.strip()


def player_of(request: Request) -> Player | None:
    """The player who asks, or None for whoever brings neither token nor session."""
    return request.user if isinstance(request.user, Player) else None


def player_needed(request: Request) -> Player:
    """The player who asks; refused where there is none."""
    player = player_of(request)
    if player is None:
        raise NotAuthenticated("This needs a token: POST to guests for one.")
    return player
