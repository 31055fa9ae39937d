"""Home: what waits for me, my other tables, those of others, and three ways to begin."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.clocks import instant
from games.engine.words import number_words, sentence
from games.queries.home import Home
from games.queries.home import home as tables_at_home
from games.web import times, words
from games.web.terms import clock_line, free_words, rules_line
from games.web.visit import player_of, private

Document: TypeAlias = Mapping[str, Any]
Shown: TypeAlias = dict[str, Any]

PRACTICE_OVER = "The practice is over."


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What waits for whoever comes; for somebody new, three ways in."""
    player = player_of(request)
    found = tables_at_home(player.id if player else None)
    now = timezone.now()
    has_tables = bool(found.waiting or found.others or found.finished)
    context = {
        "heading": heading(found.waiting_count),
        "next_due": "" if found.waiting else _next_due(found),
        "has_tables": has_tables,
        "letters": [_letter(table, now) for table in found.waiting],
        "more_waiting": found.waiting_count - len(found.waiting),
        "others": [_other(table) for table in found.others],
        "finished": [_finished(table) for table in found.finished],
        "open": [_open(table) for table in found.open],
        "watchable": [_watchable(table) for table in found.watchable],
        "waiting_count": found.waiting_count,
    }
    return private(render(request, "games/home.html", context))


def heading(waiting: int) -> str:
    """What waits, counted: `Three tables wait for you.`"""
    if waiting == 0:
        return "Nothing waits for you."
    if waiting == 1:
        return "One table waits for you."
    return f"{sentence(number_words(waiting))} tables wait for you."


def _next_due(found: Home) -> Shown | None:
    """The next move that is due of somebody else, where telling it gives nothing away."""
    for table in found.others:
        if table["status"] == "bidding" and table["deadline"] and not table["unlifted"]:
            return {"who": words.marked_names_of(table)[table["turn"]], "deadline": table["deadline"]}
    return None


def _shown(table: Document) -> Shown:
    return {"id": table["id"], "name": table["name"]}


def _letter(table: Document, now: datetime) -> Shown:
    """A table that waits for me."""
    shown = _shown(table) | {"line": _what_waits(table), "people": _people(table)}
    if table["deadline"] is None:
        return shown
    remaining = instant(table["deadline"]) - now
    whole = timedelta(seconds=table["whole_seconds"] or 0)
    return shown | {
        "deadline": table["deadline"],
        "whole_seconds": table["whole_seconds"],
        "share": remaining / whole if whole else 0.0,
        "left": times.left(remaining),
        "pressing": times.is_pressing(remaining, whole or None),
    }


def _what_waits(table: Document) -> str:
    if table["mode"] == "practice":
        return "Your practice goes on where you left it."
    if table["unlifted"]:
        return (
            words.CUPS_WAIT if table["status"] == "revealed" else f"{words.CUPS_WAIT} Then it is your move."
        )
    if table["status"] == "revealed":
        if table["next_opener"] == table["viewer_seat"]:
            return f"You open round {number_words(table['round_number'] + 1)}."
        return "The next round begins when you are ready."
    standing = table["standing"]
    if standing is None:
        return "Your move. You open the round."
    return f"Your move. {words.marked_names_of(table)[standing['seat']]} says {words.bid_words(standing)}."


def _people(table: Document) -> str:
    """Who else sits there, and the round."""
    names = words.marked_names_of(table)
    others = [
        names[seat["seat"]]
        for seat in table["seats"]
        if seat["player"] and (seat["seat"] != table["viewer_seat"])
    ]
    people = "practice" if table["mode"] == "practice" else ", ".join(others)
    return f"{people} · round {table['round_number']}" if table["round_number"] else people


def _other(table: Document) -> Shown:
    """A table of mine that waits for others."""
    shown = _shown(table) | {"deadline": table["deadline"], "kind": table["clock"]["kind"]}
    if table["status"] == "open":
        return shown | {"state": sentence(free_words(table["seats"])), "people": clock_line(table["clock"])}
    return shown | {"state": _who_is_waited_for(table), "people": _people(table)}


def _who_is_waited_for(table: Document) -> str:
    if table["unlifted"]:
        return words.CUPS_WAIT
    names = words.marked_names_of(table)
    if table["status"] == "bidding":
        return f"{names[table['turn']]} to move"
    if table["next_opener"] is None:
        return "Between rounds"
    return f"{names[table['next_opener']]} opens the next round"


def _finished(table: Document) -> Shown:
    """A match of mine that is over; how it ended is told to who lifted its last cups."""
    if table["unlifted"]:
        return _shown(table) | {"state": words.CUPS_WAIT, "people": _people(table)}
    if table["mode"] == "practice":  # whoever won it, it was the same person, and counts for nothing
        return _shown(table) | {
            "state": PRACTICE_OVER,
            "people": _people(table),
            "ended": table["updated_at"],
        }
    told = words.result_sentence(
        table["result"],
        words.marked_names_of(table),
        table["viewer_seat"],
        substitutes=words.substitutes_of(table),
    )
    return _shown(table) | {"state": told, "people": _people(table), "ended": table["updated_at"]}


def _open(table: Document) -> Shown:
    names = words.marked_names_of(table)
    ranked = "ranked, for people with an account" if table["mode"] == "ranked" else rules_line(table["rules"])
    return _shown(table) | {
        "line": f"{ranked} · {clock_line(table['clock'])}",
        "taken": [seat["player"] is not None for seat in table["seats"]],
        "free": free_words(table["seats"]),
        "people": ", ".join(names[seat["seat"]] for seat in table["seats"] if seat["player"]),
    }


def _watchable(table: Document) -> Shown:
    names = ", ".join(words.marked_names_of(table).values())
    live = "live, " if table["clock"]["kind"] == "live" else ""
    return _shown(table) | {"line": f"{names} · {live}round {table['round_number']}"}
