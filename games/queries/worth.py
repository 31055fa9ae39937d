"""What a past step was worth, for whoever may be told.

Of a finished match everybody who may read it is told everything. Of a match that goes on, each is told of
their own decisions alone, in rounds that were revealed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.access import NothingThere
from games.analysis.decisions import seat_of
from games.analysis.match import weigh_decision
from games.engine.rules import rules_of
from games.queries.review import Past
from games.queries.table import row_to_read_of
from games.store import analyses, archives


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What is told of one step, and of the whole match."""

    decision: Mapping[str, Any] | None = None
    match: Mapping[str, Any] | None = None  # None while the match goes on, or is being worked out
    waiting: bool = False  # the match is over, and being worked out


def worth_of(found: Past, player_id: str | None, move: int, *, kept_here: bool = True) -> Worth:
    """The worth of this step; `kept_here` where the match is one of this site."""
    table, reveal = found.table, found.reveal
    if reveal is None:
        return Worth()
    if table["status"] != "finished":
        own = _is_own(table, seat_of(reveal, move), player_id)
        return Worth(decision=weigh_decision(rules_of(table), reveal, move)) if own else Worth()
    known = analyses.summary_and_round(table["id"], reveal["number"]) if kept_here else None
    if known is not None and known[1] is not None:
        return Worth(decision=known[1][move - 1], match=known[0])
    return Worth(decision=weigh_decision(rules_of(table), reveal, move), waiting=kept_here)


def _is_own(table: Mapping[str, Any], seat: int, player_id: str | None) -> bool:
    """May this reader be told of a seat's decisions while the match goes on?"""
    if player_id is None:
        return False
    if table["mode"] == "practice":
        return bool(table["host"] == player_id)  # every cup of it is open to its owner
    holder = next(held["player"]["id"] for held in table["seats"] if held["seat"] == seat)
    return bool(holder == player_id)


def match_worth(table_id: str, player_id: str | None) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A finished match as spectators see it, and what it comes to; `NothingThere` until that is known."""
    row_to_read_of(table_id, player_id)
    known = analyses.progress(table_id)
    frame = archives.frame(table_id)
    if frame is None or not known.whole or known.summary is None:
        raise NothingThere
    return frame["table"], known.summary
