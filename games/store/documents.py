"""Documents: a table, its seats and what happened there, as the API writes them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.clocks import stamp
from games.computers.registry import CHARACTERS
from games.engine.archive import FORMAT
from games.engine.view import SPECTATOR, SeatView, TableView, view_for
from games.models import CALLS, Event, Given
from games.store.rows import Loaded, SeatRow, TableRow


class Incomplete(Exception):
    """The rows of a match are not all there: its archive alone has the whole of it."""


def match_document(table: Loaded) -> dict[str, Any]:
    """A finished match as one document that stands on its own (games/archive.schema.json).

    Raises `Incomplete` where its rows were pruned.
    """
    events = list(Event.objects.filter(table_id=table.row.id).exclude(kind="bid").order_by("version"))
    if not events or events[0].version != 1:
        raise Incomplete(table.row.id)
    reveals = [json.loads(event.facts or "") for event in events if event.kind in CALLS]
    state = replace(table.state, reveal=reveals[-1] if reveals else None)
    return {
        "format": FORMAT,
        "table": table_document(table, view_for(state, SPECTATOR), None),
        "rounds": reveals,
        "events": [event_document(event) for event in events if event.kind not in CALLS],
    }


def event_document(event: Event) -> dict[str, Any]:
    """Something that happened, but for a bid or a call."""
    return {
        "version": event.version,
        "kind": event.kind,
        "seat": event.seat,
        "at": stamp(event.at),
        "round": event.number,
        "status": event.status,
        **json.loads(event.facts or "{}"),
    }


def table_document(table: Loaded, seen: TableView, player_id: str | None) -> dict[str, Any]:
    """The view: the table's own facts, and what the viewer sees of the match."""
    row = table.row
    given = given_of(row.id) if row.mode == "practice" else None
    return {
        "id": row.id,
        "version": row.version,
        "name": row.name,
        "status": seen.status,
        "mode": row.mode,
        "visibility": row.visibility,
        "rules": seen.rules.document(),
        "clock": row.clock.document(),
        "commitment": row.commitment,
        "created_at": stamp(row.created_at),
        "host": row.host_id,
        "deadline": None if row.due_at is None else stamp(row.due_at),
        "seats": [
            seat_document(seat, seen.seats[seat.number], seed_seen(row, seat, player_id))
            for seat in table.seats
        ],
        "viewer": seen.viewer.document(),
        "round": None if seen.round is None else seen.round.document(),
        "legal": None if seen.legal is None else seen.legal.document(),
        "reveal": seen.reveal,
        "result": None if seen.result is None else seen.result.document(),
        "tells": row.tells,
        **({} if given is None else {"given": given}),
    }


def given_of(table_id: str) -> dict[str, Any] | None:
    """What the first hands of a practice table were given from; None where they were rolled."""
    found = Given.objects.filter(pk=table_id).values_list("of_table", "of_round", "dice", "palifico").first()
    if found is None:
        return None
    return {"table": found[0], "round": found[1], "dice": found[2], "palifico": found[3]}


def seat_document(seat: SeatRow, seen: SeatView, seed: str | None) -> dict[str, Any]:
    """One seat, as views and summaries write it."""
    return {
        "seat": seat.number,
        "player": player_document(seat),
        "dice": seen.dice,
        "place": seen.place,
        "substitute": seen.substitute,
        "ready": seen.ready,
        "bank_seconds": None if seat.bank is None else seat.bank // 1000,
        "client_seed": seed,
    }


def player_document(seat: SeatRow) -> Mapping[str, Any] | None:
    """Who sits there: a person or their program, a computer, or None."""
    if seat.level:
        return {
            "id": f"computer-{seat.character}",
            "name": CHARACTERS.get(seat.character, seat.character),
            "kind": "computer",
            "level": seat.level,
            "character": seat.character,
        }
    if seat.player_id is None:
        return None
    kind = "bot" if seat.bot else "account" if seat.account else "guest"
    return {"id": seat.player_id, "name": seat.player_name, "kind": kind}


def seed_seen(row: TableRow, seat: SeatRow, player_id: str | None) -> str | None:
    """The seed of a seat as this player may see it.

    Seeds are public from the start of the match; before it one sees only one's own.
    """
    if not seat.taken or (row.status == "open" and (player_id is None or seat.player_id != player_id)):
        return None
    return seat.client_seed
