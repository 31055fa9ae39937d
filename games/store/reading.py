"""Loading a table. One statement reads the whole of it, and a statement sees the rows of one instant, so that
nobody sees half of a move, with a lock or without."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

import orjson
from django.db import connection

from games.clocks import stamp
from games.engine.facts import Reveal
from games.engine.moves import Bid
from games.engine.state import PlacedBid, Round, Seat, State
from games.store.rows import (
    Loaded,
    SeatRow,
    TableRow,
    clock_value,
    json_value,
    numbers_of,
    required_time,
    result_value,
    rules_value,
    time_column,
    time_value,
)
from games.store.sending import connections_made, fetch, fetch_value


class Busy(Exception):
    """A table moved on during every attempt at it; trying again will do."""


class Gone(Exception):
    """The table was closed while it was read."""


_COLUMNS = (
    *("id", "name", "mode", "visibility", "rules", "clock", "commitment", "sealed_chain", "host_id"),
    *("created_at", "version", "updated_at", "status", "number", "turn", "awaited", "ready", "claims"),
    *("next_opener", "next_palifico", "started_version", "revealed_version", "result"),
    *("began_at", "due_at", "computer_due_at", "tells"),
)

_IN_JSON = ("rules", "clock", "claims", "result")

_TABLE = f"SELECT {', '.join(_COLUMNS)} FROM games_table WHERE id = %s"

_TABLE_AND_SITTER = f"""
    SELECT {", ".join("t." + column for column in _COLUMNS)},
        EXISTS (SELECT 1 FROM games_seat s WHERE s.table_id = t.id AND s.player_id = %s)
    FROM games_table t WHERE t.id = %s
"""

# What `_seat_row` takes; its player's columns and the sealed hand come last.
_SEAT = """s.number, s.player_id, s.level, s.character, s.client_seed, s.bank,
        s.dice, s.strikes, s.claimed, s."out", s."left", s.forfeited"""

# Each player is looked up by their own id: joined, they make PostgreSQL read all players there are as long
# as these are few, and that is most of what the whole table costs.
_PLAYER = "(SELECT {list}(p.name, p.user_id, p.bot_since) FROM accounts_player p WHERE p.id = s.player_id)"

# The whole table is one list in JSON, with lists of its seats and bids: a row of one column is cheap to take
# over, and one statement is one snapshot.
_WHOLE = f"""
    {", ".join(f"CAST(t.{name} AS text)" if name in _IN_JSON else f"t.{name}" for name in _COLUMNS)},
    r.palifico, r.opener,
    (SELECT {{lists}}({{list}}({_SEAT}, {_PLAYER}, h.sealed))
        FROM games_seat s
        LEFT JOIN games_hand h
            ON h.table_id = t.id AND h.number = t.number AND h.seat = s.number AND t.status = 'bidding'
        WHERE s.table_id = t.id),
    (SELECT {{lists}}({{list}}(e.ordinal, e.seat, e.quantity, e.face, e.total, e.at, e.facts))
        FROM games_event e
        WHERE e.table_id = t.id AND e.number = t.number AND e.kind = 'bid' AND t.status = 'bidding')
"""

_ROUND_IN_PLAY = """
    LEFT JOIN games_round r ON r.table_id = t.id AND r.number = t.number AND t.status = 'bidding'
"""

_WHOLE_TABLE = f"""
    SELECT CAST({{list}}({_WHOLE}) AS text) FROM games_table t {_ROUND_IN_PLAY} WHERE t.id = %s
"""

_TOKEN_AND_TABLE = f"""
    SELECT CAST({{list}}(a.id, a.seen_at, {_WHOLE}) AS text)
    FROM accounts_token k
    JOIN accounts_player a ON a.id = k.player_id
    LEFT JOIN games_table t ON t.id = %s {_ROUND_IN_PLAY}
    WHERE k.digest = %s
"""

_LISTS = {
    "postgresql": {"list": "json_build_array", "lists": "json_agg"},
    "sqlite": {"list": "json_array", "lists": "json_group_array"},
}
"""How either database writes lists in JSON."""

_MANY_TABLES = f"SELECT {', '.join(_COLUMNS)} FROM games_table WHERE id IN "

_MANY_SEATS = f"""
    SELECT t.version, t.id, {_SEAT}, p.name, p.user_id, p.bot_since
    FROM games_table t
    JOIN games_seat s ON s.table_id = t.id
    LEFT JOIN accounts_player p ON p.id = s.player_id
    WHERE t.id IN {{ids}} ORDER BY s.number
