"""Saving a step on PostgreSQL by one statement, which is its own transaction where none has begun.

It moves the table from the version that the step was taken from, and writes nothing where that one is gone.
What a step adds and changes beside the table goes as lists in JSON, so that the statement is the same for
every step and prepared once; bids, by far the most, have one of their own, which names less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any

import orjson

from games.engine.moves import Bid
from games.store.group_commit import GroupCommit
from games.store.rows import EventRow, Loaded, TableRow, mask_of
from games.store.sending import execute_texts, fetch_column, past_django

Row = Sequence[Any]

# What a bid writes, with its types: beside the version, it changes whose turn it is. It goes on from one
# state alone; a version by itself does not name it, since a server that takes over may have lost the last.
# Any other step goes on from rows that were read just now.
_BID = {
    "id": "text",
    "before": "integer",
    "since": "timestamptz",
    "version": "integer",
    "at": "timestamptz",
    "turn": "integer",
    "awaited": "integer",
    "began_at": "timestamptz",
    "due_at": "timestamptz",
    "computer_due_at": "timestamptz",
    "seat": "integer",
    "number": "integer",
    "ordinal": "integer",
    "quantity": "integer",
    "face": "integer",
    "total": "integer",
    "digest": "text",
    "player_id": "text",
}


@cache
def _save_bids(bids: int) -> str:
    """The statement that saves so many bids at different tables."""
    typed = ", ".join(f"CAST(%s AS {kind})" for kind in _BID.values())
    texts = ", ".join(["%s"] * len(_BID))
    values = ", ".join(f"({row})" for row in [typed, *[texts] * (bids - 1)])
    return f"""
        WITH moved AS (
            UPDATE games_table t SET version = v.version, updated_at = v.at, turn = v.turn,
                awaited = v.awaited, began_at = v.began_at, due_at = v.due_at,
                computer_due_at = v.computer_due_at
            FROM (VALUES {values}) AS v({", ".join(_BID)})
            WHERE t.id = v.id AND t.version = v.before AND t.updated_at = v.since
                AND (v.digest IS NULL OR EXISTS (
                    SELECT 1 FROM accounts_token k WHERE k.digest = v.digest AND k.player_id = v.player_id
                ))
            RETURNING v.*
        )
        INSERT INTO games_event
            (table_id, kind, status, at, version, seat, number, ordinal, quantity, face, total)
        SELECT id, 'bid', 'bidding', at, version, seat, number, ordinal, quantity, face, total FROM moved
        RETURNING table_id
    """


# What a step writes of every kind of row, in order, with its types.
TABLE = (
    *("version", "updated_at", "status", "number", "turn", "awaited", "ready", "claims", "next_opener"),
    *("next_palifico", "started_version", "revealed_version", "result", "began_at", "due_at"),
    "computer_due_at",
)

SEAT = {
    "number": "integer",
    "dice": "integer",
    "strikes": "integer",
    "claimed": "boolean",
    "out": "integer",
    "left": "integer",
    "forfeited": "boolean",
    "bank": "bigint",
    "over": "boolean",
}

EVENT = {
    "version": "integer",
    "kind": "text",
    "seat": "integer",
    "at": "timestamptz",
    "status": "text",
    "number": "integer",
    "ordinal": "integer",
    "quantity": "integer",
    "face": "integer",
    "total": "integer",
    "facts": "text",
}

ROUND = {"number": "integer", "palifico": "boolean", "opener": "integer", "started_at": "timestamptz"}
HAND = {"number": "integer", "seat": "integer", "sealed": "text"}


def _rows(columns: Mapping[str, str]) -> str:
    """The rows of a list in JSON, as the source of a statement."""
    typed = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
    return f"json_to_recordset(CAST(%s AS json)) AS v({typed})"


def _added(table: str, columns: Mapping[str, str]) -> str:
    """The statement that adds the rows of a list to what belongs to the table that moved."""
    names = ", ".join(columns)
    values = ", ".join(f"v.{name}" for name in columns)
    return f"INSERT INTO {table} (table_id, {names}) SELECT moved.id, {values} FROM moved, {_rows(columns)}"


_SAVE_STEP = f"""
    WITH moved AS (
        UPDATE games_table SET {", ".join(f"{name} = %s" for name in TABLE)}
        WHERE id = %s AND version = %s
        RETURNING id
    ), rounds AS (
        {_added("games_round", ROUND)}
    ), hands AS (
        {_added("games_hand", HAND)}
    ), seats AS (
        UPDATE games_seat SET {", ".join(f'"{name}" = v."{name}"' for name in SEAT)}
        FROM moved, {_rows(SEAT)}
        WHERE games_seat.table_id = moved.id AND games_seat.number = v.number
    )
    {_added("games_event", EVENT)}
"""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Written:
    """What a step writes: the columns of its table, and rows of what belongs to it."""

    table: Row
    events: Sequence[Row]
    rounds: Sequence[Row]
    hands: Sequence[Row]
    seats: Sequence[Row]


_Texts = Sequence[str | None]  # what a bid writes, its table's id first


def save_bid(before: Loaded, row: TableRow, event: EventRow) -> bool:
    """Write a plain bid; False where the table has moved on, or its proof does not hold."""
    bid, proof = event.bid or Bid(), before.proof
    texts = [
        _text(value)
        for value in (
            *(row.id, before.row.version, before.row.updated_at),
            *(row.version, event.at, row.turn, mask_of(row.awaited)),
            *(row.began_at, row.due_at, row.computer_due_at),
            *(event.seat, event.number, event.ordinal, bid.quantity, bid.face, bid.total),
            *((None, None) if proof is None else (proof.digest, proof.player_id)),
        )
    ]
    if not past_django():  # in a transaction of its own making
        return row.id in fetch_column(_save_bids(1), texts)
    return _bids.add(row.id, texts)


def _write_bids(bids: Sequence[_Texts]) -> Sequence[bool]:
    """Write bids at different tables, in the order of these.

    So two processes hardly ever wait for each other; PostgreSQL refuses one that does, and each goes alone.
    """
    in_order = sorted(bids, key=itemgetter(0))
    saved = fetch_column(_save_bids(len(bids)), [text for texts in in_order for text in texts])
    return [texts[0] in saved for texts in bids]


_bids = GroupCommit(_write_bids)


def save_step(before: TableRow, written: Written) -> bool:
    """Write any step; False where the table has moved on."""
    lists = (
        *(_json(ROUND, written.rounds), _json(HAND, written.hands), _json(SEAT, written.seats)),
        _json(EVENT, written.events),
    )
    of_table = [_text(value) for value in (*written.table, before.id, before.version)]
    return execute_texts(_SAVE_STEP, [*of_table, *lists]) > 0


def _json(columns: Mapping[str, str], rows: Sequence[Row]) -> str:
    return orjson.dumps([dict(zip(columns, row, strict=True)) for row in rows]).decode()


def _text(value: str | float | datetime | None) -> str | None:
    """A value as a parameter in text."""
    if value is None or isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, datetime) else str(value)
