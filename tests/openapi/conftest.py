"""One served club for all tests here that need a real server."""

from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async

from games.api import streams
from tests.openapi.stage import Stage
from tests.serving import a_home, serving


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """A club with Alice and Bob at its door."""
    with a_home() as home, serving(home, THROTTLE_LOOPBACK="off") as served:
        yield Stage(served.address)


@pytest.fixture
def streams_within_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let streams read what the test has not committed; their own threads could not."""
    monkeypatch.setattr(streams, "look", lambda read, *asked, **named: sync_to_async(read)(*asked, **named))
