"""What makes one process out of the parts: settings, addresses, servers."""

# Loaded with Django, so that a task called from a door belongs to this application.
from config.celery import app as celery_app

__all__ = ["celery_app"]
