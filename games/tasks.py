"""What workers do. A task is one more door: it reads the clock and makes one call; the rows remember."""

import structlog
from celery import shared_task
from django.utils import timezone

from games.clocks import whole_milliseconds
from games.commands import once, play

_log = structlog.get_logger(__name__)


@shared_task(name="games.run_computer", ignore_result=True)
def run_computer(table_id: str) -> None:
    """Let the computer at this table move; a hint that comes twice or too late does nothing."""
    play.run_computer(table_id=table_id, now=whole_milliseconds(timezone.now()))


@shared_task(name="games.run_due_tables", ignore_result=True)
def run_due_tables() -> None:
    """Find again from the rows whatever is due, whether a hint for it was lost or not."""
    for table_id in play.tables_with_computers_due(now=whole_milliseconds(timezone.now())):
        try:
            play.run_computer(table_id=table_id, now=whole_milliseconds(timezone.now()))
        except Exception as error:  # one table that cannot go on must not hold up the others
            _log.error("table_stuck", table=table_id, error=type(error).__name__, exc_info=True)
            play.put_off(table_id=table_id, now=whole_milliseconds(timezone.now()))


@shared_task(name="games.forget_old_requests", ignore_result=True)
def forget_old_requests() -> None:
    """Forget the answers to requests whose day is over."""
    once.forget_old_requests(now=timezone.now())
