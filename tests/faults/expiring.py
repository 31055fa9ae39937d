"""Open tables that nobody touched for thirty days: closed then, not before, and everybody told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.faults.findings import Finding
from tests.faults.rows import Rows
from tests.faults.times import Clock
from tests.faults.told import Told

UNTOUCHED = 30 * 86400.0


def notices(rows: Rows) -> Iterator[Finding]:
    """Was anybody told the same thing twice?"""
    counts = Counter((notice.player, notice.kind, notice.table) for notice in rows.notices)
    for (player, kind, table), times in counts.items():
        if times > 1:
            yield Finding("doubled", table, f"“{kind}” was noted {times} times for {player}")


def expiries(rows: Rows, told: Told, clock: Clock, *, late: float) -> Iterator[Finding]:
    """Compare what expired with when it was made; `late`: so many seconds of the site's clock are allowed."""
    for opening in told.openings.values():
        table, touched = opening.table, opening.touched
        if table is None or touched is None:
            continue
        expired = [n for n in rows.notices if (n.table, n.kind) == (table, "expired")]
        untouched_since = clock.shows(touched)
        if table in rows.tables:
            waited = clock.shows(rows.read_at) - untouched_since
            if waited > UNTOUCHED + late:
                yield Finding("never", table, f"is open and untouched for {waited / 86400:.1f} days")
            continue
        if {n.player for n in expired} != set(opening.sitting):
            yield Finding("lost", table, f"is gone, and of {opening.sitting} were told {expired}")
        # What its people asked last was answered a moment after the time that the table took from it.
        if any(n.at < untouched_since - 5 * clock.rate + UNTOUCHED for n in expired):
            yield Finding("early", table, f"expired after less than thirty days: {expired}")


def gone(rows: Rows) -> set[str]:
    """The tables that are not there any more, as they should not be."""
    return {notice.table for notice in rows.notices if notice.kind == "expired"} - rows.tables.keys()
