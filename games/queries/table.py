"""The views of one table: what a viewer may read of it now, of its past rounds, and of its end."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings

from games import access
from games.engine.view import seats_seen, view_for
from games.store import archives
from games.store.documents import table_document
from games.store.reading import Busy as Busy  # noqa: PLC0414 - doors, which know no store, catch it here
from games.store.reading import Gone, latest_reveal, load_unlocked, may_be_an_id, peek
from games.store.rows import Loaded, TableRow

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


def shown(table: Loaded | None, player_id: str) -> Seen:
    """The view of a table that was read just now, for a player; `NothingThere` where they may not see it."""
    if table is None:
        raise access.NothingThere
    access.check_sees(table.row, player_id, sits=any(seat.player_id == player_id for seat in table.seats))
    return Seen(etag(table.row.version, player_id, None), view_of(table, player_id))


def view_of(table: Loaded, player_id: str | None, *, through: int | None = None) -> dict[str, Any]:
    """The view of a table that is loaded, or was just changed, for this player."""
    table = _with_reveal(table)
    viewer = access.viewer_of(table.row, table.seats, player_id, through=through)
    seen = view_for(table.opened(seats_seen(table.state, viewer)).state, viewer)
    return table_document(table, seen, player_id)


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
    row_to_read_of(table_id, player_id)
    found = archives.reveals(table_id, after=after, most=PAGE + 1)
    page = found[:PAGE]
    return page, page[-1]["number"] if len(found) > PAGE else None


def round_of(table_id: str, player_id: str | None, number: int) -> dict[str, Any]:
    """The reveal of one finished round."""
    row_to_read_of(table_id, player_id)
    for reveal in archives.reveals(table_id, after=number - 1, most=1):
        if reveal["number"] == number:
            return reveal
    raise access.NothingThere("This round has not been revealed.")


def archive(table_id: str, player_id: str | None) -> dict[str, Any]:
    """The finished match as one document that stands on its own (games/archive.schema.json)."""
    row = row_to_read_of(table_id, player_id)
    document = archives.whole_match(table_id, row)
    if document is None:
        raise access.NothingThere("The archive of a match is there once it has ended.")
    return document


@dataclass(frozen=True, slots=True, kw_only=True)
class _Archived:
    """What must be known of a match whose table is not here, to judge who may read of it."""

    mode: str
    visibility: str
    host_id: str


def row_to_read_of(table_id: str, player_id: str | None) -> TableRow | None:
    """The row of a table whose past this player may read; None where the archive alone is here."""
    found = peek(table_id, player_id)
    if found is not None:
        row, sits = found
        access.check_sees(row, player_id, sits=sits)
        return row
    frame = archives.frame(table_id) if may_be_an_id(table_id) else None
    if frame is None:
        raise access.NothingThere
    table = frame["table"]
    facts = _Archived(mode=table["mode"], visibility=table["visibility"], host_id=table["host"])
    sits = any(seat["player"]["id"] == player_id for seat in table["seats"])
    access.check_sees(facts, player_id, sits=sits)
    return None
