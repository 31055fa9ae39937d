"""What somebody has seen of a table, what came since, and who is not there just now."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from accounts.queries import seen_at
from games.clocks import stamp
from games.engine.moves import Bid
from games.models import CALLS, Event
from games.store import visits
from games.store.visits import Followed

AWAY_AFTER = timedelta(seconds=35)
"""Players are noted every quarter of a minute; who was not noted twice is away."""


def followed(table_id: str, player_id: str) -> Followed | None:
    """How far this player has followed the table; None for who was never here."""
    return visits.followed(table_id, player_id)


def lifted_rounds(player_id: str, table_ids: list[str]) -> dict[str, int]:
    """The latest round whose cups this player has lifted, of each table that they ever looked at."""
    return visits.lifted_rounds(player_id, table_ids)


def since(table_id: str, *, after: int, most: int = 60) -> list[dict[str, Any]]:
    """What happened at a table after this version, oldest first; of calls only that there was one.

    The caller has proven that the reader may see the table.
    """
    rows = Event.objects.filter(table_id=table_id, version__gt=after).order_by("-version")[:most]
    return [_happened(row) for row in reversed(rows)]


def of_round(table_id: str, number: int) -> list[dict[str, Any]]:
    """What happened in a round beside its bids and its call: whose time ran out, who left."""
    rows = Event.objects.filter(table_id=table_id, number=number, kind__in=("strike", "left"))
    return [_happened(row) for row in rows.order_by("version")]


def _happened(row: Event) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": row.kind, "seat": row.seat, "round": row.number, "at": stamp(row.at)}
    if row.kind == "bid":
        bid = Bid(quantity=row.quantity, face=row.face, total=row.total).document()
        return document | bid | json.loads(row.facts or "{}")
    if row.kind in CALLS:
        return document
    return document | json.loads(row.facts or "{}")


def away(player_ids: Iterable[str], *, now: datetime) -> dict[str, int]:
    """Of these players those who have not been seen for a while, and for how many seconds."""
    return {
        player_id: int((now - at).total_seconds())
        for player_id, at in seen_at(player_ids).items()
        if at is not None and now - at > AWAY_AFTER
    }
