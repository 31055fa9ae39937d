"""How much one client may do, as the API counts and says it."""

from collections.abc import Iterator
from contextlib import contextmanager

from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.models import Player
from games import limits
from games.api.auth import player_needed, player_of


def slow_down_guests(request: Request) -> None:
    """Count a new guest; raise `Throttled` where too many came from one address."""
    with throttled():
        limits.count_guest(request._request)


def slow_down_tables(request: Request) -> None:
    """Count a new table of this player and of their address."""
    player = player_of(request)
    with throttled():
        limits.count_table(request._request, player.id if player else None)


def writing_player(request: Request) -> Player:
    """The player who asks for a change, counted before anything else is looked at."""
    player = player_needed(request)
    with throttled():
        limits.count_change(request._request, player.id)
    return player


@contextmanager
def throttled() -> Iterator[None]:
    """Say in the API's own way that somebody is to slow down."""
    try:
        yield
    except limits.SlowDown as error:
        raise Throttled(wait=error.wait) from None
