"""The panel beside a step of the past: its worth, the picture of the match, its turns, skill and luck."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.access import NothingThere
from games.analysis.decisions import seat_of
from games.queries.review import Past
from games.queries.worth import Worth, match_worth, worth_of
from games.web.graph import graph_of
from games.web.visit import player_of
from games.web.words import Names, names_of
from games.web.worth import chair_words, worth_words

Document: TypeAlias = Mapping[str, Any]


def panel(
    found: Past,
    player_id: str | None,
    names: Names,
    *,
    you: int | None,
    move: int,
    chair: int | None,
    step: Callable[..., str],
    brought: bool,
) -> dict[str, Any]:
    """What `games/_worth.html` shows; `step` gives the address of a step."""
    worth = worth_of(found, player_id, move, kept_here=not brought)
    reveal = found.reveal
    if reveal is None:
        return {}
    shown: dict[str, Any] = {"waiting": worth.waiting, "odds": _odds(found, worth, names, you, move, chair)}
    if worth.match is not None:
        shown |= {
            "graph": graph_of(worth.match, names, you, reveal["number"]),
            "turns": [_turn(turn, names, you, step) for turn in _in_time(worth.match["turns"])],
            "players": _players(worth.match, names, you),
        }
    return shown


def _odds(
    found: Past, worth: Worth, names: Names, you: int | None, move: int, chair: int | None
) -> dict[str, Any] | None:
    """From the chair of who decided; where another is looked through, from that one."""
    reveal = found.reveal or {}
    if worth.decision is None:
        return None
    if chair is None or chair == seat_of(reveal, move):
        return worth_words(found.table, reveal, worth.decision, names, you)
    if found.table["status"] != "finished" or str(chair) not in reveal["hands"]:
        return None
    bid = reveal["bids"][min(move, len(reveal["bids"])) - 1]
    return chair_words(found.table, reveal, bid, chair, names, you)


def _in_time(turns: list[Document]) -> list[Document]:
    return sorted(turns, key=lambda turn: int(turn["round"]))


def _turn(turn: Document, names: Names, you: int | None, step: Callable[..., str]) -> dict[str, Any]:
    """A turning point: where it leads, and what became of whose chance."""
    whose = "Your" if turn["seat"] == you else f"{names[turn['seat']]}’s"
    went = "rose" if turn["after"] > turn["before"] else "fell"
    return {
        "leads": step(turn["round"], turn["move"]),
        "link": f"Round {turn['round']}, {'move ' + str(turn['move']) if turn['costly'] else 'the call'}",
        "words": f"{whose} chance {went} from {_percent(turn['before'])} to {_percent(turn['after'])} %",
    }


def _players(match: Document, names: Names, you: int | None) -> list[dict[str, Any]]:
    """Skill and luck in hundredths, the reader first."""
    rows = [
        {
            "name": "You" if int(seat) == you else names[int(seat)],
            "mine": int(seat) == you,
            "skill": _signed(player["skill"]),
            "luck": _signed(player["luck"]),
        }
        for seat, player in match["players"].items()
    ]
    return sorted(rows, key=lambda row: not row["mine"])


def _percent(chance: float) -> int:
    return round(100 * chance)


def _signed(value: float) -> str:
    """Hundredths with their sign: `+12`, `−3`, `0`."""
    hundredths = round(100 * value)
    if hundredths == 0:
        return "0"
    return f"{'+' if hundredths > 0 else '−'}{abs(hundredths)}"


@require_safe
def chances(request: HttpRequest, table_id: str) -> HttpResponse:
    """The winning chances of a finished match as a table of figures."""
    player = player_of(request)
    try:
        table, match = match_worth(table_id, player.id if player else None)
    except NothingThere as error:
        raise Http404 from error
    rows, rounds = match["chances"], table["reveal"]["number"] if table["reveal"] else 0
    called = {0: "Start", rounds + 1: "End"}
    context = {
        "where": "Review",
        "table": table,
        "names": [names_of(table)[seat] for seat in match["seats"]],
        "rows": [
            (called.get(at, at), at if 0 < at <= rounds else None, [_percent(chance) for chance in row])
            for at, row in enumerate(rows)
        ],
    }
    return render(request, "games/chances.html", context)
