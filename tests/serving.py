"""`manage.py serve`, or `site`, as a process of its own, for tests that need the real thing."""

import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).parent.parent
PATIENCE_SECONDS = 60.0


@dataclass
class Served:
    """A running server: where it answers, and what it printed so far."""

    process: subprocess.Popen[str]
    address: str = ""
    printed: list[str] = field(default_factory=list)
    ready_after: float = 0.0

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


@contextmanager
def a_home() -> Iterator[dict[str, str]]:
    """Lend a folder and a database that are one server's alone: the variables that name them."""
    with tempfile.TemporaryDirectory(prefix="longbluff-serve-") as folder:
        if server := os.environ.get("DATABASE_URL"):
            with a_database(server) as url:
                yield {"DATA_DIR": folder, "DATABASE_URL": url}
        else:
            yield {"DATA_DIR": folder}


@contextmanager
def a_database(server: str) -> Iterator[str]:
    """Lend the address of an empty database of this server."""
    # Never the one that the variable names: it may be somebody's.
    name = f"longbluff_serve_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def environment(home: dict[str, str], **variables: str) -> dict[str, str]:
    """Return the surroundings of a server: its home, a free port, and nothing of the tests' settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"PORT": "0", "LOG_LEVEL": "WARNING"} | home | variables


@contextmanager
def serving(
    home: dict[str, str], *, command: str = "serve", log: IO[str] | None = None, **variables: str
) -> Iterator[Served]:
    """Start a server, lend it once it answers, and stop it; the next one at home there finds its data."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env=environment(home, **variables),
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    ) as process:
        served = Served(process)
        try:
            _await_address(served)
            served.ready_after = time.monotonic() - began
            yield served
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(15)


def _await_address(served: Served) -> None:
    ready = threading.Event()
    threading.Thread(target=_read, args=(served, ready), daemon=True).start()
    if not ready.wait(PATIENCE_SECONDS) or not served.address:
        raise AssertionError(f"the server did not start: {''.join(served.printed)}")


def _read(served: Served, ready: threading.Event) -> None:
    assert served.process.stdout is not None
    for line in served.process.stdout:
        served.printed.append(line)
        if found := re.search(r"is served at (http://\S+?)/ ", line):
            served.address = found[1]
        if line.endswith("field round.bids\n"):
            ready.set()
    ready.set()
