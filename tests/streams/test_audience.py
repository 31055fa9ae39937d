"""How many watch a table: whoever follows it without a seat, through whatever process, and not for long."""

from unittest import mock

import pytest
from django.core.cache import cache

from games.live import audience


@pytest.fixture(autouse=True)
def _an_empty_house() -> None:
    cache.clear()


def test_people_without_a_seat_are_counted_once_and_strangers_each() -> None:
    audience.write_down(0, {"t": ["alice", "carol", "carol", None], "u": [None]})
    audience.write_down(1, {"t": ["carol", "bob", None]})

    assert audience.watchers("t", seated=["alice", "bob"]) == 3
    assert audience.watchers("u", seated=[]) == 1
    assert audience.watchers("nowhere", seated=[]) == 0


def test_whoever_left_is_not_counted_the_next_time() -> None:
    audience.write_down(0, {"t": ["carol", None]})
    audience.write_down(0, {"t": [None]})

    assert audience.watchers("t", seated=[]) == 1


def test_processes_take_places_of_their_own() -> None:
    assert len({audience.take_place() for _ in range(audience.PLACES)}) == audience.PLACES


def test_a_cache_that_is_away_costs_the_number_and_nothing_else() -> None:
    for name in ("set_many", "get_many", "add"):
        with mock.patch.object(type(cache), name, side_effect=ConnectionError, create=True):
            audience.write_down(audience.take_place(), {"t": [None]})
            if name == "get_many":
                assert audience.watchers("t", seated=[]) is None
