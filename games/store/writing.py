"""Saving what a step changed, in as few statements as it needs.

A step is saved where the table is still at the version that it was taken from: whoever read it under its lock
may be sure of that, and whoever read it without one hears `Overtaken`. A bid may be taken from a table that
is only remembered, and is saved where its proof holds besides.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import connection, transaction

from games import sealing
from games.engine.facts import BidMade, Called, Fact, written
from games.engine.moves import Bid
from games.engine.state import Round, State
from games.store import at_once, recent
from games.store.at_once import Row, Written
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
from games.store.sending import execute


class Overtaken(Exception):
    """The table is not as this step took it to be; nothing was saved, and its rows are to be read."""


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
        saved = at_once.save_bid(before, row, events[0])
        if saved and not connection.in_atomic_block:
            recent.keep(after)
    elif before.proof is None:
        begun = None if same_round else state.round
        saved = _save_step(before.row, _written(row, events, begun, changed))
    else:
        saved = False  # only a plain bid is saved with a proof
    if not saved:
        raise Overtaken
    return after


def _written(
    row: TableRow, events: Sequence[EventRow], begun: Round | None, seats: Sequence[SeatRow]
) -> Written:
    return Written(
        table=_table_columns(row),
        events=[_event_columns(event) for event in events],
        rounds=[]
        if begun is None
        else [(begun.number, begun.palifico, begun.opener, time_column(row.updated_at))],
        hands=[] if begun is None else _hand_columns(row.id, begun),
        seats=[_seat_columns(seat, over=row.status == "finished") for seat in seats],
    )


def _save_step(before: TableRow, written: Written) -> bool:
    if connection.vendor == "postgresql":
        return at_once.save_step(before, written)
    with transaction.atomic():
        sets = ", ".join(f"{name} = %s" for name in at_once.TABLE)
        statement = f"UPDATE games_table SET {sets} WHERE id = %s AND version = %s"
        if execute(statement, [*written.table, before.id, before.version]) == 0:
            return False
        _insert("games_event", at_once.EVENT, before.id, written.events)
        _insert("games_round", at_once.ROUND, before.id, written.rounds)
        _insert("games_hand", at_once.HAND, before.id, written.hands)
        _update_seats(before.id, written.seats)
    return True


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
    _insert("games_event", at_once.EVENT, table_id, [_event_columns(event) for event in events])


def _event_columns(event: EventRow) -> Row:
    bid = event.bid or Bid()
    return (
        *(event.version, event.kind, event.seat, time_column(event.at), event.status, event.number),
        *(event.ordinal, bid.quantity, bid.face, bid.total, json_column(event.facts)),
    )


def _hand_columns(table_id: str, round: Round) -> list[Row]:
    return [
        (
            *(round.number, seat),
            sealing.seal_hand(hand, place=sealing.hand_place(table_id, round.number, seat)),
        )
        for seat, hand in round.hands.items()
    ]


def _seat_columns(row: SeatRow, *, over: bool) -> Row:
    seat = row.seat
    return (
        *(seat.number, seat.dice, seat.strikes, seat.claimed, seat.out, seat.left, seat.forfeited),
        *(row.bank, over),
    )


def _table_columns(row: TableRow) -> Row:
    return (
        *(row.version, time_column(row.updated_at), row.status, row.number, row.turn),
        *(mask_of(row.awaited), mask_of(row.ready), json_column(list(row.claims)), row.next_opener),
        *(row.next_palifico, row.started_version, row.revealed_version),
        json_column(row.result.document() if row.result else None),
        *map(time_column, (row.began_at, row.due_at, row.computer_due_at)),
    )


def _update_seats(table_id: str, rows: Sequence[Row]) -> None:
    if not rows:
        return
    names = [f'"{name}"' for name in at_once.SEAT]
    one = f"({', '.join(['%s'] * len(names))})"
    sets = ", ".join(f"{name} = v.{name}" for name in names)
    execute(
        f"WITH v ({', '.join(names)}) AS (VALUES {', '.join([one] * len(rows))}) "
        f"UPDATE games_seat SET {sets} FROM v "
        "WHERE games_seat.table_id = %s AND games_seat.number = v.number",
        [*(value for row in rows for value in row), table_id],
    )


def _insert(table: str, columns: Iterable[str], table_id: str, rows: Sequence[Row]) -> None:
    """Add rows to what belongs to a table."""
    if not rows:
        return
    names = ("table_id", *columns)
    one = f"({', '.join(['%s'] * len(names))})"
    values = [value for row in rows for value in (table_id, *row)]
    execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([one] * len(rows))}", values)
