"""Whole moves over HTTP on PostgreSQL, beside the least that a durable bid costs there.

    python -m bench.load                 200 tables of four, the minimal answer
    python -m bench.load --view          with the full view in every answer

Everything runs on this machine: PostgreSQL with fsync, Redis, granian (2 workers of 4 threads) and the
clients. The limit is pgbench with 16 clients: begin, lock the row, insert, update, commit. Machines are
noisy, so the two take turns in one run, and what counts is the ratio.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg

from tests.services import _postgresql_programs, postgresql, redis

ROOT = Path(__file__).parent.parent
PORT = 8700
CONNECTIONS = 32
LADDER = [(quantity, face) for quantity in range(1, 4) for face in range(2, 7)]
"""The bids of a round, each a raise of the one before; then comes a call."""

LIMIT = r"""
\set id random(1, 200)
BEGIN;
SELECT version FROM bench_table WHERE id = :id FOR NO KEY UPDATE;
INSERT INTO bench_bid (table_id, quantity, face) VALUES (:id, 3, 4);
UPDATE bench_table SET version = version + 1 WHERE id = :id;
COMMIT;
"""


class Connection:
    """One kept connection, speaking just enough HTTP."""

    async def open(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", PORT)
        return self

    async def ask(
        self, method: str, path: str, body: Any, token: str = "", prefer: str = ""
    ) -> tuple[int, bytes]:
        data = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} /api/v1/{path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(data)}"]
        if token:
            head.append(f"Authorization: Bearer {token}")
        if prefer:
            head.append(f"Prefer: {prefer}")
        self._writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + data)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", answer)
        content = await self._reader.readexactly(int(length[1]) if length else 0)
        return int(answer[9:12]), content


@dataclass
class Table:
    """A match of four guests, of which only what the next move needs is known."""

    id: str
    tokens: list[str]
    version: int = 0
    turn: int = 0
    seats: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    step: int = 0

    def know(self, view: dict[str, Any]) -> None:
        self.version = view["version"]
        self.seats = [seat["seat"] for seat in view["seats"] if seat["dice"]]
        self.turn = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
        self.step = len(view["round"]["bids"]) if view["round"] else -1


async def open_table(connection: Connection) -> Table:
    """A table of four guests at which the first round has begun."""
    tokens = []
    for _ in range(4):
        _, content = await connection.ask("POST", "guests", {})
        tokens.append(json.loads(content)["token"])
    rules = {"rules": {"seats": 4, "exact": "regain", "first_opener": "host"}}
    _, content = await connection.ask("POST", "tables", rules, tokens[0])
    table = Table(json.loads(content)["id"], tokens)
    for token in tokens[1:]:
        _, content = await connection.ask("POST", f"tables/{table.id}/seats", {}, token)
    table.know(json.loads(content))
    return table


async def move(connection: Connection, table: Table, prefer: str) -> tuple[str, int]:
    """Make the next move; which kind it was, and the bytes of its answer."""
    if table.step < 0:
        action: dict[str, Any] = {"type": "next_round"}
    elif table.step == len(LADDER):
        action = {"type": "liar"}
    else:
        quantity, face = LADDER[table.step]
        action = {"type": "bid", "quantity": quantity, "face": face}
    body = {**action, "version": table.version}
    mover = table.tokens[table.turn]
    status, content = await connection.ask("POST", f"tables/{table.id}/actions", body, mover, prefer)
    assert status == 200, content
    answer = json.loads(content)
    if action["type"] == "bid":
        table.version, table.step = answer["version"], table.step + 1
        table.turn = table.seats[(table.seats.index(table.turn) + 1) % len(table.seats)]
    elif "status" in answer:
        table.know(answer)
    else:
        _, content = await connection.ask("GET", f"tables/{table.id}", None, mover)
        table.know(json.loads(content))
    return str(action["type"]), len(content)


@dataclass
class Taken:
    """What one stretch of load took."""

    seconds: float
    milliseconds: list[float]
    answered: list[int]
    kinds: dict[str, int]
    cpu: dict[str, float]

    @property
    def rate(self) -> float:
        return len(self.milliseconds) / self.seconds


async def load(tables: list[Table], seconds: float, prefer: str, processes: "Processes") -> Taken:
    """Let every connection make moves at its tables, one after the other, for so many seconds."""
    connections = [await Connection().open() for _ in range(CONNECTIONS)]
    taken = Taken(0, [], [], {}, {})
    until = time.monotonic() + seconds

    async def work(number: int) -> None:
        mine = tables[number::CONNECTIONS]
        while mine and time.monotonic() < until:
            for table in mine:
                began = time.perf_counter()
                kind, length = await move(connections[number], table, prefer)
                taken.milliseconds.append((time.perf_counter() - began) * 1000)
                taken.answered.append(length)
                taken.kinds[kind] = taken.kinds.get(kind, 0) + 1

    before, began = processes.cpu(), time.monotonic()
    await asyncio.gather(*(work(number) for number in range(CONNECTIONS)))
    taken.seconds = time.monotonic() - began
    taken.cpu = {name: used - before[name] for name, used in processes.cpu().items()}
    return taken


class Processes:
    """The web server's and the database's processes, and the CPU they used so far."""

    def __init__(self, web: int, database: int) -> None:
        self._roots = {"web": web, "database": database, "client": os.getpid()}

    def cpu(self) -> dict[str, float]:
        return {name: self._used(root, alone=name == "client") for name, root in self._roots.items()}

    def _used(self, root: int, *, alone: bool) -> float:
        ticks = 0
        for pid in [root] if alone else self._family(root):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _family(self, root: int) -> list[int]:
        parents = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
        family, found = [root], [root]
        while found:
            found = [pid for pid, parent in parents.items() if parent in found]
            family += found
        return family


@contextmanager
def serving(url: str, redis_url: str) -> Iterator[int]:
    """The web processes of a site."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        settings = {"DATABASE_URL": url, "REDIS_URL": redis_url, "DATA_DIR": folder, "LOG_LEVEL": "WARNING"}
        environment = kept | settings | {"THROTTLE_LOOPBACK": "off"}
        run = [sys.executable, "manage.py", "migrate", "-v", "0"]
        subprocess.run(run, cwd=ROOT, env=environment, check=True)
        granian = [str(Path(sys.executable).parent / "granian"), "--interface", "wsgi", "--workers", "2"]
        command = [*granian, "--blocking-threads", "4", "--port", str(PORT), "config.wsgi:application"]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
            time.sleep(5)
            yield process.pid
            process.terminate()


