"""A Redis server of one test's own, which can be killed, paused and started again at the same address."""

import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis as redis_client

from tests.services import NotToBeHad, _as_whom, _end_with_parent, _folder, _redis_program


class OwnRedis:
    """A Redis server at an address that stays the same, however often it dies."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder, self._program = folder, _redis_program(folder)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [self._program, "--port", self.port, "--bind", "127.0.0.1", "--dir", self._folder]
        options = ["--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [str(word) for word in [*command, *options]],
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: _end_with_parent(signal.SIGTERM),
            **_as_whom(self._folder),
        )
        until = time.monotonic() + 10
        with redis_client.from_url(self.url) as client:
            while time.monotonic() < until:
                try:
                    client.ping()
                    return
                except redis_client.RedisError:
                    time.sleep(0.02)
        raise NotToBeHad("Redis did not start")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def pause(self, stopped: bool) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP if stopped else signal.SIGCONT)


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    """Lend a Redis that nobody else uses."""
    with _folder() as folder:
        server = OwnRedis(folder)
        server.start()
        try:
            yield server
        finally:
            server.kill()
