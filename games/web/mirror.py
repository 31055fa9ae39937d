"""The mirror: how my bids and calls went over all my matches, for me alone unless I share it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.queries import player_by_id, preferences_of
from games.queries.mirror import Mirror, Tally, mirror_of
from games.web.visit import player_of, preferences, private

FEW = 30
"""Of so many bids and fewer, chance has the greater part."""

NEAR = 0.04
"""Shares that differ by less are told to be about the same."""


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """My own mirror."""
    player = player_of(request)
    if player is None:
        return redirect("me")
    return _page(request, player, shared=preferences(request).share_mirror)


@require_safe
def others(request: HttpRequest, player_id: str) -> HttpResponse:
    """The mirror of somebody who shares it; for all others there is none."""
    shown = player_by_id(player_id)
    if shown is None or not preferences_of(shown).share_mirror:
        raise Http404
    return _page(request, shown, shared=True)


def _page(request: HttpRequest, shown: Player, *, shared: bool) -> HttpResponse:
    viewer = player_of(request)
    mirror = mirror_of(shown.id, viewer_id=viewer.id if viewer else None)
    me = viewer is not None and viewer.id == shown.id
    context = {"where": "You" if me else "Players", "player": shown, "is_me": me, "shared": shared}
    return private(render(request, "games/mirror.html", context | _shown(mirror, me=me)))


def _shown(mirror: Mirror, *, me: bool) -> dict[str, Any]:
    return {
        "matches": mirror.matches,
        "few": mirror.bids.number <= FEW,
        "bids": _bids_words(mirror.bids, me=me),
        "calls": _calls_words(mirror, me=me),
        "by_tenth": _tenths(mirror.by_tenth),
        "calls_by_tenth": _tenths(mirror.calls_by_tenth),
        "by_dice": _rows(mirror.by_dice, ("die", "dice")),
        "by_players": _rows(mirror.by_players, ("player", "players")),
    }


def _bids_words(bids: Tally, *, me: bool) -> str:
    """How many bids were true, and what that says."""
    if not bids.number:
        return ""
    who, own = ("You", "your own") if me else ("They", "their own")
    told = f"{who} made {_many(bids.number, 'bid')}, of which {_percent(bids.share)} were true. "
    told += f"From {own} dice alone, {_percent(bids.expected)} were to be expected"
    if abs(bids.share - bids.expected) < NEAR:
        return f"{told}: about as many."
    if bids.share > bids.expected:
        return f"{told}: what others bid helps, or luck does."
    return f"{told}: the others held less of it than the odds say."


def _calls_words(mirror: Mirror, *, me: bool) -> list[str]:
    """How many calls were right, beside what one's own dice promised."""
    who, own = ("You", "your own") if me else ("They", "their own")
    told = []
    for tally, did in ((mirror.liar, "called liar"), (mirror.exact, "said spot on")):
        if tally.number:
            told.append(
                f"{who} {did} {_many(tally.number, 'time')} and were right in "
                f"{_percent(tally.share)}; from {own} dice alone it was {_percent(tally.expected)}."
            )
    return told


def _tenths(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """A row for each tenth in which there was anything."""
    return [
        {
            "label": f"{10 * tenth} to {10 * tenth + 10} %",
            "number": tally.number,
            "share": _percent(tally.share),
            "bar": round(100 * tally.share, 1),
            "tick": round(100 * tally.expected, 1),
        }
        for tenth, tally in enumerate(tallies)
        if tally.number
    ]


def _rows(tallies: Mapping[int, tuple[Tally, Tally]], what: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "label": f"{key} {what[0] if key == 1 else what[1]}",
            "bids": bids.number,
            "true": _percent(bids.share) if bids.number else "–",
            "calls": calls.number,
            "right": _percent(calls.share) if calls.number else "–",
        }
        for key, (bids, calls) in tallies.items()
    ]


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"
