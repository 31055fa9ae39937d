"""Several processes under one, with small programs in the place of servers."""

import asyncio
import os
import re
import sys
import time
from pathlib import Path

import pytest

from games.management import processes
from games.management.processes import Processes
from tests.site.running import is_there

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True)\n"
WITH_A_CHILD = """
import subprocess, sys
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid)
"""


@pytest.fixture
def said() -> list[str]:
    return []


def run(said: list[str], tmp_path: Path, until: str, **programs: str) -> float:
    """Run these programs until such words were said; return how long their end took."""

    async def running() -> float:
        crew = Processes(
            {name: [sys.executable, "-u", "-c", program] for name, program in programs.items()},
            folder=tmp_path,
            environment=dict(os.environ),
            say=said.append,
        )
        run = asyncio.create_task(crew.run())
        async with asyncio.timeout(20):
            while not re.search(until, "\n".join(said)):
                await asyncio.sleep(0.01)
        began = time.monotonic()
        crew.end()
        await run
        return time.monotonic() - began

    return asyncio.run(running())


def test_each_line_stands_under_the_name_of_its_process(said: list[str], tmp_path: Path):
    run(
        said,
        tmp_path,
        "two[^$]*one|one[^$]*two",
        a="print('one')",
        longer="import sys; print('two', file=sys.stderr)",
    )

    assert "a      | one" in said
    assert "longer | two" in said


def test_what_ends_at_once_is_started_again_after_ever_longer_pauses(said, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(processes, "LONGEST_PAUSE", 0.3)

    run(said, tmp_path, r"(in 0\.3 s[^$]*){2}", web="import sys; sys.exit(3)")

    assert said[:4] == [
        f"web | ended (code 3); it starts again in {pause} s" for pause in ("0.1", "0.2", "0.3", "0.3")
    ]


def test_what_had_run_for_long_starts_again_soon(said, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(processes, "STEADY_SECONDS", 0.0)

    run(said, tmp_path, r"(ended[^$]*){3}", web="")

    assert set(said) == {"web | ended (code 0); it starts again in 0.1 s"}


def test_what_does_not_heed_the_signal_is_killed(said, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.3)

    took = run(said, tmp_path, "here", web=f"{STUBBORN}time.sleep(60)", other=f"{STUBBORN}time.sleep(60)")

    assert took < 2


def test_what_a_process_leaves_behind_ends_with_it(said: list[str], tmp_path: Path):
    run(said, tmp_path, "ended", web=WITH_A_CHILD)

    child = int(said[0].split("| ")[1])
    assert not is_there(child)


def test_a_line_without_an_end_does_not_stop_the_others(said, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "LONGEST_LINE", 100)

    run(said, tmp_path, "then", web="print('x' * 100_000); print('then')")

    assert "web | (a line too long to show)" in said
