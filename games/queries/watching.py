"""What many watchers have to know of their tables, in a few statements for all of them."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from accounts.visitors import Visitor, still_good
from games import access
from games.live.hub import Sight
from games.models import Seat, Table

_ID = re.compile(r"[0-9A-Za-z]{1,16}")


def may_be_watched(table_id: str) -> bool:
    """Could this be a table's id at all? What comes in an address may be anything."""
    return _ID.fullmatch(table_id) is not None


def sights(watched: Mapping[str, Collection[Visitor]], *, now: datetime) -> dict[str, Sight]:
    """The version of every table that is there, and who of its watchers may still see it."""
    tables = list(
        Table.objects.filter(pk__in=list(watched)).only(
            "id", "version", "status", "visibility", "host", "mode"
        )
    )
    # Rights are read after versions, so that who lost a seat hears nothing of what came after.
    private = [table.id for table in tables if table.visibility == "private"]
    sitters = _sitters(private, [visitor for table_id in private for visitor in watched[table_id]])
    good = still_good((visitor for visitors in watched.values() for visitor in visitors), now=now)
    return {
        table.id: Sight(
            version=table.version,
            finished=table.status == "finished",
            welcome=frozenset(
                visitor
                for visitor in watched[table.id]
                if visitor in good and _sees(table, visitor, sits=(table.id, visitor.player_id) in sitters)
            ),
        )
        for table in tables
    }


def _sees(table: Table, visitor: Visitor, *, sits: bool) -> bool:
    try:
        access.check_sees(table, visitor.player_id, sits=sits)
    except access.NothingThere:
        return False
    return True


def _sitters(table_ids: Collection[str], visitors: Iterable[Visitor]) -> set[tuple[str, str | None]]:
    if not table_ids:
        return set()
    held = Seat.objects.filter(
        table_id__in=table_ids, player_id__in={visitor.player_id for visitor in visitors if visitor.player_id}
    )
    return set(held.values_list("table_id", "player_id"))
