"""Idle streams in one events process, and how soon a move reaches those who watch.

    python -m bench.streams                    2000 streams on 200 tables, 50 moves a second
    python -m bench.streams --streams 500 --moves 20

Everything runs on this machine: PostgreSQL with fsync, Redis, granian as a site starts it for moves,
uvicorn for streams, and the client with all its connections. Delays are told from the request of a move and
from its answer, to the event at every watcher of its table; the client's own reading is in them.
"""

import argparse
import asyncio
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import orjson

from bench.load import ROOT, Connection, Table, open_table, serving
from tests.services import postgresql, redis

PORT = 8701
EVENT = re.compile(rb'data: \{"id": "(\w+)", "version": (\d+)\}')


@dataclass
class Heard:
    """What all watchers heard: when each version of a table came to each of them."""

    at: dict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    begun: int = 0
    lost: int = 0


class Watcher(asyncio.Protocol):
    """One open stream, which notes when something comes."""

    def __init__(self, table: Table, token: str | None, heard: Heard) -> None:
        self._table, self._token, self._heard = table, token, heard
        self._new = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        head = [f"GET /api/v1/tables/{self._table.id}/events HTTP/1.1", "Host: 127.0.0.1"]
        if self._token:
            head.append(f"Authorization: Bearer {self._token}")
        assert isinstance(transport, asyncio.Transport)
        transport.write("\r\n".join(head).encode() + b"\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        for table_id, version in EVENT.findall(data):
            if self._new:
                self._new = False
                self._heard.begun += 1
            else:
                self._heard.at[table_id.decode(), int(version)].append(now)

    def connection_lost(self, error: Exception | None) -> None:
        self._heard.lost += 1


class Process:
    """The process of the streams as the system sees it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    @property
    def megabytes(self) -> float:
        return self._status("VmRSS") / 1024

    @property
    def threads(self) -> int:
        return self._status("Threads")

    @property
    def cpu(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _status(self, name: str) -> int:
        found = re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{self._pid}/status").read_text())
        assert found
        return int(found[1])


@contextmanager
def streaming(url: str, redis_url: str) -> Iterator[Process]:
    """The events process of a site."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        settings = {"DATABASE_URL": url, "REDIS_URL": redis_url, "DATA_DIR": folder, "LOG_LEVEL": "WARNING"}
        uvicorn = [str(Path(sys.executable).parent / "uvicorn"), "config.asgi:application", "--no-access-log"]
        with subprocess.Popen(
            [*uvicorn, "--port", str(PORT), "--log-level", "warning"], cwd=ROOT, env=kept | settings
        ) as process:
            time.sleep(4)
            yield Process(process.pid)
            process.terminate()


async def watch(tables: list[Table], streams: int, heard: Heard) -> float:
    """Open so many streams, half of them by people with a token; return how long that took."""
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    for number in range(streams):
        table = tables[number % len(tables)]
        seat = number // len(tables)
        token = table.tokens[seat % 4] if seat % 2 else None
        await loop.create_connection(partial(Watcher, table, token, heard), "127.0.0.1", PORT)
        while number - heard.begun > 100:
            await asyncio.sleep(0.005)
    while heard.begun < streams:
        await asyncio.sleep(0.01)
    return time.perf_counter() - began


async def play(tables: list[Table], rate: int, seconds: float) -> dict[tuple[str, int], tuple[float, float]]:
    """Make moves at an even pace; when each version was asked for, and when it was answered."""
    made: dict[tuple[str, int], tuple[float, float]] = {}
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(8):
        free.put_nowait(Connection())
    order = random.Random(1).sample(tables, len(tables))

    async def one(table: Table) -> None:
        connection = await free.get()
        began = time.perf_counter()
        version, answered = await asyncio.to_thread(move, connection, table)
        made[table.id, version] = (began, answered)
        free.put_nowait(connection)

    began, moves = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        moves.append(asyncio.create_task(one(order[number % len(order)])))
    await asyncio.gather(*moves)
    await asyncio.sleep(1)
    return made


def move(connection: Connection, table: Table) -> tuple[int, float]:
    """Make the next move; the version that it brought, and when that was answered.

    A minimal answer does not say who opens after a call, nor who is in: whoever called looks afterwards.
    """
    kind, body = table.move()
    connection.send("POST", f"tables/{table.id}/actions", body, table.mover, "return=minimal")
    status, content = connection.receive()
    answered = time.perf_counter()
    assert status == 200, content
    answer = orjson.loads(content)
    whole = answer if kind == "bid" else connection.ask("GET", f"tables/{table.id}", None, table.mover)
    table.go_on(kind, whole)
    return answer["version"], answered


async def stalls(late: list[float]) -> None:
    """Note how late a sleep of five milliseconds ends here, which is nobody's fault but the machine's."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.005)
        late.append(time.perf_counter() - began - 0.005)


def told(name: str, delays: list[float]) -> str:
    delays.sort()
    p50, p99 = (delays[min(len(delays) - 1, int(len(delays) * part))] * 1000 for part in (0.5, 0.99))
    return f"{name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, most {delays[-1] * 1000:.1f} ms"


async def measure(process: Process, streams: int, rate: int, seconds: int) -> None:
    empty = process.megabytes
    connection = Connection()
    tables = [open_table(connection) for _ in range(200)]
    heard = Heard()
    took = await watch(tables, streams, heard)
    print(f"{streams} streams open after {took:.1f} s: {empty:.0f} MB before, {process.megabytes:.0f} MB now")
    print(f"{process.threads} threads, {heard.lost} lost")
    used = process.cpu
    await asyncio.sleep(seconds)
    print(f"idle: {(process.cpu - used) / seconds:.1%} of a core, {process.megabytes:.0f} MB")
    used = process.cpu
    late: list[float] = []
    probe = asyncio.create_task(stalls(late))
    made = await play(tables, rate, seconds)
    probe.cancel()
    cpu = (process.cpu - used) / (seconds + 1)
    arrived = {key: heard.at.get(key, []) for key in made}
    here = [(key, at) for key, times in arrived.items() for at in times]
    missing = sum(streams // len(tables) - len(times) for times in arrived.values())
    print(f"{len(made)} moves at {rate}/s: {len(here)} events, {missing} missing, {cpu:.1%} of a core, "
          f"{process.megabytes:.0f} MB, {heard.lost} lost")  # fmt: skip
    print(told("from request to watcher", [at - made[key][0] for key, at in here]))
    print(told("from answer to watcher", [at - made[key][1] for key, at in here]))
    print(told("the moves themselves", [answered - asked for asked, answered in made.values()]))
    print(told("a sleep of the client, too long by", late))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--streams", type=int, default=2000)
    parser.add_argument("--moves", type=int, default=50, help="a second (default 50)")
    parser.add_argument("--seconds", type=int, default=20)
    asked = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, asked.streams + 500)), hard))
    with (
        postgresql(durable=True) as url,
        redis() as redis_url,
        serving(url, redis_url),
        streaming(url, redis_url) as process,
    ):
        asyncio.run(measure(process, asked.streams, asked.moves, asked.seconds))


if __name__ == "__main__":
    main()
