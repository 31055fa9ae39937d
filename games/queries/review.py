"""The past of one table: any revealed round of it, beside the table as spectators see it now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.access import NothingThere
from games.clocks import instant
from games.queries.table import row_to_read_of, view_of
from games.store import archives
from games.store.reading import Gone, load_unlocked
from games.store.rows import TableRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A table as spectators see it, how many of its rounds were revealed, and one of them."""

    table: Mapping[str, Any]
    rounds: int
    reveal: Mapping[str, Any] | None  # None where no round was revealed yet
    ended_at: datetime | None


def past(table_id: str, player_id: str | None, number: int | None = None) -> Past:
    """What was revealed in this round, or in the latest; as many statements for the last as for the first.

    Raises `NothingThere` where this player may not read of the table, or the round was not revealed.
    """
    row = row_to_read_of(table_id, player_id)
    table, ended_at = _from_archive(table_id) if row is None else _from_rows(row)
    latest = table["reveal"]
    rounds = latest["number"] if latest else 0
    if number is None or number == rounds:
        if number is not None and latest is None:
            raise NothingThere("This round has not been revealed.")
        return Past(table=table, rounds=rounds, reveal=latest, ended_at=ended_at)
    if not 1 <= number <= rounds:
        raise NothingThere("This round has not been revealed.")
    found = archives.reveals(table_id, after=number - 1, most=1)
    if not found:
        raise NothingThere
    return Past(table=table, rounds=rounds, reveal=found[0], ended_at=ended_at)


def _from_rows(row: TableRow) -> tuple[dict[str, Any], datetime | None]:
    try:
        table = load_unlocked(row)
    except Gone:
        raise NothingThere from None
    return view_of(table, None), table.row.updated_at if table.row.status == "finished" else None


def _from_archive(table_id: str) -> tuple[Mapping[str, Any], datetime | None]:
    frame = archives.frame(table_id)
    if frame is None:
        raise NothingThere
    reveal = frame["table"]["reveal"]
    times = [frame["events"][-1]["at"], *([reveal["at"]] if reveal else [])]
    return frame["table"], max(instant(time) for time in times)
