"""Archives: brought up to date from the rows, kept instead of them, and taken in from elsewhere."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import orjson
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games import live
from games.clocks import instant
from games.commands.outcomes import count_match, keep_outcomes, uncounted
from games.engine.archive import Malformed, read
from games.engine.verify import verify
from games.models import CALLS, Archive, Event, Hand, Round
from games.store import archives
from games.store.documents import Incomplete, match_document
from games.store.reading import Gone, load, load_unlocked, lock, may_be_an_id, peek
from games.store.rows import TableRow

REFUSAL_STANDS = timedelta(days=1)
"""How long a match whose archive and rows differ is left alone before it is looked at again."""

_log = structlog.get_logger(__name__)


Document: TypeAlias = dict[str, Any]


class Unfit(Exception):
    """A document that cannot be taken in; the message says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def archive_table(*, table_id: str) -> bool:
    """Bring the archive of a table up to date; was there anything to do?

    It reads what is there now: twice, late or in any order is harmless.
    """
    standing = archives.standing(table_id)
    if standing.whole:
        return count_match(table_id=table_id)
    found = peek(table_id, None)
    if found is None:
        return False
    row = found[0]
    if row.status == "finished":
        return _archive_whole(row)
    if (row.revealed_version or 0) <= standing.version:
        return False
    return _archive_reveals(row, after=standing.version)


def _archive_reveals(row: TableRow, *, after: int) -> bool:
    called = Event.objects.filter(table_id=row.id, kind__in=CALLS, version__gt=after).order_by("version")
    found = list(called.values_list("version", "facts"))
    if not found:
        return False
    revealed = [json.loads(facts or "") for _, facts in found]
    with transaction.atomic():
        return archives.keep_reveals(row, revealed, version=found[-1][0])


def _archive_whole(row: TableRow) -> bool:
    try:
        document = match_document(load_unlocked(row))
    except Gone:
        return False
    with transaction.atomic():
        kept = archives.keep_whole(document, ended_at=row.updated_at, live_rows=True)
        keep_outcomes(document, ended_at=row.updated_at)
        live.analyse_table(row.id)
    return kept


def tables_behind(*, since: datetime | None = None, most: int = 200) -> Iterator[str]:
    """The tables whose archive is behind, found from the rows: those that moved since then, or all.

    With all come the archives of matches that were not counted yet. Each is to be brought up to date before
    the next is asked for.
    """
    if since is not None:
        yield from archives.behind(since=since, most=most)
        return
    for behind in (archives.behind, uncounted):
        after = ""
        while page := behind(after=after, most=most):
            yield from page
            after = page[-1]


def matches_to_prune(*, now: datetime, most: int = 200) -> list[str]:
    """Finished matches that are old enough to live in their archive alone, the oldest first."""
    if not settings.ARCHIVE_AFTER_DAYS:
        return []
    old = now - timedelta(days=settings.ARCHIVE_AFTER_DAYS)
    due = Archive.objects.filter(live_rows=True, ended_at__lte=old)
    looked_at_again = Q(refused_at__isnull=True) | Q(refused_at__lte=now - REFUSAL_STANDS)
    return list(due.filter(looked_at_again).order_by("ended_at").values_list("id", flat=True)[:most])


def prune(*, table_id: str, now: datetime) -> bool:
    """Delete the rows of a finished match that its archive has as well; False where anything differs.

    What the view of the table shows stays: the table, its seats, and the event of the last call.
    """
    with transaction.atomic():
        row = lock(table_id)
        archive = Archive.objects.select_for_update().filter(pk=table_id, ended_at__isnull=False).first()
        if row is None or archive is None or not archive.live_rows:
            return False
        trouble = _difference(row, archive)
        if trouble is None:
            Event.objects.filter(table_id=table_id).exclude(version=row.revealed_version or 0).delete()
            Round.objects.filter(table_id=table_id).delete()
            Hand.objects.filter(table_id=table_id).delete()
            Archive.objects.filter(pk=table_id).update(live_rows=False, refused_at=None)
        else:
            Archive.objects.filter(pk=table_id).update(refused_at=now)
    if trouble is not None:
        _log.error("archive_differs", table=table_id, where=trouble)
    return trouble is None


