"""Saving what a step changed, in as few statements as it needs.

A step is saved where the table is still at the version that it was taken from: whoever read it under its lock
may be sure of that, and whoever read it without one hears `Overtaken`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from games import sealing
from games.engine.facts import BidMade, Called, Fact, written
from games.engine.moves import Bid
from games.engine.state import Round, State
from games.store.rows import (
    EventRow,
    Loaded,
    SeatRow,
    TableRow,
    Times,
    json_column,
    mask_of,
    time_column,
)
from games.store.sending import execute, execute_texts

_SEAT_COLUMNS = {
    "dice": "integer",
    "strikes": "integer",
    "claimed": "boolean",
    "out": "integer",
    "left": "integer",
    "forfeited": "boolean",
    "bank": "bigint",
    "over": "boolean",
}

# A bid on PostgreSQL: its transaction is this one statement. Beside the version, it changes whose turn it is.
_SAVE_BID = """
    WITH moved AS (
        UPDATE games_table SET version = %s, updated_at = %s, turn = %s, awaited = %s,
            began_at = %s, due_at = %s, computer_due_at = %s
        WHERE id = %s AND version = %s
        RETURNING id
    )
    INSERT INTO games_event
        (table_id, kind, status, at, version, seat, number, ordinal, quantity, face, total)
    SELECT id, 'bid', 'bidding', CAST(%s AS timestamptz),
        CAST(%s AS integer), CAST(%s AS integer), CAST(%s AS integer), CAST(%s AS integer),
        CAST(%s AS integer), CAST(%s AS integer), CAST(%s AS integer)
    FROM moved
"""


class Overtaken(Exception):
    """The table is at another version than the one that this step was taken from; nothing was saved."""


def save(
    before: Loaded,
    state: State,
    facts: Sequence[Fact],
    *,
    times: Times,
    banks: Mapping[int, int | None],
    now: datetime,
) -> Loaded:
    """Write a step, all of it or nothing: an event for every fact, a new round, the seats, the table.

    Raises `Overtaken`.
    """
    events = events_of(before, facts, now=now)
    row = _row_after(before.row, state, events, times, now=now)
    same_round = state.round is not None and state.number == before.state.number
    seats = _seats_after(before, state, banks, same_round=same_round)
    after = Loaded(row=row, seats=seats, state=state)
    changed = [
        new
        for old, new in zip(before.seats, seats, strict=True)
        if state.status == "finished" or (new is not old and (new.seat, new.bank) != (old.seat, old.bank))
    ]
    plain_bid = [(event.kind, event.facts) for event in events] == [("bid", None)]
    if plain_bid and not changed and connection.vendor == "postgresql":
        _save_bid(before.row, row, events[0])
        return after
    with transaction.atomic():
        _update_table(before.row, row)
        insert_events(row.id, events)
        if state.round is not None and not same_round:
            _insert_round(row.id, state.round, now=now)
        if changed:
            _update_seats(row.id, changed, over=state.status == "finished")
    return after


def _seats_after(
    before: Loaded, state: State, banks: Mapping[int, int | None], *, same_round: bool
) -> tuple[SeatRow, ...]:
    if same_round and not banks and (state.seats is before.state.seats or state.seats == before.state.seats):
        return before.seats
    return tuple(
        replace(
            old,
            seat=new,
            bank=banks.get(old.number, old.bank),
            sealed_hand=old.sealed_hand if same_round else None,
        )
        for old, new in zip(before.seats, state.seats, strict=True)
    )


def events_of(before: Loaded, facts: Sequence[Fact], *, now: datetime) -> list[EventRow]:
    """The events of a step's facts, each in the status that the fact before it left."""
    events: list[EventRow] = []
    status, number = str(before.state.status), before.state.number
    for version, fact in enumerate(facts, before.row.version + 1):
        kind, public = written(fact)
        bid = fact.bid if isinstance(fact, BidMade) else None
        ordinal = 1 + len(before.state.round.bids) if bid and before.state.round else None
        events.append(
            EventRow(
                version=version,
                kind=kind,
                seat=fact.seat,
                at=now,
                status=status,
                number=number,
                ordinal=ordinal,
                bid=bid,
                facts=public,
            )
        )
        if isinstance(fact, Called):
            status = "revealed"
    return events


