"""Who acts on a page: counted, known, and a guest of this browser where they are somebody new."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.commands import seen
from accounts.models import Player
from accounts.names import NameRefused
from accounts.sessions import player_at_hand
from games import limits
from games.access import NothingThere, NotYours
from games.clocks import ClockRefused, whole_milliseconds
from games.commands.lobby import LobbyRefused, Taken
from games.computers.registry import ComputerRefused
from games.engine.dice import SeedRefused
from games.engine.rules import RulesRefused
from games.web.pressing import key_of
from games.web.visit import player_of

REFUSALS = (
    *(LobbyRefused, Taken, NotYours, NothingThere),
    *(RulesRefused, ClockRefused, ComputerRefused, SeedRefused, NameRefused),
)
"""Every way in which a table, or a seat of it, can be refused; each says why in a sentence."""

Params = ParamSpec("Params")
View = Callable[Concatenate[HttpRequest, Params], HttpResponse]


def now() -> datetime:
    """The time of this request."""
    return whole_milliseconds(timezone.now())


def door(view: View[Params]) -> View[Params]:
    """A view that changes something: by POST alone, counted, with a page for who does too much."""

    @require_POST
    @wraps(view)
    def counted(request: HttpRequest, *args: Params.args, **named: Params.kwargs) -> HttpResponse:
        try:
            count_change(request)
            return view(request, *args, **named)
        except limits.SlowDown as error:
            return slowed(render(request, "games/slow_down.html"), error)

    return counted


def count_change(request: HttpRequest) -> None:
    """Count a request for a change, of whoever asks; raise `SlowDown` where there were too many."""
    player = player_of(request)
    limits.count_change(request, player.id if player else None)


def slowed(response: HttpResponse, error: limits.SlowDown) -> HttpResponse:
    """The same page as an answer that says when to try again."""
    response.status_code = 429
    response["Retry-After"] = str(error.retry_after)
    return response


def somebody(request: HttpRequest, *, name: str | None = None, now: datetime) -> Player:
    """The player of this browser; who is nobody yet becomes a guest of it, where the limits allow."""
    player = player_of(request)
    if player is None:
        limits.count_guest(request)
        player = player_at_hand(request, now=now, name=name, press=key_of(request))
        request._player = player  # type: ignore[attr-defined]  # where `player_of` looks
    else:
        seen(player_id=player.id, before=player.seen_at, now=now)
    return player


def absolute(request: HttpRequest, path: str) -> str:
    """The whole address of a path: where people find us, if that was told, else where this was asked."""
    return f"{settings.BASE_URL}{path}" if settings.BASE_URL_TOLD else request.build_absolute_uri(path)