def _difference(row: TableRow, archive: Archive) -> str | None:
    """Where archive and rows say something else; None where the archive is whole and true."""
    if row.status != "finished" or archive.version != row.version:
        return "version"
    try:
        kept = archives.kept_match(row.id)
        read(kept)  # no part that the format names is missing
        rows = match_document(load(row))
    except Malformed as malformed:
        return malformed.where
    except Incomplete:
        return "rows"
    except Exception as broken:  # an archive that cannot be unpacked is no reason to stop
        return type(broken).__name__
    return _first_difference(kept, _with_names_of(kept, rows), "")


def _with_names_of(kept: Any, rows: dict[str, Any]) -> dict[str, Any]:
    """The document of the rows, with the people called and known as they were when it was archived."""
    seats = kept["table"]["seats"]
    for seat, then in zip(rows["table"]["seats"], seats, strict=False):
        if seat["player"]["kind"] != "computer" and then["player"]["kind"] != "computer":
            seat["player"] = {**seat["player"], **{name: then["player"][name] for name in ("name", "kind")}}
    return rows


def _first_difference(kept: Any, rows: Any, where: str) -> str | None:
    """Where the rows do not say what was kept; a field that was added since then is no difference."""
    if isinstance(kept, dict) and isinstance(rows, dict):
        pairs = [(f"{where}.{name}", kept[name], rows.get(name, ...)) for name in kept]
    elif isinstance(kept, list) and isinstance(rows, list) and len(kept) == len(rows):
        pairs = [(f"{where}[{at}]", *both) for at, both in enumerate(zip(kept, rows, strict=True))]
    else:
        return None if kept == rows else where.lstrip(".")
    return next((found for at, old, new in pairs if (found := _first_difference(old, new, at))), None)


def take_in(*, line: bytes, dry_run: bool = False) -> bool:
    """Keep the match that a line of an export holds; False where the same is here already.

    With `dry_run` nothing is written. Raises `Unfit`.
    """
    document = _checked(line)
    table_id = document["table"]["id"]
    found = peek(table_id, None)
    here = archives.whole_match(table_id, None if found is None else found[0])
    if here is not None:
        if orjson.dumps(here) != orjson.dumps(document):
            raise Unfit("another", f"Another archive of table {table_id} is here.")
        return False
    if found is not None:
        raise Unfit("in_play", f"Table {table_id} is here, and its match has not ended.")
    if not dry_run:
        with transaction.atomic():
            archives.keep_whole(document, ended_at=_ended_at(document), live_rows=False)
            keep_outcomes(document, ended_at=_ended_at(document))
    return True


def _checked(line: bytes) -> Document:
    """The document of a line, its parts in the order of the format, once all of it proved to be true."""
    try:
        document = orjson.loads(line)
        orjson.dumps(document)  # what is nested too deeply can be read, and not written again
    except (ValueError, TypeError) as error:
        raise Unfit("no_json", f"This is no JSON: {error}") from error
    report = verify(document)
    if not report.good:
        first = next(check for check in report.checks if check.outcome == "differs")
        raise Unfit("differs", f"{report.subject}: {first.name} differs: {first.detail}")
    if not may_be_an_id(document["table"]["id"]):
        raise Unfit("id", "No table here can have this id.")
    _ended_at(document)
    frame = {name: value for name, value in document.items() if name != "rounds"}
    return archives.framed(frame, document["rounds"])


def _ended_at(document: Document) -> datetime:
    """When the match ended; `Unfit` where any time in the document is none of the calendar."""
    bids = [bid for reveal in document["rounds"] for bid in reveal["bids"]]
    calls = [reveal["call"] for reveal in document["rounds"]]
    parts = [*bids, *calls, *document["rounds"], *document["events"]]
    try:
        instant(document["table"]["created_at"])
        return max(instant(part["at"]) for part in parts)
    except (ValueError, OverflowError) as error:
        raise Unfit("time", f"A time in it is none: {error}") from error