"""

_WAITING = """
    SELECT DISTINCT t.id, t.due_at IS NULL, t.due_at, t.updated_at
    FROM games_seat s
    JOIN games_table t ON t.id = s.table_id
    WHERE s.player_id = %s AND NOT s.over AND s."left" IS NULL AND t.status IN ('bidding', 'revealed')
        AND ((t.awaited >> s.number) & 1) = 1
    ORDER BY t.due_at IS NULL, t.due_at, t.updated_at LIMIT %s
"""

# Whoever still is in, a person, and was not seen since: neither on any request nor on a stream.
_ABSENT = """
    SELECT t.id, s.number
    FROM games_table t
    JOIN games_round r ON r.table_id = t.id AND r.number = 1 AND r.started_at < %s
    JOIN games_seat s ON s.table_id = t.id
    JOIN accounts_player p ON p.id = s.player_id
    WHERE t.live AND t.status IN ('bidding', 'revealed')
        AND s."left" IS NULL AND s.dice > 0 AND (p.seen_at IS NULL OR p.seen_at < %s)
    ORDER BY p.seen_at LIMIT %s
"""

_REVEAL = "SELECT CAST(facts AS text) FROM games_event WHERE table_id = %s AND version = %s"


def lock(table_id: str, *, wait: bool = True) -> TableRow | None:
    """Lock the table's row until the end of the transaction and read it; None where there is none.

    With `wait` false it is None too where somebody else holds the lock. On SQLite the transaction itself is
    the lock, since it begins immediate.
    """
    locking = " FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    if locking and not wait:
        locking += " SKIP LOCKED"
    rows = fetch(_TABLE + locking, [table_id]) if may_be_an_id(table_id) else []
    return _table_row(rows[0]) if rows else None


def peek(table_id: str, player_id: str | None) -> tuple[TableRow, bool] | None:
    """The table's row without a lock, and whether this player sits, or sat, there."""
    if not may_be_an_id(table_id):
        return None
    rows = fetch(_TABLE_AND_SITTER, [player_id or "", table_id])
    return (_table_row(rows[0][:-1]), bool(rows[0][-1])) if rows else None


def load(row: TableRow) -> Loaded:
    """The whole table of a row under lock, with every hand still sealed and without the latest reveal."""
    return load_unlocked(row)


def load_unlocked(row: TableRow) -> Loaded:
    """Like `load`, for a row that was read without a lock; the answer may be of a later version."""
    table = read(row.id)
    if table is None:
        raise Gone
    return table


def read(table_id: str) -> Loaded | None:
    """The whole table as it is now, with every hand still sealed; None where there is none."""
    if not may_be_an_id(table_id):
        return None
    found = fetch_value(_on_this_database(_WHOLE_TABLE), [table_id])
    return None if found is None else _whole(orjson.loads(found))


def read_for_token(table_id: str, digest: str) -> tuple[str, datetime | None, Loaded | None] | None:
    """Whose token this is, when they were seen last, and the whole table; None where it is nobody's."""
    named = table_id if may_be_an_id(table_id) else ""
    found = fetch_value(_on_this_database(_TOKEN_AND_TABLE), [named, digest])
    if found is None:
        return None
    player_id, seen_at, *columns = orjson.loads(found)
    return player_id, time_value(seen_at), None if columns[0] is None else _whole(columns)


def load_many(table_ids: Sequence[str]) -> list[Loaded]:
    """Many tables as lists show them: their seats, and no round."""
    if not table_ids:
        return []
    ids = f"({', '.join(['%s'] * len(table_ids))})"
    rows = {row.id: row for row in map(_table_row, fetch(_MANY_TABLES + ids, table_ids))}
    seats: dict[str, list[SeatRow]] = {table_id: [] for table_id in rows}
    for version, table_id, *columns in fetch(_MANY_SEATS.format(ids=ids), table_ids):
        if table_id in rows and rows[table_id].version == version:
            seats[table_id].append(_seat_row(*columns[:-3], columns[-3:], None))
    whole = [row for row in rows.values() if seats[row.id]]
    overtaken = [row for row in rows.values() if not seats[row.id]]
    return [
        *(Loaded(row=row, seats=tuple(seats[row.id]), state=_state(row, seats[row.id])) for row in whole),
        *_still_there(overtaken),
    ]


def _still_there(rows: Sequence[TableRow]) -> Iterator[Loaded]:
    for row in rows:
        try:
            yield load_unlocked(row)
        except Gone:
            continue  # closed while the list was read


def waiting_ids(player_id: str, *, most: int) -> list[str]:
    """The tables that wait for this player, the most urgent first."""
    return [str(columns[0]) for columns in fetch(_WAITING, [player_id, most])]


def absent_seats(*, since: datetime, most: int) -> list[tuple[str, int]]:
    """Table and seat of people who are still in at a live table and were not seen since then."""
    at = time_column(since)
    return [(str(table_id), int(number)) for table_id, number in fetch(_ABSENT, [at, at, most])]


