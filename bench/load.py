"""Whole moves over HTTP on PostgreSQL, beside the least that a durable bid costs there.

    python -m bench.load                 200 tables of four, the minimal answer
    python -m bench.load --view          with the full view in every answer

Everything runs on this machine: PostgreSQL with fsync, Redis, granian as a site starts it, and the clients.
The limit is pgbench with 16 clients: begin, lock the row, insert, update, commit. Machines are noisy, so the
two take turns in one run, and what counts is the ratio.
"""

import argparse
import json
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson
import psycopg

from tests.services import _postgresql_programs, postgresql, redis

ROOT = Path(__file__).parent.parent
PORT = 8700
CONNECTIONS = 32
PATIENCE_SECONDS = 60
MANY_DICE = 14
LADDER = [(quantity, face) for quantity in range(1, 4) for face in range(2, 7)]
"""The bids of a round, each a raise of the one before; then comes a call."""

BID = b'{"type":"bid","quantity":%d,"face":%d,"version":%d}'
_LENGTH = re.compile(rb"(?i)content-length: (\d+)")

LIMIT = r"""
\set id random(1, 200)
BEGIN;
SELECT version FROM bench_table WHERE id = :id FOR NO KEY UPDATE;
INSERT INTO bench_bid (table_id, quantity, face) VALUES (:id, 3, 4);
UPDATE bench_table SET version = version + 1 WHERE id = :id;
COMMIT;
"""


