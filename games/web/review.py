"""Review: every revealed round of a table, step by step, through every chair or through all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from games.access import NothingThere
from games.engine.rules import rules_of
from games.engine.words import number_words
from games.queries.review import Past, past
from games.web import times
from games.web.steps import Step, moves_of, step_of
from games.web.teaching import panel
from games.web.visit import player_of, preferences, private
from games.web.words import Names, marked_names_of, names_of, ordinal_words, result_sentence, substitutes_of

PART = "X-Part"
"""The header by which script asks for what changes from step to step, without the page around it."""

ALL_ROUNDS = 40
NEIGHBOURS = 12
"""Up to so many rounds all have a tab; of more, the first, the last and so many on either side."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the steps of one match are: of a table, or of an archive that somebody brought."""

    key: str
    brought: bool = False

    def step(self, number: int, move: int | None = None, chair: int | None = None) -> str:
        """The address of a step; without a move, of the end of the round."""
        kind = "brought" if self.brought else "review"
        path = (
            reverse(f"{kind}-round", args=[self.key, number])
            if move is None
            else reverse(f"{kind}-step", args=[self.key, number, move])
        )
        return path if chair is None else f"{path}?{urlencode({'chair': chair})}"

    @property
    def start(self) -> str:
        """The address of the latest round."""
        return reverse("brought" if self.brought else "review", args=[self.key])

    @property
    def archive(self) -> str:
        """Where the whole document of a finished match is."""
        return reverse("brought-archive" if self.brought else "api-archive", args=[self.key])


@require_safe
def review(
    request: HttpRequest, table_id: str, number: int | None = None, move: int | None = None
) -> HttpResponse:
    """A step of a revealed round; without a number, of the latest, and without a move, its end."""
    player = player_of(request)
    player_id = player.id if player else None
    try:
        found = past(table_id, player_id, number)
    except NothingThere as error:
        raise Http404 from error
    return private(shown(request, found, Addresses(table_id), player_id=player_id, move=move))