def latest_reveal(row: TableRow) -> Reveal | None:
    """The reveal of the last round that was called when the table was at this version.

    What was revealed stays as it is, so this process remembers it, until the database may be another one.
    """
    if row.revealed_version is None:
        return None
    if connection.in_atomic_block:  # it may be undone
        return _reveal(row.id, row.revealed_version)
    return _remembered_reveal(row.id, row.revealed_version, connections_made())


@lru_cache(maxsize=500)
def _remembered_reveal(table_id: str, version: int, connections: int) -> Reveal | None:
    return _reveal(table_id, version)


def _reveal(table_id: str, version: int) -> Reveal | None:
    return json_value(fetch_value(_REVEAL, [table_id, str(version)]))


def _state(row: TableRow, seats: Sequence[SeatRow], *, round: Round | None = None) -> State:
    return State(
        rules=row.rules,
        pace=row.pace,
        seats=tuple(seat.seat for seat in seats),
        status=row.status,
        number=row.number,
        round=round,
        ready=row.ready,
        claims=row.claims,
        next_opener=row.next_opener,
        next_palifico=row.next_palifico,
        result=row.result,
    )


@cache
def _written_for(vendor: str, statement: str) -> str:
    return statement.format(**_LISTS[vendor])


def _on_this_database(statement: str) -> str:
    return _written_for(connection.vendor, statement)


def _whole(columns: Sequence[Any]) -> Loaded:
    """A table from what `_WHOLE` selects."""
    *of_table, palifico, opener, seats, bids = columns
    row = _table_row(of_table)
    held = tuple(_seat_row(*seat) for seat in sorted(seats, key=_number))
    round = None if opener is None else _round(row, bool(palifico), opener, bids or [])
    return Loaded(row=row, seats=held, state=_state(row, held, round=round))


def _seat_row(
    number: int,
    player_id: str | None,
    level: str,
    character: str,
    client_seed: str,
    bank: int | None,
    *more: Any,
) -> SeatRow:
    *in_match, player, sealed_hand = more
    player_name, user_id, bot_since = player or _NOBODY
    return SeatRow(
        number=number,
        player_id=player_id,
        player_name=player_name,
        account=user_id is not None,
        bot=bot_since is not None,
        level=level,
        character=character,
        client_seed=client_seed,
        bank=bank,
        seat=_seat(number, level != "", *in_match),
        sealed_hand=sealed_hand,
    )


_NOBODY = (None, None, None)


def _seat(
    number: int,
    computer: bool,
    dice: int,
    strikes: int,
    claimed: Any,
    out: int | None,
    left: int | None,
    forfeited: Any,
) -> Seat:
    return Seat(
        number=number,
        computer=computer,
        dice=dice,
        strikes=strikes,
        claimed=bool(claimed),
        out=out,
        left=left,
        forfeited=bool(forfeited),
    )


def _round(row: TableRow, palifico: bool, opener: int, bids: list[list[Any]]) -> Round:
    if row.turn is None:
        raise ValueError("a table has a turn while bidding")
    placed = tuple(
        PlacedBid(
            seat=seat,
            bid=Bid(quantity=quantity, face=face, total=total),
            at=_stamped(at),
            tell=facts is not None,  # a tell is all that is written beside a bid
        )
        for _, seat, quantity, face, total, at, facts in sorted(bids, key=_number)
    )
    return Round(number=row.number, palifico=palifico, opener=opener, turn=row.turn, bids=placed)


@lru_cache(maxsize=10_000)
def _stamped(column: str) -> str:
    """A time as the API writes it; every bid of a round is read again with each that follows."""
    return stamp(required_time(column))


_number = itemgetter(0)


def _table_row(columns: Sequence[Any]) -> TableRow:
    named = dict(zip(_COLUMNS, columns, strict=True))
    named["rules"] = rules_value(named["rules"])
    named["clock"] = clock_value(named["clock"])
    named["created_at"] = required_time(named["created_at"])
    named["updated_at"] = required_time(named["updated_at"])
    named["awaited"] = numbers_of(named["awaited"])
    named["ready"] = numbers_of(named["ready"])
    named["claims"] = tuple(json_value(named["claims"]))
    named["next_palifico"] = bool(named["next_palifico"])
    named["result"] = result_value(named["result"])
    named["began_at"] = time_value(named["began_at"])
    named["due_at"] = time_value(named["due_at"])
    named["computer_due_at"] = time_value(named["computer_due_at"])
    named["tells"] = named["tells"] is None or bool(named["tells"])
    return TableRow(**named)


def may_be_an_id(text: str) -> bool:
    """Could this be a table's id at all? What comes in an address may be anything, NUL included."""
    return len(text) <= 16 and text.isascii() and text.isalnum()
