"""The views of one table: what a viewer may read of it now, of its past rounds, and of its end."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings

from games import access
from games.clocks import stamp
from games.computers.registry import CHARACTERS
from games.engine.archive import FORMAT
from games.engine.view import SPECTATOR, SeatView, TableView, seats_seen, view_for
from games.models import CALLS, Event
from games.store.reading import Busy as Busy  # noqa: PLC0414 - doors, which know no store, catch it here
from games.store.reading import Gone, latest_reveal, load_unlocked, peek
from games.store.rows import Loaded, SeatRow, TableRow

PAGE = 50


@dataclass(frozen=True, slots=True)
class Seen:
    """A view as one viewer may have it: its tag, and the document unless they have it already."""

    etag: str
    document: dict[str, Any] | None = field(repr=False)


def table_view(
    table_id: str, player_id: str | None, *, through: int | None = None, has: Collection[str] = ()
) -> Seen:
    """The view of a table for whoever looks; `has` are the tags that they hold already.

    Raises `NothingThere`, `NotYours` and the store's `Busy`.
    """
    row = visible_row(table_id, player_id)
    if through is not None and not access.owns(row, player_id):
        raise access.NotYours("Only the owner of a practice table looks through its seats.")
    tag = etag(row.version, player_id, through)
    if tag in has:
        return Seen(tag, None)
    table = _loaded(row)
    document = view_of(table, player_id, through=through)
    return Seen(etag(table.row.version, player_id, through), document)


def view_of(table: Loaded, player_id: str | None, *, through: int | None = None) -> dict[str, Any]:
    """The view of a table that is loaded, or was just changed, for this player."""
    table = _with_reveal(table)
    viewer = access.viewer_of(table.row, table.seats, player_id, through=through)
    seen = view_for(table.opened(seats_seen(table.state, viewer)).state, viewer)
    return _document(table, seen, player_id)


def _with_reveal(table: Loaded) -> Loaded:
    """The table with the latest reveal at its version, which a view needs and a move does not."""
    if table.state.reveal is not None or table.row.revealed_version is None:
        return table
    return replace(table, state=replace(table.state, reveal=latest_reveal(table.row)))


def _loaded(row: TableRow) -> Loaded:
    try:
        return load_unlocked(row)
    except Gone:
        raise access.NothingThere from None


def visible_row(table_id: str, player_id: str | None) -> TableRow:
    """The row of a table that this player may see; `NothingThere` for any other."""
    found = peek(table_id, player_id)
    if found is None:
        raise access.NothingThere
    row, sits = found
    access.check_sees(row, player_id, sits=sits)
    return row


def etag(version: int, player_id: str | None, through: int | None) -> str:
    """The tag of a view: of its version and its viewer, and never of a die."""
    whose = f"{settings.VERSION}|{player_id or ''}|{'' if through is None else through}"
    return f'"{version}-{hashlib.sha256(whose.encode()).hexdigest()[:16]}"'


def rounds(
    table_id: str, player_id: str | None, *, after: int = 0
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of reveals after this round, oldest first; and the round to go on after, or None."""
    row = visible_row(table_id, player_id)
    called = Event.objects.filter(table_id=row.id, kind__in=CALLS, number__gt=after).order_by("number")
    texts = list(called.values_list("facts", flat=True)[: PAGE + 1])
    page = [json.loads(text) for text in texts[:PAGE] if text]
    return page, page[-1]["number"] if len(texts) > PAGE else None


def round_of(table_id: str, player_id: str | None, number: int) -> dict[str, Any]:
    """The reveal of one finished round."""
    row = visible_row(table_id, player_id)
    called = Event.objects.filter(table_id=row.id, kind__in=CALLS, number=number)
    text = called.values_list("facts", flat=True).first()
    if text is None:
        raise access.NothingThere("This round has not been revealed.")
    reveal: dict[str, Any] = json.loads(text)
    return reveal


def archive(table_id: str, player_id: str | None) -> dict[str, Any]:
    """The finished match as one document that stands on its own (games/archive.schema.json)."""
    row = visible_row(table_id, player_id)
    if row.status != "finished":
        raise access.NothingThere("The archive of a match is there once it has ended.")
    table = _with_reveal(_loaded(row))
    events = list(Event.objects.filter(table_id=row.id).exclude(kind="bid").order_by("version"))
    return {
        "format": FORMAT,
        "table": _document(table, view_for(table.state, SPECTATOR), None),
        "rounds": [json.loads(event.facts or "") for event in events if event.kind in CALLS],
        "events": [_event_document(event) for event in events if event.kind not in CALLS],
    }


def _event_document(event: Event) -> dict[str, Any]:
    return {
        "version": event.version,
        "kind": event.kind,
        "seat": event.seat,
        "at": stamp(event.at),
        "round": event.number,
        "status": event.status,
        **json.loads(event.facts or "{}"),
    }


def _document(table: Loaded, seen: TableView, player_id: str | None) -> dict[str, Any]:
    """The view as the API writes it: the table's own facts, and what the viewer sees of the match."""
    row = table.row
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
    }


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
    """Who sits there: a person, a computer, or None."""
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
    kind = "account" if seat.account else "guest"
    return {"id": seat.player_id, "name": seat.player_name, "kind": kind}


def seed_seen(row: TableRow, seat: SeatRow, player_id: str | None) -> str | None:
    """The seed of a seat as this player may see it.

    Seeds are public from the start of the match; before it one sees only one's own.
    """
    if not seat.taken or (row.status == "open" and (player_id is None or seat.player_id != player_id)):
        return None
    return seat.client_seed
