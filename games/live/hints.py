"""Hints to workers, after a commit: who should look at which table, and when.

A hint that is lost costs a moment: whatever is due is found again from the rows. No move waits for the
broker.
"""

from collections.abc import Iterable
from time import monotonic

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games.live.carrying import Batch, Carrier, carrier

_log = structlog.get_logger(__name__)

AWAY_SECONDS = 5.0
"""For so long after a hint was lost none is sent: each would wait for the broker, with all behind it."""

ARCHIVES_SECONDS = 0.25
"""So long archives wait for others: one task brings many up to date, and nobody waits for them."""

_away_until: float | None = None


def wake_computer(table_id: str, *, after: float, awaited: bool) -> None:
    """Once the transaction is committed, ask a worker to let the computer at this table move.

    `after`: seconds until the computer has thought enough. `awaited`: does a person wait for it? Matches that
    computers play out among themselves stand in a queue of their own, behind nobody's back.
    """
    queue = "computers" if awaited else "default"
    due = monotonic() + after
    transaction.on_commit(lambda: _computers().take((table_id, queue), due), robust=True)


def archive_table(table_id: str) -> None:
    """Once the transaction is committed, ask a worker to bring the archive of this table up to date."""
    transaction.on_commit(lambda: _archives().take(table_id, True), robust=True)


def analyse_table(table_id: str) -> None:
    """Once the transaction is committed, ask a worker to go on with the analysis of this match."""
    # At once: workers alone ask this, and nobody's move waits for them.
    transaction.on_commit(lambda: _hint("games.analyse_table", table_id, after=0, queue="default"))


def _computers() -> Carrier:
    return carrier("computers", lambda: Carrier(_wake, name="computers", linger=0))


def _archives() -> Carrier:
    return carrier("archives", lambda: Carrier(_archive, name="archives", linger=ARCHIVES_SECONDS))


def _wake(batch: Batch) -> None:
    for (table_id, queue), due in batch.items():
        _hint("games.run_computer", table_id, after=max(0.0, due - monotonic()), queue=queue)


def _archive(batch: Batch) -> None:
    _hint("games.archive_tables", list(batch), after=0, queue="default")


def _hint(task: str, about: str | Iterable[str], *, after: float, queue: str) -> None:
    global _away_until
    if _away_until is not None:
        if monotonic() < _away_until:
            return
        # One tries whether the broker is back; the others do not wait with it.
        _away_until = monotonic() + AWAY_SECONDS
    try:
        current_app.send_task(
            task, args=[about], countdown=after, expires=60 + after, retry=False, queue=queue
        )
        _away_until = None
    except (OperationalError, OSError) as error:
        # The sweep over due rows does the same, a little later.
        _away_until = monotonic() + AWAY_SECONDS
        _log.warning("hint_lost", task=task, about=about, error=type(error).__name__)