class Connection:
    """One kept connection, speaking just enough HTTP; it asks one thing at a time."""

    def __init__(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", PORT))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method: str, path: str, body: bytes, token: str = "", prefer: str = "") -> None:
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        wish = f"Prefer: {prefer}\r\n" if prefer else ""
        head = f"{method} /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{authorization}{wish}"
        self.socket.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def receive(self) -> tuple[int, bytes]:
        answer = self.socket.recv(65536)
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._more()
        length = _LENGTH.search(answer, 0, end)
        size = end + 4 + (int(length[1]) if length else 0)
        while len(answer) < size:
            answer += self._more()
        return int(answer[9:12]), answer[end + 4 :]

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Send a request, wait, and return what its answer holds."""
        self.send(method, path, b"" if body is None else json.dumps(body).encode(), token)
        status, content = self.receive()
        assert status in (200, 201), content
        return json.loads(content)

    def _more(self) -> bytes:
        more = self.socket.recv(65536)
        assert more, "the server closed a connection"
        return more


@dataclass
class Table:
    """A match of four guests, of which only what the next move needs is known."""

    id: str
    tokens: list[str]
    version: int = 0
    turn: int = 0
    seats: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    step: int = 0
    dice: int = 20

    def know(self, view: dict[str, Any]) -> None:
        self.version = view["version"]
        self.seats = [seat["seat"] for seat in view["seats"] if seat["dice"]]
        self.dice = sum(seat["dice"] for seat in view["seats"])
        self.turn = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
        self.step = len(view["round"]["bids"]) if view["round"] else -1

    @property
    def mover(self) -> str:
        return self.tokens[self.turn]

    def move(self) -> tuple[str, bytes]:
        """The next move of a match that goes round and round: its kind, and the body of its request."""
        if self.step < 0:
            return "next_round", b'{"type":"next_round","version":%d}' % self.version
        if self.step == len(LADDER):
            return "liar", b'{"type":"liar","version":%d}' % self.version
        return "bid", BID % (*LADDER[self.step], self.version)

    def go_on(self, kind: str, answer: dict[str, Any]) -> None:
        """Know what a move, and perhaps a look after it, brought."""
        if kind != "bid":
            self.know(answer)
            return
        self.version, self.step = answer["version"], self.step + 1
        self.turn = self.seats[(self.seats.index(self.turn) + 1) % len(self.seats)]


def open_table(connection: Connection) -> Table:
    """A table of four guests at which the first round has begun."""
    tokens = [connection.ask("POST", "guests", {})["token"] for _ in range(4)]
    rules = {"rules": {"seats": 4, "exact": "regain", "first_opener": "host"}}
    table = Table(connection.ask("POST", "tables", rules, tokens[0])["id"], tokens)
    for token in tokens[1:]:
        view = connection.ask("POST", f"tables/{table.id}/seats", {}, token)
    table.know(view)
    return table


class Player:
    """A connection that makes the next move at one table of its own after the other."""

    def __init__(self, tables: list[Table], prefer: str, taken: "Taken") -> None:
        self.connection = Connection()
        self._turns, self._prefer, self._taken = cycle(tables), prefer, taken
        self._looks = False

    def begin(self) -> None:
        """Send the next move."""
        self._table = next(self._turns)
        self._kind, body = self._table.move()
        self._began = time.perf_counter()
        path, token = f"tables/{self._table.id}/actions", self._table.mover
        self.connection.send("POST", path, body, token, self._prefer)

    def go_on(self) -> bool:
        """Take the answer that has come; is the move done?

        A minimal answer does not say who opens after a call, nor who is in: whoever called has to look.
        """
        status, content = self.connection.receive()
        assert status == 200, content
        answer = orjson.loads(content)
        if not self._looks and self._kind != "bid" and "status" not in answer:
            self._looks = True
            self.connection.send("GET", f"tables/{self._table.id}", b"", self._table.mover)
            return False
        self._looks = False
        self._table.go_on(self._kind, answer)
        self._taken.note(self._kind, time.perf_counter() - self._began, len(content))
        return True


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

    def note(self, kind: str, seconds: float, size: int) -> None:
        self.milliseconds.append(seconds * 1000)
        self.answered.append(size)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


def load(tables: list[Table], seconds: float, prefer: str, processes: "Processes") -> Taken:
    """Let every connection make moves at its tables, one after the other, for so many seconds."""
    taken = Taken(0, [], [], {}, {})
    with selectors.DefaultSelector() as selector:
        for number in range(CONNECTIONS):
            player = Player(tables[number::CONNECTIONS], prefer, taken)
            selector.register(player.connection.socket, selectors.EVENT_READ, player)
        before, began = processes.cpu(), time.monotonic()
        playing = [key.data for key in selector.get_map().values()]
        for player in playing:
            player.begin()
        _play(selector, until=began + seconds)
        taken.seconds = time.monotonic() - began
    taken.cpu = {name: used - before[name] for name, used in processes.cpu().items()}
    for player in playing:
        player.connection.socket.close()
    return taken


def _play(selector: selectors.BaseSelector, *, until: float) -> None:
    waiting = len(selector.get_map())
    while waiting:
        for key, _ in selector.select():
            if not key.data.go_on():
                continue
            if time.monotonic() < until:
                key.data.begin()
            else:
                waiting -= 1


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


def _web_command() -> list[str]:
    """How a site starts its web processes."""
    procfile = (ROOT / "config" / "Procfile").read_text()
    line = next(line for line in procfile.splitlines() if line.startswith("web:"))
    program, *arguments = line.removeprefix("web:").split()
    return [str(Path(sys.executable).parent / program), *arguments]


@contextmanager
def serving(url: str, redis_url: str) -> Iterator[int]:
    """The web processes of a site; nobody else may be listening where they do."""
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", PORT)):
        raise SystemExit(f"something answers at port {PORT} already")
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        settings = {"DATABASE_URL": url, "REDIS_URL": redis_url, "DATA_DIR": folder}
        # Hundreds of guests come from this one address; each player is counted as on any site.
        environment = kept | settings | {"THROTTLE_GUESTS": "100000/min", "THROTTLE_TABLES": "100000/min"}
        run = [sys.executable, "manage.py", "migrate", "-v", "0"]
        subprocess.run(run, cwd=ROOT, env=environment, check=True)
        command = [part.format(web=PORT, events=0) for part in _web_command()]
        silent: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, cwd=ROOT, env=environment, **silent) as process:
            try:
                _await_port()
                yield process.pid
            finally:
                process.terminate()


def _await_port() -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        time.sleep(0.5)
        try:
            return socket.create_connection(("127.0.0.1", PORT)).close()
        except OSError:
            if time.monotonic() > until:
                raise


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


def measure(tables: int, seconds: int, turns: int, prefer: str, limit: Limit, processes: Processes) -> None:
    connection = Connection()
    opened = [open_table(connection) for _ in range(tables)]
    load(opened, 3, prefer, processes)
    rates, ratios = [], []
    for turn in range(turns):
        # Each round costs a die, and no match may end while it is measured.
        opened = [table if table.dice > MANY_DICE else open_table(connection) for table in opened]
        taken = load(opened, seconds, prefer, processes)
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
            measure(asked.tables, asked.seconds, asked.turns, prefer, limit, processes)


if __name__ == "__main__":
    main()
