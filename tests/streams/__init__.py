"""Streams in tests: their rows read by one thread, whose connection is closed in the end."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from games.api import streams


@contextmanager
def one_looker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let all streams look through one thread of this test's own."""
    with ThreadPoolExecutor(1) as readers:
        monkeypatch.setattr(streams, "READERS", readers)
        yield
        readers.submit(connections.close_all).result()
        # The thread that asynchronous tests share for what is not asynchronous.
        asyncio.run(sync_to_async(connections.close_all)())
