"""How much one client may do: few guests and tables, many moves. Without a cache nobody is slowed down."""

import structlog
from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from accounts.models import Player
from games.api.auth import player_needed, player_of

_log = structlog.get_logger(__name__)

_LOOPBACK = ("127.", "::1", "::ffff:127.")


HOUSEHOLD = 6
"""As many people as one address may be, towards limits that count people."""


class PlayerThrottle(SimpleRateThrottle):
    """So many requests a span for one player."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        player = player_of(request)
        return f"throttle:{self.scope}:{player.id if player else self.get_ident(request)}"


class AddressThrottle(SimpleRateThrottle):
    """So many requests a span from one address, whoever asks; `people` may share it."""

    def __init__(self, scope: str, *, people: int) -> None:
        self.scope, self._people = scope, people
        super().__init__()

    def parse_rate(self, rate: str | None) -> tuple[int | None, int | None]:
        requests, seconds = super().parse_rate(rate)
        return None if requests is None else requests * self._people, seconds

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        return f"throttle:{self.scope}:at:{self.get_ident(request)}"


def slow_down_guests(request: Request) -> None:
    """Count a new guest; raise `Throttled` where too many came from one address."""
    _count(request, AddressThrottle("guests", people=1))


def slow_down_tables(request: Request) -> None:
    """Count a new table of this player, who is easily somebody else, and so of their address too."""
    _count(request, PlayerThrottle("tables"))
    _count(request, AddressThrottle("tables", people=HOUSEHOLD))


def writing_player(request: Request) -> Player:
    """The player who asks for a change, counted.

    This limit, unlike those on guests and tables, comes before all other refusals: it is there for a flood,
    whose requests are refused one by one and would otherwise cost a lock each.
    """
    player = player_needed(request)
    _count(request, PlayerThrottle("play"))
    return player


def _count(request: Request, throttle: SimpleRateThrottle) -> None:
    if not settings.THROTTLE_LOOPBACK and throttle.get_ident(request).startswith(_LOOPBACK):
        return
    try:
        allowed = throttle.allow_request(request, None)  # type: ignore[arg-type]  # the view is not looked at
    except Exception as error:  # whatever a cache that is away may raise
        _log.warning("throttle_off", error=type(error).__name__)
        return
    if not allowed:
        raise Throttled(wait=throttle.wait())
