"""A PostgreSQL server of our own, durable as a site's, that can be stopped, started and crowded out."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.services import NotToBeHad, _as_whom, _end_with_parent, _folder, _postgresql_programs, _run

CONNECTIONS = 60
STOPS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class OwnPostgresql:
    """A server at an address that stays the same, however it was stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._programs = folder, _postgresql_programs(folder)
        self.url = f"postgresql://postgres@/postgres?host={str(folder).replace('/', '%2F')}"
        self._process: subprocess.Popen[bytes] | None = None
        _run([self._programs / "initdb", "-D", folder / "data", "-U", "postgres", "--auth=trust",
              "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"], folder)  # fmt: skip

    def start(self) -> None:
        """Start it with fsync, and return once it answers."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            # It ends at once where the last backends of the one before have not yet seen that it is gone.
            if self._process is None or self._process.poll() is not None:
                self._process = self._begun()
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url).close()
                return
            time.sleep(0.1)
        raise NotToBeHad("PostgreSQL did not start again")

    def _begun(self) -> subprocess.Popen[bytes]:
        settings = ("listen_addresses=", f"max_connections={CONNECTIONS}", "timezone=UTC")
        options = [word for setting in settings for word in ("-c", setting)]
        command = [self._programs / "postgres", "-D", self._folder / "data", "-k", self._folder, *options]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: _end_with_parent(signal.SIGINT),
                **_as_whom(self._folder),
            )

    def stop(self, how: str) -> None:
        """Stop it: "fast" ends every connection, "immediate" is a crash from which it recovers."""
        if self._process is not None:
            self._process.send_signal(STOPS[how])
            self._process.wait(30)
            self._process = None

    def database(self, name: str) -> str:
        """Make a database, and return its address."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")

    @contextmanager
    def crowded(self, database: str) -> Iterator[None]:
        """Hold every connection there is, those that this database's users had too."""
        held: list[psycopg.Connection] = []
        try:
            with psycopg.connect(self.url, autocommit=True) as first:
                for _ in range(20):
                    first.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                        [database],
                    )
                    with suppress(psycopg.OperationalError):
                        while True:
                            held.append(psycopg.connect(self.url))
                yield
        finally:
            for connection in held:
                connection.close()


@contextmanager
def own_postgresql() -> Iterator[OwnPostgresql]:
    """Lend a PostgreSQL that nobody else uses."""
    with _folder() as folder:
        server = OwnPostgresql(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