def shown(
    request: HttpRequest,
    found: Past,
    addresses: Addresses,
    *,
    player_id: str | None = None,
    move: int | None = None,
    report: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The page of a step, or the part of it that changes."""
    table, names, you = found.table, names_of(found.table), _seat_of_reader(found.table, player_id)
    context: dict[str, Any] = {
        "where": "Review",
        "table": table,
        "rounds": found.rounds,
        "ended": _ended_words(found, names, you),
        "places": _places(table, marked_names_of(table), you),
        "addresses": addresses,
        "report": report,
        "tells": preferences(request).tells,
    }
    if found.reveal is None:
        return render(request, "games/review_empty.html", context)
    moves = moves_of(found.reveal)
    if move is not None and not 1 <= move <= moves:
        raise Http404
    step = step_of(table, found.reveal, names, you, move=move or moves, chair=_chair(request, table))
    context |= _around(step, found, addresses, names, player_id=player_id, you=you)
    part = PART in request.headers
    response = render(request, "games/_review.html" if part else "games/review.html", context)
    patch_vary_headers(response, [PART])
    return response


def _around(
    step: Step, found: Past, addresses: Addresses, names: Names, *, player_id: str | None, you: int | None
) -> dict[str, Any]:
    """A step with all that goes with it: where one can go from it, and what it was worth."""
    return {
        "reveal": found.reveal,
        "step": step,
        "chair": step.chair,
        **_ways(step, found, addresses),
        "chairs": _chairs(step, found.table, names, you, addresses),
        "worth": panel(
            found,
            player_id,
            names,
            you=you,
            move=step.move,
            chair=step.chair,
            step=addresses.step,
            brought=addresses.brought,
        ),
        "wild": rules_of(found.table).ones_are_wild and not step.palifico,
        "history": [(said, addresses.step(step.number, said.move, step.chair)) for said in step.said],
    }


def _seat_of_reader(table: Mapping[str, Any], player_id: str | None) -> int | None:
    """The one seat that this reader held to the end; who left, or plays every seat, reads names."""
    held = [seat for seat in table["seats"] if player_id and seat["player"]["id"] == player_id]
    return held[0]["seat"] if len(held) == 1 and not held[0]["substitute"] else None


def _chair(request: HttpRequest, table: Mapping[str, Any]) -> int | None:
    """The chair that is looked through, where the address names one of this match."""
    named = request.GET.get("chair", "")
    return next((seat["seat"] for seat in table["seats"] if named == str(seat["seat"])), None)


def _ways(step: Step, found: Past, addresses: Addresses) -> dict[str, Any]:
    """Back and on, over the edges of the round too; and a tab for each round."""
    number, chair = step.number, step.chair
    back = on = None
    if step.move > 1:
        back = addresses.step(number, step.move - 1, chair)
    elif number > 1:
        back = addresses.step(number - 1, None, chair)
    if step.move < step.moves:
        on = addresses.step(number, step.move + 1, chair)
    elif number < found.rounds:
        on = addresses.step(number + 1, 1, chair)
    return {
        "here": addresses.step(number, step.move, chair),
        "first": addresses.step(number, 1, chair) if step.move > 1 else None,
        "back": back,
        "on": on,
        "last": addresses.step(number, step.moves, chair) if step.move < step.moves else None,
        "tabs": [
            (tab, addresses.step(tab, None, chair) if tab else None) for tab in tabs(number, found.rounds)
        ],
    }


def tabs(number: int, rounds: int) -> list[int | None]:
    """The rounds that have a tab, None for a gap between them."""
    if rounds <= ALL_ROUNDS:
        return list(range(1, rounds + 1))
    near = range(max(1, number - NEIGHBOURS), min(rounds, number + NEIGHBOURS) + 1)
    before = [] if near[0] == 1 else [1] if near[0] == 2 else [1, None]
    after = [] if near[-1] == rounds else [rounds] if near[-1] == rounds - 1 else [None, rounds]
    return [*before, *near, *after]


def _chairs(
    step: Step, table: Mapping[str, Any], names: Names, you: int | None, addresses: Addresses
) -> list[tuple[str, str, str, bool]]:
    """Everyone, and each seat: its name, what it is if no person, its address, whether one is there."""
    kinds = {seat["seat"]: seat["player"]["kind"] for seat in table["seats"]}
    chairs = [("Everyone", "", addresses.step(step.number, step.move), step.chair is None)]
    for seat, name in names.items():
        leads = addresses.step(step.number, step.move, seat)
        kind = kinds[seat] if kinds[seat] in ("bot", "computer") else ""
        chairs.append(("You" if seat == you else name, kind, leads, step.chair == seat))
    return chairs


def _ended_words(found: Past, names: Names, you: int | None) -> str:
    """How the match ended and when, or how far it is."""
    table, rounds = found.table, f"{number_words(found.rounds)} round{'' if found.rounds == 1 else 's'}"
    if found.ended_at is None:
        return f"Being played: {rounds} so far."
    told = result_sentence(table["result"], names, you, substitutes=substitutes_of(table)).removesuffix(".")
    words = f"{told} on {times.written(timezone.localtime(found.ended_at), 'day')}, after {rounds}."
    place = (table["result"] or {"places": {}})["places"].get(str(you))
    if place is not None and table["result"]["winner"] not in (None, you):
        words += f" You came {ordinal_words(place)}."
    return words


def _places(table: Mapping[str, Any], names: Names, you: int | None) -> list[tuple[str, int, bool]]:
    """Name, place, and whether a computer finished for this person, the winner first."""
    if table["result"] is None:
        return []
    substitutes = substitutes_of(table)
    placed = sorted((place, int(seat)) for seat, place in table["result"]["places"].items())
    return [("You" if seat == you else names[seat], place, seat in substitutes) for place, seat in placed]
