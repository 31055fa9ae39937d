"""Every match that ended, one after another, as its spectators may read it."""

from collections.abc import Iterator
from heapq import merge
from itertools import groupby
from typing import Any

import orjson
from django.db.models import QuerySet

from games.models import Archive, Table
from games.store.archives import whole_match
from games.store.reading import peek

_PAGE = 500


def finished_matches(*, private: bool) -> Iterator[bytes]:
    """The archive documents of all finished matches by their ids, as the API writes them.

    Private ones are left out unless `private`. One document is in memory at a time.
    """
    archived = Archive.objects.filter(ended_at__isnull=False)
    finished = Table.objects.filter(status="finished")
    if not private:
        archived = archived.exclude(visibility="private")
        finished = finished.exclude(visibility="private")
    for table_id, _ in groupby(merge(_ids(archived), _ids(finished))):
        found = peek(table_id, None)
        document = whole_match(table_id, None if found is None else found[0])
        if document is not None:
            yield orjson.dumps(document)


def _ids(rows: QuerySet[Any]) -> Iterator[str]:
    """All primary keys in their order, a page at a time, so that no long reading holds up anybody."""
    last = ""
    while page := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_PAGE]):
        yield from page
        last = page[-1]
