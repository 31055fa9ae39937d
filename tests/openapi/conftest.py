"""One served club for all tests here that need a real server."""

from collections.abc import Iterator

import pytest

from tests.openapi.stage import Stage
from tests.serving import a_home, serving


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """A club with Alice and Bob at its door."""
    with a_home() as home, serving(home, THROTTLE_LOOPBACK="off") as served:
        yield Stage(served.address)
