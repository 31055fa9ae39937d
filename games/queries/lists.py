"""Many tables at once: the pages of the lobby, and what waits for a player."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from games.clocks import instant, stamp
from games.engine.view import SPECTATOR, view_for
from games.models import Seat, Table
from games.queries.table import PAGE
from games.store.documents import seat_document, seed_seen
from games.store.reading import load_many, waiting_ids
from games.store.rows import Loaded

STATUSES = ("open", "bidding", "revealed", "finished")
MOST_WAITING = 500


class BadCursor(Exception):
    """A cursor that no page gave."""

    code = "bad_cursor"

    def __init__(self) -> None:
        super().__init__("A cursor comes from the `next` of a page.")
        self.message = str(self)


@dataclass(frozen=True, slots=True)
class Page:
    """Some results, and the cursor of those after them (None: there are no more)."""

    results: list[dict[str, Any]]
    cursor: str | None


def tables(
    player_id: str | None, *, status: str | None, mode: str | None, mine: bool, cursor: str | None
) -> Page:
    """A page of tables, latest activity first: public ones, or with `mine` the player's own.

    Raises `BadCursor`.
    """
    chosen = _visible(player_id, mine=mine)
    if status is not None:
        chosen = chosen.filter(status=status)
    if mode is not None:
        chosen = chosen.filter(mode=mode)
    if cursor is not None:
        at, table_id = read_cursor(cursor)
        chosen = chosen.filter(Q(updated_at__lt=at) | Q(updated_at=at, id__lt=table_id))
    ordered = chosen.order_by("-updated_at", "-id").values_list("id", "updated_at")
    found = list(ordered[: PAGE + 1])
    by_id = {table.row.id: table for table in load_many([table_id for table_id, _ in found[:PAGE]])}
    results = [summary(by_id[table_id], player_id) for table_id, _ in found[:PAGE] if table_id in by_id]
    return Page(results, _cursor(*found[PAGE - 1]) if len(found) > PAGE else None)


def waiting(player_id: str) -> list[str]:
    """The tables where it is this player's move, or round to start, the most urgent first."""
    return waiting_ids(player_id, most=MOST_WAITING)


def _visible(player_id: str | None, *, mine: bool) -> QuerySet[Table]:
    if not mine:
        return Table.objects.filter(visibility="public")
    seats = Seat.objects.filter(player_id=player_id).values("table_id")
    hosted = Table.objects.filter(host_id=player_id).values("id")
    return Table.objects.filter(pk__in=seats.union(hosted))


def summary(table: Loaded, player_id: str | None) -> dict[str, Any]:
    """A table as lists show it to this player."""
    row = table.row
    seen = view_for(table.state, SPECTATOR)
    return {
        "id": row.id,
        "name": row.name,
        "status": row.status,
        "mode": row.mode,
        "visibility": row.visibility,
        "rules": row.rules.document(),
        "clock": row.clock.document(),
        "seats": [
            seat_document(seat, seen.seats[seat.number], seed_seen(row, seat, player_id))
            for seat in table.seats
        ],
        "round_number": row.number,
        "turn": row.turn,
        "deadline": None if row.due_at is None else stamp(row.due_at),
        "updated_at": stamp(row.updated_at),
    }


def _cursor(table_id: str, at: datetime) -> str:
    return base64.urlsafe_b64encode(f"{stamp(at)}|{table_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """Where a page goes on, or `BadCursor`."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        at, _, table_id = (
            base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").partition("|")
        )
        read = instant(at)
    except (UnicodeError, binascii.Error, ValueError) as error:
        raise BadCursor from error
    if not (at.endswith("Z") and len(at) == len("2026-01-31T08:15:00.250Z") and table_id.isalnum()):
        raise BadCursor
    return read, table_id
