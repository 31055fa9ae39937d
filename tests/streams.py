"""Streams in tests: read by one thread, whose connection is closed in the end."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connections

from games.api import events


@contextmanager
def one_looker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let all streams look through one thread of this test's own."""
    with ThreadPoolExecutor(1) as lookers:
        monkeypatch.setattr(events, "LOOKERS", lookers)
        yield
        lookers.submit(connections.close_all).result()
