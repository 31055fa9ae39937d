"""Pages about people: my own, a player's as others see it, and past matches to search in."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any, TypeAlias

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Player
from accounts.queries import player_by_id, preferences_of
from accounts.sessions import forget_guest, guest_of_session
from games.engine.words import number_words
from games.queries import people
from games.queries.lists import BadCursor
from games.web import terms, words
from games.web.people_forms import RESULT_LABELS, RULES_LABELS, MatchesForm
from games.web.visit import player_of, private

Document: TypeAlias = Mapping[str, Any]
Shown: TypeAlias = dict[str, Any]

KIND_WORDS = {
    "people": "People",
    "easy": "Easy computers",
    "normal": "Normal computers",
    "hard": "Hard computers",
    "bots": "Bots",
}


@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """My own page; for somebody new, how to become somebody."""
    player = player_of(request)
    guest = guest_of_session(request) if request.user.is_authenticated else None
    context: Shown = {"guest": guest, "mail": settings.MAIL, "where": "You"}
    if player is not None:
        context |= _profile(player, viewer_id=player.id) | {
            "latest": [_match(match) for match in _mine(player, people.Search()).results[:5]],
        }
    return private(render(request, "games/me.html", context))


@require_safe
def player(request: HttpRequest, player_id: str) -> HttpResponse:
    """A player as others see them."""
    shown = player_by_id(player_id)
    if shown is None:
        raise Http404
    viewer = player_of(request)
    viewer_id = None if viewer is None else viewer.id
    latest = people.latest_matches(shown.id, viewer_id=viewer_id)
    context = _profile(shown, viewer_id=viewer_id) | {
        "latest": [_match(match) for match in latest],
        "is_me": viewer_id == shown.id,
        "is_known": viewer is not None,
        "shares_mirror": preferences_of(shown).share_mirror,
        "where": shown.name,
    }
    return private(render(request, "games/player.html", context))


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """My past matches, those that I look for or all of them."""
    player = player_of(request)
    form = MatchesForm(request.GET)
    context: Shown = {
        "form": form,
        "rules": RULES_LABELS,
        "results": RESULT_LABELS,
        "searched": _asked(request.GET),
        "where": "Past matches",
    }
    if player is not None and form.is_valid():
        try:
            page = _mine(player, _search(form.cleaned_data), cursor=request.GET.get("cursor") or None)
        except BadCursor as error:
            raise Http404 from error
        context["matches"] = [_match(match) for match in page.results]
        context["next"] = _next(request.GET, page.cursor)
        context["against"] = _named(form.cleaned_data["with"])
    return private(render(request, "games/matches.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    """Let this browser forget its guest, for good, after asking."""
    guest = guest_of_session(request)
    if guest is None:
        return redirect("me")
    if request.method != "POST":
        return private(render(request, "games/me_forget.html", {"guest": guest, "where": "You"}))
    if request.user.is_authenticated:
        forget_guest(request)
    else:
        request.session.flush()
    messages.success(request, f"This browser has forgotten {guest.name}.")
    return redirect("me" if request.user.is_authenticated else "home")


def _profile(shown: Player, *, viewer_id: str | None) -> Shown:
    """What everybody may know of a player."""
    numbers = people.statistics(shown.id, viewer_id=viewer_id)
    return {
        "player": shown,
        "numbers": numbers,
        "lost": numbers.played - numbers.won,
        "against": [_against(kind) for kind in numbers.against],
    }


def _against(kind: people.Against) -> Shown:
    return {
        "kind": KIND_WORDS.get(kind.kind, kind.kind),
        "played": kind.played,
        "won": kind.won,
        "share": f"{round(100 * kind.won / kind.played)} %" if kind.played else "–",
    }


def _mine(player: Player, search: people.Search, *, cursor: str | None = None) -> people.Matches:
    return people.my_matches(player.id, search, cursor=cursor)


def _search(wanted: Document) -> people.Search:
    """What the form looks for; its days are those of the reader's zone."""
    since, until = wanted["since"], wanted["until"]
    return people.Search(
        opponent=wanted["opponent"],
        opponent_id=wanted["with"],
        rules=wanted["rules"],
        result=wanted["result"],
        since=_midnight(since) if since else None,
        until=_midnight(until + timedelta(days=1)) if until else None,
    )


def _midnight(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _asked(query: QueryDict) -> bool:
    return any(query.get(name, "").strip() for name in MatchesForm.base_fields)


def _next(query: QueryDict, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    after = query.copy()
    after["cursor"] = cursor
    return after.urlencode()


def _named(player_id: str) -> Player | None:
    return player_by_id(player_id) if player_id else None


def _match(match: Document) -> Shown:
    """A past match in words."""
    ranked = "ranked" if match["mode"] == "ranked" else terms.rules_line(match["rules"])
    return {
        "id": match["id"],
        "name": match["name"],
        "opponents": [
            {
                "id": other["id"] if other["kind"] != "computer" else None,
                "name": other["name"],
                "level": other.get("level"),
                "bot": other["kind"] == "bot",
            }
            for other in match["opponents"]
        ],
        "line": f"{ranked} · {terms.clock_line(match['clock'])}",
        "rounds": _rounds(match["rounds"]),
        "ended_at": match["ended_at"],
        "unlifted": match["unlifted"],
        "outcome": words.CUPS_WAIT if match["unlifted"] else _outcome(match),
    }


def _rounds(number: int) -> str:
    return f"{number_words(number)} {'round' if number == 1 else 'rounds'}"


def _outcome(match: Document) -> str:
    """How it went, in a word or two: `won`, `third of four`."""
    if match["result"] == "won":
        return "won"
    if match["result"] == "drawn":
        return "drawn"
    if match["result"] == "left":
        return "left"
    return f"{words.ordinal_words(match['place'])} of {number_words(match['seats'])}"
