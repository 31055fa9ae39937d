"""HTTP as `manage.py serve` speaks it: uvicorn's, which does not wait for ever for a request to begin."""

import asyncio
from typing import Any

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol


class Protocol(H11Protocol):
    """A connection that is closed where the head of a request does not come whole in time.

    uvicorn ends a kept connection on which nothing comes; one that never said anything, or that sends a byte
    now and then, would stay, and some hundreds of them would be all that a process can have open.
    """

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on where a head is not whole yet, from the time at which it began."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._patience = self.loop.call_later(settings.SERVE_HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()
