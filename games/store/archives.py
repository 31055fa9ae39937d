"""Archives in rows: the very bytes that the API answers with, packed, each reveal as a row of its own.

A table whose live rows were pruned keeps the event of its last call, which its view shows; everything else of
its past is here alone.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import connection

from games.engine.archive import FORMAT
from games.models import CALLS, Archive, ArchivedReveal, Event
from games.store.documents import Incomplete, match_document
from games.store.reading import Gone, load_unlocked
from games.store.rows import TableRow, time_column

_BEHIND = """
    FROM games_table t LEFT JOIN games_archive a ON a.id = t.id
    WHERE a.ended_at IS NULL AND (
        t.status = 'finished'
        OR t.status IN ('bidding', 'revealed') AND t.revealed_version > COALESCE(a.version, 0)
    )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far the archive of a table is: the version that it was made from, and whether it is whole."""

    version: int = 0
    whole: bool = False


def standing(table_id: str) -> Standing:
    """How far this archive is; version 0 where there is none."""
    found = Archive.objects.filter(pk=table_id).values_list("version", "ended_at").first()
    return Standing() if found is None else Standing(version=found[0], whole=found[1] is not None)


def behind(*, after: str = "", since: datetime | None = None, most: int) -> list[str]:
    """Tables whose archive is behind their last reveal or their end.

    With `since` those that moved since then, the latest first; else all, by their ids and from `after` on.
    """
    statement: str
    parameters: list[Any]
    if since is None:
        statement, parameters = f"SELECT t.id {_BEHIND} AND t.id > %s ORDER BY t.id LIMIT %s", [after, most]
    else:
        # Every visibility is named, so that the index of the lists finds the few that moved.
        statement = f"""SELECT t.id {_BEHIND} AND t.visibility IN ('public', 'unlisted', 'private')
            AND t.updated_at >= %s ORDER BY t.updated_at DESC LIMIT %s"""
        parameters = [time_column(since), most]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [str(table_id) for (table_id,) in cursor.fetchall()]


def keep_reveals(row: TableRow, revealed: Iterable[Mapping[str, Any]], *, version: int) -> bool:
    """Add the reveals of a match that goes on; False where the archive has them already."""
    archive = Archive(id=row.id, format=FORMAT, version=0, visibility=row.visibility)
    Archive.objects.bulk_create([archive], ignore_conflicts=True)
    waiting = Archive.objects.filter(pk=row.id, ended_at=None, version__lt=version)
    if not waiting.update(version=version):
        return False
    _insert_reveals(row.id, revealed)
    return True


def keep_whole(document: Mapping[str, Any], *, ended_at: datetime, live_rows: bool) -> bool:
    """Keep a finished match; False where its archive is whole already."""
    table = document["table"]
    archive = Archive(id=table["id"], format=FORMAT, version=0, visibility=table["visibility"])
    Archive.objects.bulk_create([archive], ignore_conflicts=True)
    frame = {name: value for name, value in document.items() if name != "rounds"}
    waiting = Archive.objects.filter(pk=table["id"], ended_at=None)
    if not waiting.update(
        version=table["version"], ended_at=ended_at, frame=packed(frame), live_rows=live_rows
    ):
        return False
    _insert_reveals(table["id"], document["rounds"])
    return True


def _insert_reveals(table_id: str, revealed: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        ArchivedReveal(archive_id=table_id, number=reveal["number"], content=packed(reveal))
        for reveal in revealed
    ]
    ArchivedReveal.objects.bulk_create(rows, ignore_conflicts=True, batch_size=200)


def reveals(table_id: str, *, after: int, most: int) -> list[dict[str, Any]]:
    """Reveals after this round, oldest first, from the live rows or else from the archive."""
    called = Event.objects.filter(table_id=table_id, kind__in=CALLS, number__gt=after).order_by("number")
    live = list(called.values_list("number", "facts")[:most])
    # Rounds are called one after another: where the next one is missing, the rows were pruned.
    if live and live[0][0] == after + 1:
        return [json.loads(facts or "") for _, facts in live]
    kept = ArchivedReveal.objects.filter(archive_id=table_id, number__gt=after).order_by("number")
    return [unpacked(content) for content in kept.values_list("content", flat=True)[:most]]


def frame(table_id: str) -> dict[str, Any] | None:
    """The archive of a finished match without its rounds; None where there is none."""
    found = Archive.objects.filter(pk=table_id, ended_at__isnull=False).values_list("frame", flat=True)
    return next(map(unpacked, found), None)


def kept_match(table_id: str) -> dict[str, Any] | None:
    """The whole document as the archive has it; None where there is none."""
    outer = frame(table_id)
    if outer is None:
        return None
    kept = ArchivedReveal.objects.filter(archive_id=table_id).order_by("number")
    return framed(outer, [unpacked(content) for content in kept.values_list("content", flat=True)])


def whole_match(table_id: str, row: TableRow | None) -> dict[str, Any] | None:
    """The whole document of a match that ended, from its archive, or from its rows until there is one."""
    if row is not None and row.status != "finished":
        return None
    document = kept_match(table_id)
    if document is not None or row is None:
        return document
    try:
        return match_document(load_unlocked(row))
    except (Incomplete, Gone):
        return kept_match(table_id)  # the rows were pruned a moment ago, and so the archive is there


def framed(frame: Mapping[str, Any], rounds: list[Any]) -> dict[str, Any]:
    """A document from its frame and its rounds, its parts in the order of the format."""
    named = {"format": frame["format"], "table": frame["table"], "rounds": rounds, "events": frame["events"]}
    return named | {name: value for name, value in frame.items() if name not in named}


def packed(value: object) -> bytes:
    """JSON as the API writes it, in few bytes."""
    return zlib.compress(orjson.dumps(value))


def unpacked(content: bytes | memoryview) -> Any:
    """The value that was packed."""
    return orjson.loads(zlib.decompress(content))
