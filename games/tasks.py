"""What workers do. A task is one more door: it reads the clock and makes one call; the rows remember."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

import structlog
from celery import shared_task
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.sessions import forget_old_sessions
from games.clocks import whole_milliseconds
from games.commands import analysing, archiving, clockwork, noticing, once

_log = structlog.get_logger(__name__)

BATCH = 200

ANALYSES = 20
"""So many analyses are asked for at once: no more than workers finish before the next time."""

_stuck: dict[str, datetime] = {}
"""Tables that could not go on in this process, and until when it leaves them alone."""

_nobody_seen_at: list[datetime] = []
"""When this process last saw nobody at all, or began: people who may just be coming back get their minute."""


@shared_task(name="games.run_computer", ignore_result=True)
def run_computer(table_id: str) -> None:
    """Let the computer at this table move; a hint that comes twice or too late does nothing."""
    clockwork.run_computer(table_id=table_id, now=_now())


@shared_task(name="games.run_due_computers", ignore_result=True)
def run_due_computers() -> None:
    """Find again from the rows the computers that have thought enough, whether a hint was lost or not."""
    _each(clockwork.computers_due(now=_now(), most=BATCH + len(_stuck)), _run_computer)


@shared_task(name="games.run_due_tables", ignore_result=True)
def run_due_tables() -> None:
    """End the turns and reveals whose time is over."""
    _each(clockwork.tables_due(now=_now(), most=BATCH + len(_stuck)), _run_due_table)


@shared_task(name="games.leave_absent", ignore_result=True)
def leave_absent() -> None:
    """Let people leave live tables who have been gone for a minute, unless it is we who were away."""
    now = _now()
    if not _nobody_seen_at or not clockwork.anybody_seen(since=now - timedelta(seconds=30)):
        _nobody_seen_at[:] = [now]
    if now - _nobody_seen_at[0] < clockwork.ABSENT_AFTER:
        return
    for table_id, seat in clockwork.absent(now=now, most=BATCH):
        clockwork.leave_absent(table_id=table_id, seat=seat, now=_now())


@shared_task(name="games.close_untouched", ignore_result=True)
def close_untouched() -> None:
    """Close open tables that nobody touched for thirty days."""
    clockwork.close_untouched(now=_now(), most=BATCH)


@shared_task(name="games.forget_old_requests", ignore_result=True)
def forget_old_requests() -> None:
    """Forget the answers to requests whose day is over, and sessions whose time is."""
    once.forget_old_requests(now=_now())
    forget_old_sessions()


@shared_task(name="games.send_notices", ignore_result=True)
def send_notices() -> None:
    """Tell people by mail, once, that it is their move."""
    noticing.notice_turns(now=_now(), most=BATCH)
    noticing.send_due(now=_now(), most=BATCH)


@shared_task(name="games.archive_tables", ignore_result=True)
def archive_tables(table_ids: list[str]) -> None:
    """Bring the archives of these tables up to date; a hint that comes twice or too late does nothing."""
    _each_archive(table_ids, _archive_table)


@shared_task(name="games.archive_recent", ignore_result=True)
def archive_recent() -> None:
    """Find again from the rows the tables that moved lately and whose archive is behind."""
    lately = _now() - timedelta(days=1)
    _each_archive(archiving.tables_behind(since=lately, most=10 * BATCH), _archive_table)


@shared_task(name="games.archive_all", ignore_result=True)
def archive_all() -> None:
    """Find every table whose archive is behind, however long ago it moved."""
    _each_archive(archiving.tables_behind(), _archive_table)


@shared_task(name="games.prune_matches", ignore_result=True)
def prune_matches() -> None:
    """Let old finished matches live in their archives alone."""
    _each_archive(archiving.matches_to_prune(now=_now()), _prune)


@shared_task(name="games.analyse_table", ignore_result=True)
def analyse_table(table_id: str) -> None:
    """Work out the next part of what this match teaches; a hint that comes twice or too late does nothing."""
    analysing.analyse_table(table_id=table_id)


@shared_task(name="games.analyse_matches", ignore_result=True)
def analyse_matches() -> None:
    """Find again from the rows the finished matches whose analysis is behind."""
    analysing.ask_for_analyses(most=ANALYSES)


def _archive_table(table_id: str) -> None:
    archiving.archive_table(table_id=table_id)


def _prune(table_id: str) -> None:
    archiving.prune(table_id=table_id, now=_now())


def _run_computer(table_id: str) -> None:
    try:
        clockwork.run_computer(table_id=table_id, now=_now())
    except Exception:
        clockwork.put_off(table_id=table_id, now=_now())
        raise


def _run_due_table(table_id: str) -> None:
    clockwork.run_due_table(table_id=table_id, now=_now())


def _each(table_ids: Iterable[str], run: Callable[[str], None]) -> None:
    """Run these tables one by one; one that cannot go on must not hold up the others."""
    for table_id in table_ids:
        if table_id in _stuck and _stuck[table_id] > _now():
            continue
        try:
            run(table_id)
            _stuck.pop(table_id, None)
        except Exception as error:
            if _database_away():
                raise
            _stuck[table_id] = _now() + clockwork.PUT_OFF
            _log.error("table_stuck", table=table_id, error=type(error).__name__, exc_info=True)


def _each_archive(table_ids: Iterable[str], run: Callable[[str], None]) -> None:
    """Like `_each`, but what fails here must not put off the table's clock."""
    for table_id in table_ids:
        try:
            run(table_id)
        except Exception as error:
            if _database_away():
                raise
            _log.error("archive_stuck", table=table_id, error=type(error).__name__, exc_info=True)


def _database_away() -> bool:
    """Is it no table's fault? Then the next would go no better, and a later sweep finds them all."""
    try:
        connection.ensure_connection()
    except OperationalError:
        return True
    return not connection.is_usable()


def _now() -> datetime:
    return whole_milliseconds(timezone.now())
