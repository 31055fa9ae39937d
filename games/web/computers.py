"""The page of the computers: who they are, how each leans, and what the levels can do."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.computers.characters import CHARACTERS

LEVEL_WORDS = (
    (
        "Easy",
        "Misjudges what is likely, and sometimes forgets that ones are wild. When it bluffs, it may show.",
    ),
    ("Normal", "Counts the odds from its own dice, and never shows a thing."),
    (
        "Hard",
        "Reads what everybody’s bids give away, weighs the match and not only the round, and mixes its play "
        "so that nobody can read it. With few dice left between two, it plays as well as it can be done.",
    ),
)


@require_safe
def computers(request: HttpRequest) -> HttpResponse:
    """Everybody who may sit down at a table without being a person."""
    context = {
        "where": "Computers",
        "characters": [
            {"key": key, "name": who.name, "manner": who.manner, "biography": who.biography}
            for key, who in CHARACTERS.items()
        ],
        "levels": LEVEL_WORDS,
    }
    return render(request, "games/computers.html", context)


def computers_at(table: Mapping[str, Any]) -> dict[int, dict[str, str]]:
    """The computers of a table by seat, in words; whoever plays on for a person is nobody in particular."""
    players = {seat["seat"]: seat["player"] for seat in table["seats"] if seat["player"]}
    return {
        seat: {"key": player["character"], "name": player["name"], "about": about(player)}
        for seat, player in players.items()
        if player["kind"] == "computer" and player["character"] in CHARACTERS
    }


def about(player: Mapping[str, Any]) -> str:
    """The level of a computer, and its manner where it has one: `easy · loves a bluff`."""
    known = CHARACTERS.get(player["character"])
    manner = [known.manner] if known else []
    return " · ".join([player["level"], *manner])
