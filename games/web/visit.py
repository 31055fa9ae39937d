"""Who visits a page, and what every page shows of that: a name, a theme, how many tables wait."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from accounts.models import Player, Preferences
from accounts.queries import preferences_of
from accounts.sessions import player_of_session
from games.queries import lists


def player_of(request: HttpRequest) -> Player | None:
    """The player of this browser, looked up once a request; None for somebody who never played here."""
    if not hasattr(request, "_player"):
        request._player = player_of_session(request)  # type: ignore[attr-defined]
    return request._player  # type: ignore[attr-defined]


def preferences(request: HttpRequest) -> Preferences:
    """How this visitor likes the site, looked up once a request."""
    if not hasattr(request, "_preferences"):
        request._preferences = preferences_of(player_of(request))  # type: ignore[attr-defined]
    return request._preferences  # type: ignore[attr-defined]


def private(page: HttpResponse) -> HttpResponse:
    """The same page, kept by nobody: whoever comes back to it sees what is now, and forms not sent before."""
    page["Cache-Control"] = "private, no-store"
    return page


def visitor(request: HttpRequest) -> dict[str, Any]:
    """What every page shows of its visitor; nothing is looked up that a page does not show."""
    if not hasattr(request, "session"):
        return {}
    return {
        "me": SimpleLazyObject(lambda: player_of(request)),
        "theme": SimpleLazyObject(lambda: preferences(request).theme),
        "waiting_count": SimpleLazyObject(lambda: _waiting(request)),
    }


def _waiting(request: HttpRequest) -> int:
    player = player_of(request)
    return 0 if player is None else len(lists.waiting(player.id))
