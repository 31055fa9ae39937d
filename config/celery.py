"""The Celery application: the same for a worker of its own and for the one inside `manage.py serve`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("longbluff")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
