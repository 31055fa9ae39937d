"""What the database holds of every table, its hands unsealed: read by a process that has the site's keys.

`python -m tests.faults.rows` writes it to its output; `read` runs that in the surroundings of a site.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tests.serving import ROOT, environment


@dataclass(slots=True, kw_only=True)
class Event:
    """The row of one version."""

    version: int
    kind: str
    seat: int | None
    at: float
    number: int
    bid: dict[str, int] | None = None
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Seat:
    """The row of one seat."""

    number: int
    player: str | None
    computer: bool
    dice: int
    strikes: int
    left: int | None
    bank: int | None  # milliseconds


@dataclass(slots=True, kw_only=True)
class TableRows:
    """All rows of one table."""

    id: str
    host: str
    version: int
    status: str
    mode: str
    rules: dict[str, Any]
    clock: dict[str, Any]
    turn: int | None
    due_at: float | None
    computer_due_at: float | None
    result: dict[str, Any] | None
    seats: list[Seat]
    events: list[Event]
    hands: dict[tuple[int, int], tuple[int, ...]]  # by round and seat

    @property
    def span(self) -> int | None:
        """The time for a turn, in milliseconds."""
        if self.clock["kind"] == "live":
            return LIVE[self.clock["pace"]][0]
        return self.clock["turn_seconds"] * 1000 if self.clock["kind"] == "slow" else None

    @property
    def look(self) -> int | None:
        """The time for a reveal, in milliseconds."""
        return LIVE[self.clock["pace"]][1] if self.clock["kind"] == "live" else self.span


class Notice(NamedTuple):
    """Something that a player is to be told."""

    player: str
    kind: str
    table: str
    at: float


LIVE = {"normal": (30_000, 9_000), "relaxed": (60_000, 18_000), "quick": (15_000, 4_500)}


@dataclass(slots=True, kw_only=True)
class Rows:
    """Every table, every notice, and when they were read."""

    read_at: float
    tables: dict[str, TableRows]
    notices: list[Notice]


def read(home: dict[str, str], *, at: float) -> Rows:
    """Read everything that the site of this home holds."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.rows"],
        cwd=ROOT,
        env=environment(home, DJANGO_SETTINGS_MODULE="config.settings"),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the rows cannot be read: {done.stderr[-2000:]}")
    *tables, notices = map(json.loads, done.stdout.splitlines())
    return Rows(
        read_at=at,
        tables={table["id"]: _table(table) for table in tables},
        notices=[Notice(*notice) for notice in notices],
    )


def _table(written: dict[str, Any]) -> TableRows:
    hands = {(number, seat): tuple(hand) for number, seat, hand in written.pop("hands")}
    seats = [Seat(**seat) for seat in written.pop("seats")]
    events = [Event(**event) for event in written.pop("events")]
    return TableRows(**written, seats=seats, events=events, hands=hands)


def _write_all() -> None:
    from django.db import connection, transaction

    from games.models import Notice as NoticeRow
    from games.models import Table

    # Matches go on meanwhile: everything is read as it was at one moment.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for table in Table.objects.order_by("id"):
            print(json.dumps(_written(table)))
        noted = [
            Notice(row.player_id, row.kind, row.table_id, row.at.timestamp())
            for row in NoticeRow.objects.order_by("id")
        ]
        print(json.dumps(noted))


def _written(table: Any) -> dict[str, Any]:
    from games import sealing
    from games.models import Event as EventRow
    from games.models import Hand
    from games.models import Seat as SeatRow

    return {
        "id": table.id,
        "host": table.host_id,
        **{name: getattr(table, name) for name in ("version", "status", "mode", "rules", "clock", "turn")},
        "due_at": table.due_at and table.due_at.timestamp(),
        "computer_due_at": table.computer_due_at and table.computer_due_at.timestamp(),
        "result": table.result,
        "seats": [asdict(_seat(row)) for row in SeatRow.objects.filter(table=table).order_by("number")],
        "events": [
            asdict(_event(row)) for row in EventRow.objects.filter(table=table).order_by("version", "id")
        ],
        "hands": [
            (
                hand.number,
                hand.seat,
                sealing.unseal_hand(hand.sealed, place=sealing.hand_place(table.id, hand.number, hand.seat)),
            )
            for hand in Hand.objects.filter(table=table)
        ],
    }


def _seat(row: Any) -> Seat:
    return Seat(
        number=row.number,
        player=row.player_id,
        computer=row.level != "",
        dice=row.dice,
        strikes=row.strikes,
        left=row.left,
        bank=row.bank,
    )


def _event(row: Any) -> Event:
    bid = {"total": row.total} if row.total is not None else {"quantity": row.quantity, "face": row.face}
    return Event(
        version=row.version,
        kind=row.kind,
        seat=row.seat,
        at=row.at.timestamp(),
        number=row.number,
        bid=bid if row.kind == "bid" else None,
        facts=json.loads(row.facts) if row.facts else {},
    )


if __name__ == "__main__":
    import django

    django.setup()
    _write_all()
