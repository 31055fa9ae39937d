"""What it takes to do nothing: memory and CPU of `serve` and of each process of `site`, idle.

    python -m bench.idle           both
    python -m bench.idle serve     a club, at its first start, at its second, and after a match

Memory is what is resident, in MB, and of that what is the process' own (neither shared with others nor mapped
from files). CPU is in per cent of one core, which does not depend on what else the machine does. On Linux.
"""

import argparse
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.outside.run import run
from tests.serving import Served, a_home, serving
from tests.site.running import a_site_at_home, parent_of, processes_of

# Until what the start left to do is done.
SETTLE_SECONDS = 3.0


@dataclass(frozen=True)
class Idle:
    """One process that has nothing to do."""

    name: str
    resident: float
    own: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.name:34} {self.resident:8.1f} {self.own:8.1f} {self.cpu:7.1f}"


def measure(named: dict[int, str], seconds: float) -> list[Idle]:
    """Watch these processes for so many seconds."""
    before = {number: _cpu_seconds(number) for number in named}
    time.sleep(seconds)
    return [
        Idle(
            name,
            _megabytes(number, "VmRSS"),
            _megabytes(number, "RssAnon"),
            (_cpu_seconds(number) - before[number]) / seconds * 100,
        )
        for number, name in named.items()
    ]


def club(seconds: float) -> list[Idle]:
    """A club at its first start, at its second, and after a few matches."""
    found = []
    with a_home() as home:
        for name in ("serve, first start", "serve, second start"):
            with serving(home) as served:
                found += _settled(served, name, seconds)
        with serving(home, THROTTLE_LOOPBACK="off", COMPUTER_THINK_SECONDS="0.02") as served:
            run(served.address, matches=10, seed=1)
            found += _settled(served, "serve, after 10 matches", seconds)
    return found


def site(seconds: float) -> list[Idle]:
    """Every process of a site."""
    with a_site_at_home() as home, serving(home, command="site") as served:
        time.sleep(SETTLE_SECONDS)
        number = served.process.pid
        named = {number: "site (the one before them all)"}
        named |= {
            below: _short(command, parent_of(below) == number)
            for below, command in processes_of(number).items()
        }
        return measure(named, seconds)


def _settled(served: Served, name: str, seconds: float) -> list[Idle]:
    time.sleep(SETTLE_SECONDS)
    return measure({served.process.pid: name}, seconds)


def _short(command: str, parent_is_site: bool) -> str:
    words = command.split()
    if "granian" in words:
        return "web, granian itself" if parent_is_site else "web, a worker of granian"
    if "--queues" in words:
        return f"worker-{words[words.index('--queues') + 1]}"
    return "beat" if "beat" in words else "events"


def _megabytes(number: int, field: str) -> float:
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def _cpu_seconds(number: int) -> float:
    user, system = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def report(found: Iterable[Idle]) -> str:
    """A table."""
    return "\n".join([f"{'process':34} {'resident':>8} {'own':>8} {'% core':>7}", *map(str, found)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", choices=["serve", "site", []], help="default: both")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    wanted = given.what or ["serve", "site"]
    for name, watched in (("serve", club), ("site", site)):
        if name in wanted:
            print(report(watched(given.seconds)), flush=True)


if __name__ == "__main__":
    main()
