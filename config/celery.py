"""The Celery application: the same for a worker of its own and for the one inside `manage.py serve`."""

import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import task_success
from django.db import InterfaceError, OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_log = structlog.get_logger(__name__)


class _Task(Task):
    """A task that says in one line that the database is away: the rows will tell the next one what is due."""

    abstract = True
    throws = (OperationalError, InterfaceError)

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        if isinstance(exc, self.throws):
            _log.warning("database_away", task=self.name, error=type(exc).__name__)


app = Celery("longbluff", task_cls=_Task)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_success.connect
def _note_sweep(sender: Any, **_: Any) -> None:
    # Imported late, since this module is loaded before the settings are.
    from config import health

    if sender.name == health.SWEEP:
        health.note_sweep()