def _row_after(
    row: TableRow, state: State, events: Sequence[EventRow], times: Times, *, now: datetime
) -> TableRow:
    called = [event.version for event in events if event.kind in ("liar", "exact")]
    started = [event.version for event in events if event.kind == "started"]
    return replace(
        row,
        version=row.version + len(events),
        updated_at=now,
        status=state.status,
        number=state.number,
        turn=state.turn,
        awaited=awaited_seats(state),
        ready=state.ready,
        claims=state.claims,
        next_opener=state.next_opener,
        next_palifico=state.next_palifico,
        started_version=started[-1] if started else row.started_version,
        revealed_version=called[-1] if called else row.revealed_version,
        result=state.result,
        began_at=times.began_at,
        due_at=times.due_at,
        computer_due_at=times.computer_due_at,
    )


def awaited_seats(state: State) -> frozenset[int]:
    """The seats whose person the match waits for."""
    if state.status == "bidding" and state.turn is not None:
        return frozenset({state.turn}) & state.persons_in
    return state.pressers - state.ready


def insert_events(table_id: str, events: Sequence[EventRow]) -> None:
    """Append events to the history of a table."""
    rows = []
    for event in events:
        bid = event.bid or Bid()
        rows.append(
            (
                *(table_id, event.version, event.kind, event.seat, time_column(event.at), event.status),
                *(event.number, event.ordinal, bid.quantity, bid.face, bid.total),
                json_column(event.facts),
            )
        )
    _insert(
        "games_event",
        "table_id, version, kind, seat, at, status, number, ordinal, quantity, face, total, facts",
        rows,
    )


def _insert_round(table_id: str, round: Round, *, now: datetime) -> None:
    _insert(
        "games_round",
        "table_id, number, palifico, opener, started_at",
        [(table_id, round.number, round.palifico, round.opener, time_column(now))],
    )
    _insert(
        "games_hand",
        "table_id, number, seat, sealed",
        [
            (
                *(table_id, round.number, seat),
                sealing.seal_hand(hand, place=sealing.hand_place(table_id, round.number, seat)),
            )
            for seat, hand in round.hands.items()
        ],
    )


def _update_seats(table_id: str, changed: Sequence[SeatRow], *, over: bool) -> None:
    casts = ", ".join(f"CAST(%s AS {kind})" for kind in _SEAT_COLUMNS.values())
    names = ", ".join(f'"{name}"' for name in _SEAT_COLUMNS)
    values = ", ".join([f"(CAST(%s AS integer), {casts})"] * len(changed))
    sets = ", ".join(f'"{name}" = v."{name}"' for name in _SEAT_COLUMNS)
    parameters: list[Any] = []
    for row in changed:
        seat = row.seat
        parameters += (seat.number, seat.dice, seat.strikes, seat.claimed, seat.out, seat.left)
        parameters += (seat.forfeited, row.bank, over)
    execute(
        f"WITH v (number, {names}) AS (VALUES {values}) UPDATE games_seat SET {sets} FROM v "
        "WHERE games_seat.table_id = %s AND games_seat.number = v.number",
        [*parameters, table_id],
    )


def _save_bid(before: TableRow, row: TableRow, event: EventRow) -> None:
    bid = event.bid or Bid()
    at = event.at.isoformat()
    numbers = (row.version, event.seat, event.number, event.ordinal, bid.quantity, bid.face, bid.total)
    parameters = (
        *(str(row.version), at, _text(row.turn), str(mask_of(row.awaited))),
        *(_time_text(row.began_at), _time_text(row.due_at), _time_text(row.computer_due_at)),
        *(row.id, str(before.version), at, *map(_text, numbers)),
    )
    if execute_texts(_SAVE_BID, parameters) == 0:
        raise Overtaken


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _time_text(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def _update_table(before: TableRow, row: TableRow) -> None:
    columns: dict[str, Any] = {
        "version": row.version,
        "updated_at": time_column(row.updated_at),
        "status": row.status,
        "number": row.number,
        "turn": row.turn,
        "awaited": mask_of(row.awaited),
        "ready": mask_of(row.ready),
        "claims": json_column(list(row.claims)),
        "next_opener": row.next_opener,
        "next_palifico": row.next_palifico,
        "started_version": row.started_version,
        "revealed_version": row.revealed_version,
        "result": json_column(row.result.document() if row.result else None),
        "began_at": time_column(row.began_at),
        "due_at": time_column(row.due_at),
        "computer_due_at": time_column(row.computer_due_at),
    }
    sets = ", ".join(f"{name} = %s" for name in columns)
    statement = f"UPDATE games_table SET {sets} WHERE id = %s AND version = %s"
    if execute(statement, [*columns.values(), row.id, before.version]) == 0:
        raise Overtaken


def _insert(table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
    one = f"({', '.join(['%s'] * len(rows[0]))})"
    values = [value for row in rows for value in row]
    execute(f"INSERT INTO {table} ({columns}) VALUES {', '.join([one] * len(rows))}", values)