class Limit:
    """pgbench on the same server: the least that a durable bid costs."""

    def __init__(self, url: str, folder: Path) -> None:
        self._host = unquote(urlsplit(url).query.removeprefix("host="))
        self._script = folder / "bid.sql"
        self._script.write_text(LIMIT)
        self._program = _postgresql_programs(folder) / "pgbench"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE bench_table (id int PRIMARY KEY, version int NOT NULL)")
            connection.execute(
                "CREATE TABLE bench_bid (id bigserial PRIMARY KEY, table_id int, quantity int, face int)"
            )
            connection.execute("INSERT INTO bench_table SELECT n, 0 FROM generate_series(1, 200) n")

    def rate(self, seconds: int) -> float:
        command = [str(self._program), "-h", self._host, "-U", "postgres", "-n", "-M", "prepared", "-c", "16"]
        asked = [*command, "-j", "2", "-T", str(seconds), "-f", str(self._script), "postgres"]
        printed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        found = re.search(r"tps = ([\d.]+)", printed)
        assert found, printed
        return float(found[1])


async def measure(
    tables: int, seconds: int, turns: int, prefer: str, limit: Limit, processes: Processes
) -> None:
    connection = await Connection().open()
    opened = [await open_table(connection) for _ in range(tables)]
    await load(opened, 3, prefer, processes)
    rates, ratios = [], []
    for turn in range(turns):
        taken = await load(opened, seconds, prefer, processes)
        least = limit.rate(max(4, seconds // 2))
        ratios.append(taken.rate / least)
        rates.append(taken)
        milliseconds = sorted(taken.milliseconds)
        p99 = milliseconds[int(len(milliseconds) * 0.99)]
        cpu = ", ".join(f"{name} {used * 1000 / len(milliseconds):.2f}" for name, used in taken.cpu.items())
        print(
            f"turn {turn + 1}: {taken.rate:.0f} moves/s, limit {least:.0f}/s, ratio {ratios[-1]:.1%}; "
            f"p50 {statistics.median(milliseconds):.1f} ms, p99 {p99:.1f} ms; "
            f"{statistics.mean(taken.answered):.0f} bytes; CPU ms a move: {cpu}; {taken.kinds}"
        )
    print(f"median ratio {statistics.median(ratios):.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=10, help="of one stretch of load (default 10)")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--view", action="store_true", help="the full view in every answer")
    asked = parser.parse_args()
    prefer = "" if asked.view else "return=minimal"
    with postgresql(durable=True) as url, redis() as redis_url, tempfile.TemporaryDirectory() as folder:
        limit = Limit(url, Path(folder))
        with psycopg.connect(url) as connection:
            data = connection.execute("SHOW data_directory").fetchone()
        assert data is not None
        postmaster = int(Path(data[0], "postmaster.pid").read_text().split()[0])
        with serving(url, redis_url) as web:
            processes = Processes(web, postmaster)
            asyncio.run(measure(asked.tables, asked.seconds, asked.turns, prefer, limit, processes))


if __name__ == "__main__":
    main()
