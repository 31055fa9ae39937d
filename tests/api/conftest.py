"""The cast at the door of the API."""

import pytest

from tests.people import Person, a_guest


@pytest.fixture
def alice() -> Person:
    return a_guest("Alice")


@pytest.fixture
def bob() -> Person:
    return a_guest("Bob")


@pytest.fixture
def carol() -> Person:
    return a_guest("Carol")
