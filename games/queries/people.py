"""What is told of a player: numbers over all matches that count, and past matches to search in.

Who sat at a table and has not lifted its last cups yet learns nothing of its end from here: neither from a
list nor from a number, their own or another's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from games.computers.registry import LEVELS
from games.models import Outcome, Seat, Visit
from games.queries.lists import BadCursor

PAGE = 25
RECENT = 10
PEOPLE, OWN = "people", "own"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = re.compile(r"(\d{1,17})-([a-zA-Z0-9]{1,16})", re.ASCII)

# A run of wins is what stands between two matches that were not won, in the order in which they were over.
_STREAKS = """
    WITH matches AS (
        SELECT o.result, SUM(CASE WHEN o.result = 'won' THEN 0 ELSE 1 END)
            OVER (ORDER BY o.over_at, o.table_id) AS others
        FROM games_outcome o
        WHERE o.player_id = %s AND NOT (
            EXISTS (SELECT 1 FROM games_seat s WHERE s.table_id = o.table_id AND s.player_id = %s)
            AND NOT EXISTS (SELECT 1 FROM games_visit v
                WHERE v.table_id = o.table_id AND v.player_id = %s AND v.lifted >= o.rounds))
    ), runs AS (
        SELECT others, COUNT(*) AS wins FROM matches WHERE result = 'won' GROUP BY others
    )
    SELECT COALESCE(MAX(wins), 0), COALESCE(MAX(CASE WHEN others = %s THEN wins END), 0) FROM runs
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Matches against one kind of opponents: "people", or computers of a level."""

    kind: str
    played: int
    won: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a player's matches come to."""

    played: int
    won: int
    streak: int
    longest: int
    against: tuple[Against, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What past matches are looked for; what is empty matters not."""

    opponent: str = ""
    opponent_id: str = ""
    rules: str = ""
    result: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """A page of past matches, and the cursor of those after them (None: there are no more)."""

    results: list[dict[str, Any]]
    cursor: str | None


def statistics(player_id: str, *, viewer_id: str | None) -> Statistics:
    """The numbers of a player, in two statements however many matches there are."""
    counted = Outcome.objects.filter(told_to(viewer_id), player_id=player_id)
    by_kind = counted.order_by().values_list("against")
    numbers = by_kind.annotate(matches=Count("pk"), wins=Count("pk", filter=Q(result="won")))
    kinds = {kind: Against(kind=kind, played=played, won=won) for kind, played, won in numbers}
    played, won = sum(kind.played for kind in kinds.values()), sum(kind.won for kind in kinds.values())
    viewer = viewer_id or ""
    with connection.cursor() as cursor:
        cursor.execute(_STREAKS, [player_id, viewer, viewer, played - won])
        longest, streak = cursor.fetchone()
    return Statistics(
        played=played, won=won, streak=int(streak), longest=int(longest), against=tuple(_in_order(kinds))
    )


def _in_order(kinds: dict[str, Against]) -> Iterator[Against]:
    """People first, then computers from the weakest level on, then what this version does not know."""
    for kind in (PEOPLE, *LEVELS):
        yield kinds.pop(kind, Against(kind=kind, played=0, won=0))
    yield from (kinds[kind] for kind in sorted(kinds))


def my_matches(player_id: str, search: Search, *, cursor: str | None) -> Matches:
    """A page of a player's own past matches, the latest first. Raises `BadCursor`."""
    found = _found(Outcome.objects.filter(player_id=player_id), search)
    if search.result:
        found = found.filter(told_to(player_id), result=search.result)
    if cursor is not None:
        at, table_id = _read_cursor(cursor)
        found = found.filter(Q(ended_at__lt=at) | Q(ended_at=at, table_id__lt=table_id))
    rows = list(_in_time(found, player_id)[: PAGE + 1])
    more = len(rows) > PAGE
    return Matches([_match(row) for row in rows[:PAGE]], _cursor(rows[PAGE - 1]) if more else None)


def latest_matches(player_id: str, *, viewer_id: str | None) -> list[dict[str, Any]]:
    """A player's latest public matches, as anybody may see them."""
    public = Outcome.objects.filter(told_to(viewer_id), player_id=player_id, visibility="public")
    return [_match(row) for row in _in_time(public, viewer_id)[:RECENT]]


def _found(outcomes: QuerySet[Outcome], search: Search) -> QuerySet[Outcome]:
    if search.opponent:
        outcomes = outcomes.filter(opponent_names__contains=search.opponent.casefold())
    if search.opponent_id:
        outcomes = outcomes.filter(opponent_ids__contains=f" {search.opponent_id} ")
    if search.rules:
        outcomes = outcomes.filter(preset=search.rules)
    if search.since:
        outcomes = outcomes.filter(ended_at__gte=search.since)
    if search.until:
        outcomes = outcomes.filter(ended_at__lt=search.until)
    return outcomes


def told_to(viewer_id: str | None) -> Q:
    """Outcomes whose end this viewer has seen, or had no seat to see it from."""
    sat = Seat.objects.filter(table_id=OuterRef("table_id"), player_id=viewer_id or "")
    lifted = Visit.objects.filter(
        table_id=OuterRef("table_id"), player_id=viewer_id or "", lifted__gte=OuterRef("rounds")
    )
    return Q(~Exists(sat)) | Q(Exists(lifted))


def _in_time(outcomes: QuerySet[Outcome], viewer_id: str | None) -> QuerySet[Any]:
    """The latest first, each with whether this viewer may be told its end."""
    told = ExpressionWrapper(told_to(viewer_id), output_field=BooleanField())
    return outcomes.annotate(told=told).order_by("-ended_at", "-table_id")


def _match(row: Any) -> dict[str, Any]:
    """A past match; how it ended is not told to who has not lifted its last cups."""
    return {
        "id": row.table_id,
        "name": row.table_name,
        "mode": row.mode,
        "rules": row.rules,
        "clock": row.clock,
        "rounds": row.rounds,
        "seats": row.seats,
        "ended_at": row.ended_at,
        "opponents": row.opponents,
        "unlifted": not row.told,
        "result": row.result if row.told else None,
        "place": row.place if row.told else None,
    }


def _cursor(row: Outcome) -> str:
    return f"{(row.ended_at - _EPOCH) // timedelta(microseconds=1)}-{row.table_id}"


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    found = _CURSOR.fullmatch(cursor)
    try:
        if found:
            return _EPOCH + timedelta(microseconds=int(found[1])), found[2]
    except OverflowError:
        pass
    raise BadCursor
