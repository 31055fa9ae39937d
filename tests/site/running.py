"""A whole site for tests: its services, its processes, and what became of them."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from tests import services
from tests.serving import a_database

PATIENCE_SECONDS = 60.0


@contextmanager
def a_site_at_home() -> Iterator[dict[str, str]]:
    """Lend what one site needs for itself: the variables that name its folder, its database and its Redis."""
    with ExitStack() as stack:
        server = stack.enter_context(services.postgresql())
        stack.enter_context(patch.dict(os.environ))
        # Even where there is one: two sites must not take each other's tasks.
        os.environ.pop("REDIS_URL", None)
        yield {
            "DATA_DIR": stack.enter_context(tempfile.TemporaryDirectory(prefix="longbluff-site-")),
            "DATABASE_URL": stack.enter_context(a_database(server)),
            "REDIS_URL": stack.enter_context(services.redis()),
        }


def processes_of(parent: int) -> dict[int, str]:
    """The processes below this one: their command lines by their numbers."""
    found: dict[int, str] = {}
    for child in _children(parent):
        found |= {child: _command(child), **processes_of(child)}
    return found


def parent_of(number: int) -> int:
    """The number of the process that started this one."""
    return int(_stat(number)[1])


def part(site: int, words: str) -> int:
    """The number of the site's own process whose command line has these words."""
    (number,) = [child for child in _children(site) if words in _command(child)]
    return number


def is_there(number: int) -> bool:
    """Is there such a process, which has not ended?"""
    try:
        return _stat(number)[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    """Does it hold before so many seconds are over?"""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.1)
    return holds()


def _children(parent: int) -> list[int]:
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    found = []
    for number in numbers:
        try:
            if parent_of(number) == parent:
                found.append(number)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
    return found


def _stat(number: int) -> list[str]:
    """State, parent and more; the name before them may hold anything."""
    return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()


def _command(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""
