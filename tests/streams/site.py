"""A small site for tests of streams: a web process, an events process, and a Redis that can be killed."""

import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx

from tests.own_redis import OwnRedis, own_redis
from tests.serving import ROOT, a_home, environment, serving


class Following:
    """An open stream, read by a thread: its lines, and when each came."""

    def __init__(self, address: str, table_id: str, token: str | None = None) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.raw: list[str] = []
        self.failure: Exception | None = None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._asked = (f"{address}/api/v1/tables/{table_id}/events", headers)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        url, headers = self._asked
        try:
            with httpx.stream("GET", url, headers=headers, timeout=60) as answer:
                for line in answer.iter_lines():
                    self.raw.append(line)
                    self.lines.put(line)
        except Exception as error:
            self.failure = error
        self.lines.put(None)

    def version(self, *, within: float) -> int:
        """The version of the next event."""
        until = time.monotonic() + within
        while (line := self.lines.get(timeout=max(0.01, until - time.monotonic()))) is not None:
            if line.startswith("id: "):
                return int(line.removeprefix("id: "))
        raise AssertionError("the stream ended")

    def version_from(self, wanted: int, *, within: float) -> int:
        """The version of the next event that is at least so new."""
        until = time.monotonic() + within
        while (version := self.version(within=until - time.monotonic())) < wanted:
            pass
        return version

    def ends(self, *, within: float) -> None:
        """Wait for its end, which is one as HTTP has it."""
        until = time.monotonic() + within
        while self.lines.get(timeout=max(0.01, until - time.monotonic())) is not None:
            pass
        if self.failure:
            raise self.failure

    @property
    def versions(self) -> list[int]:
        return [int(line.removeprefix("id: ")) for line in self.raw if line.startswith("id: ")]


@dataclass
class Site:
    """Where moves are made and where streams are read."""

    web: httpx.Client
    events: str
    events_process: subprocess.Popen[str]
    redis: OwnRedis
    home: dict[str, str]

    def guest(self) -> str:
        return str(self.web.post("guests", json={}).json()["token"])

    def match(self, **wanted: Any) -> "Match":
        """A match of two guests that goes on for long."""
        tokens = [self.guest(), self.guest()]
        body = {"rules": {"seats": 2, "first_opener": "host", "exact": "regain"}, **wanted}
        table = self.web.post("tables", json=body, headers=bearer(tokens[0])).json()
        view = self.web.post(f"tables/{table['id']}/seats", json={}, headers=bearer(tokens[1])).json()
        return Match(self, view["id"], tokens, view["version"])

    def follows(self, table_id: str, token: str | None = None) -> Following:
        return Following(self.events, table_id, token)


@dataclass
class Match:
    """A match whose next bid is always legal, for a while."""

    site: Site
    id: str
    tokens: list[str]
    version: int
    bids: int = 0

    def bid(self) -> int:
        """Bid, and return the version that this made."""
        quantity, face = divmod(self.bids, 5)
        body = {"type": "bid", "quantity": quantity + 1, "face": face + 2, "version": self.version}
        headers = {**bearer(self.tokens[self.bids % 2]), "Prefer": "return=minimal"}
        answer = self.site.web.post(f"tables/{self.id}/actions", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        self.bids += 1
        self.version = int(answer.json()["version"])
        return self.version


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def a_site(*, log: IO[str] | None = None, **variables: str) -> Iterator[Site]:
    """Start a web process and an events process over one database and one Redis."""
    with a_home() as home, own_redis() as server:
        told = {"REDIS_URL": server.url, "THROTTLE_LOOPBACK": "off", **variables}
        with (
            serving(home, SERVE_WORKER="off", **told) as web,
            events_process(home, log, told) as (at, running),
            httpx.Client(base_url=f"{web.address}/api/v1/", timeout=30) as client,
        ):
            yield Site(client, at, running, server, home)


@contextmanager
def events_process(
    home: dict[str, str], log: IO[str] | None, variables: dict[str, str]
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start uvicorn as the README says."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        descriptor = listener.fileno()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        program = str(Path(sys.executable).parent / "uvicorn")
        command = [program, "config.asgi:application", "--fd", str(descriptor), "--log-level", "warning"]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(home, **variables),
            pass_fds=[descriptor],
            stdout=subprocess.DEVNULL,
            stderr=log,
            text=True,
        ) as process:
            try:
                yield address, process
            finally:
                if process.poll() is None:
                    process.kill()


def threads_of(process: subprocess.Popen[str]) -> int:
    """How many threads a process has."""
    return len(os.listdir(f"/proc/{process.pid}/task"))
