"""`manage.py serve`: a club's whole service in one process."""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

from games.management.background import Background
from games.management.preparation import prepare_apart
from games.management.protocol import Protocol

EXAMPLE = Path(__file__).parent.parent / "example.sh"
# By name, since the parts do not know what puts them together.
END_STREAMS = "config.asgi.end_streams"
# From the signal to the end; requests that run are cut off after the first second.
STOP_SECONDS = 2.5


class Command(BaseCommand):
    help = "Prepares the database and the static files, then serves, with the background work inside."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until SIGTERM or Ctrl-C."""
        server: _Server | None = None

        def stop(number: int, frame: FrameType | None) -> None:
            # uvicorn hands the signal on when it has stopped; then there is nothing left to do.
            if server is None:
                raise SystemExit(0)
            server.should_exit = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)

        listener = listen(settings.HOST, settings.PORT)
        address = self._settle_address(listener)
        prepare_apart()
        background = Background(concurrency=2) if settings.SERVE_WORKER else None
        if background:
            background.start()
        server = _Server(_server_config(), background, ready=lambda: self._announce(address))
        try:
            server.run(sockets=[listener])
        finally:
            server.stop_background()
            connections.close_all()

    def _settle_address(self, listener: socket.socket) -> str:
        if settings.PORT == 0 and settings.BASE_URL.endswith(":0"):
            settings.BASE_URL = f"{settings.BASE_URL[:-2]}:{listener.getsockname()[1]}"
        return str(settings.BASE_URL)

    def _announce(self, address: str) -> None:
        self.stdout.write(f"\nLongbluff is served at {address}/ (Ctrl-C stops it).")
        self.stdout.write("\nTo try it, paste this into another terminal:\n")
        self.stdout.write(EXAMPLE.read_text().replace("{address}", address))
        self.stdout.flush()


class _Server(uvicorn.Server):
    """uvicorn, which says when it is ready and is cut off when it does not end."""

    def __init__(
        self, config: uvicorn.Config, background: Background | None, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._background = background
        self._ready = ready

    def stop_background(self) -> None:
        """Let the background work come to its end."""
        if self._background:
            self._background.stop(patience=1)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A request that hangs in a thread would hold up the end of the process. What it had not committed
        # is undone, and nobody was told that it was done.
        cut = threading.Timer(STOP_SECONDS, _cut_off)
        cut.daemon = True
        cut.start()
        import_string(END_STREAMS)()
        await asyncio.gather(asyncio.to_thread(self.stop_background), super().shutdown(sockets))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there, or say why there is none."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
    except OSError as error:
        raise CommandError(
            f"Cannot listen at {host}, port {port}: {error.strerror or error}."
            " Choose another place with HOST and PORT, such as: make serve PORT=8001"
        ) from None
    return listener


def _server_config() -> uvicorn.Config:
    return uvicorn.Config(
        import_string(settings.ASGI_APPLICATION),
        http=Protocol,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        # Who a client is behind a proxy is TRUSTED_PROXIES' affair, and not that of a header it sends.
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
    )


def _cut_off() -> None:
    logging.getLogger(__name__).warning("Something did not end in time and was cut off.")
    logging.shutdown()
    os._exit(0)
