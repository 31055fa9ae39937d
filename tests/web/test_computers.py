"""The page of the computers, tells on the page of a table, and the choice of them for a new one."""

from typing import Any

import pytest
from django.test import Client

from games.computers.characters import CHARACTERS
from games.models import Table
from tests.api.test_tells import looks_surprised, until_a_computer_has_bid
from tests.people import Person, a_guest, nobody

pytestmark = pytest.mark.django_db

__all__ = ["looks_surprised"]


def page_of(person: Person, address: str) -> str:
    answer = person.client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_every_character_has_a_face_a_manner_and_a_life(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        page = Client().get("/computers").content.decode()

    for key, who in CHARACTERS.items():
        assert f'id="tin-{key}"' in page
        assert f'href="#tin-{key}"' in page
        assert who.name in page
        assert who.biography in page
        assert who.manner in page


def test_no_two_characters_have_the_same_life_or_manner() -> None:
    assert len({who.biography for who in CHARACTERS.values()}) == len(CHARACTERS)
    assert len({who.manner for who in CHARACTERS.values()}) == len(CHARACTERS)


@pytest.mark.usefixtures("looks_surprised")
def test_the_page_of_a_table_shows_a_tell_to_everybody() -> None:
    view = until_a_computer_has_bid(a_guest("Alice"))
    name = view["seats"][1]["player"]["name"]

    page = page_of(nobody(), f"/tables/{view['id']}")

    assert f"{name} looks surprised at it." in page
    assert f"{name} looked surprised." in page


@pytest.mark.parametrize(("chosen", "kept"), [("no", False), ("yes", True), ("", True)])
def test_a_new_table_is_with_tells_unless_its_maker_says_otherwise(chosen: str, kept: bool) -> None:
    form = {"mode": "casual", "preset": "standard", "seats": "2", "starting_dice": "5", "pace": "none"}
    form |= {"visibility": "unlisted", "tells": chosen, "own_name": "Alice", "name": "", "client_seed": "a"}
    form |= {"turn": "2", "turn_unit": "days", "bank": "0", "bank_unit": "days"}

    answer = Client().post("/tables/new", form)

    assert answer.status_code == 302, answer.content.decode()
    assert Table.objects.get().tells is kept
