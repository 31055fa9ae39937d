"""A real Celery worker and its schedule, as threads of this process."""

import logging
import os
import threading
import time
from typing import Any

from celery import Celery, current_app
from celery.beat import EmbeddedService

log = logging.getLogger(__name__)


class Background:
    """The worker and the beat of one process: started once, stopped once."""

    def __init__(self, *, concurrency: int) -> None:
        self._app: Celery = current_app._get_current_object()
        self._concurrency = concurrency
        self._stopping = threading.Event()
        self._worker: Any = None
        # Not celery's own default, which keeps its times in a file of the current folder.
        self._beat = EmbeddedService(self._app, thread=True, scheduler_cls="celery.beat:Scheduler")
        self._thread = threading.Thread(target=self._work, name="Worker", daemon=True)

    def start(self) -> None:
        """Let both begin."""
        self._thread.start()
        self._beat.start()

    def stop(self, *, patience: float) -> None:
        """Let what runs come to its end, for so many seconds; a second call does nothing."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._beat.service.stop(wait=False)
        if self._worker is not None:
            self._worker.stop()
        self._thread.join(patience)

    def _work(self) -> None:
        while not self._stopping.is_set():
            self._worker = self._app.WorkController(
                app=self._app,
                hostname=f"serve-{os.getpid()}@{os.uname().nodename}",
                pool="threads",
                concurrency=self._concurrency,
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
            )
            self._worker.start()
            if not self._stopping.is_set():
                log.error("The worker ended by itself; it begins anew.")
                time.sleep(1)
