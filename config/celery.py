"""The Celery application: the same for a worker of its own and for the one inside `manage.py serve`."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_success

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("longbluff")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_success.connect
def _note_sweep(sender: Any, **_: Any) -> None:
    # Imported late, since this module is loaded before the settings are.
    from config import health

    if sender.name == health.SWEEP:
        health.note_sweep()
