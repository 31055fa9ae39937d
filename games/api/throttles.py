"""How much one client may do: few guests and tables, many moves. Without a cache nobody is slowed down."""

import structlog
from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from games.api.auth import player_of

_log = structlog.get_logger(__name__)

_LOOPBACK = ("127.", "::1", "::ffff:127.")


class ClientThrottle(SimpleRateThrottle):
    """So many requests a span for one player, or for one address where nobody is known."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        player = player_of(request)
        ident = self.get_ident(request) if player is None else player.id
        return f"throttle:{self.scope}:{ident}"


def slow_down(request: Request, scope: str) -> None:
    """Count a request towards a limit; raise `Throttled` where it is over."""
    throttle = ClientThrottle(scope)
    if not settings.THROTTLE_LOOPBACK and throttle.get_ident(request).startswith(_LOOPBACK):
        return
    try:
        allowed = throttle.allow_request(request, None)  # type: ignore[arg-type]  # the view is not looked at
    except Exception as error:  # whatever a cache that is away may raise
        _log.warning("throttle_off", error=type(error).__name__)
        return
    if not allowed:
        raise Throttled(wait=throttle.wait())
