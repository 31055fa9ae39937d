"""Whole matches over the API."""

import random

import pytest

from tests.people import a_guest, nobody
from tests.tables import a_match, play_on

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("preset", ["standard", "classic", "wild", "straight", "low-ones", "calza", "sum"])
def test_three_guests_play_a_match_to_its_end(preset: str) -> None:
    people = [a_guest("Alice"), a_guest("Bob"), a_guest("Carol")]
    table = a_match(*people, preset=preset)

    view = play_on(people, table["id"], random.Random(preset))

    assert view["status"] == "finished"
    assert view["result"]["winner"] is not None
    assert sorted(view["result"]["places"]) == ["0", "1", "2"]
    archive = nobody().get(f"tables/{table['id']}/archive").json()
    assert [reveal["number"] for reveal in archive["rounds"]] == list(range(1, len(archive["rounds"]) + 1))
    assert archive["table"]["result"] == view["result"]
