"""The faces of the computers in a real browser: on their page, beside a choice, beside a table."""

from collections.abc import Callable

import pytest

from games.computers.characters import CHARACTERS
from tests.browser.person import Person

A = Callable[..., Person]


@pytest.mark.parametrize("dark", [False, True])
def test_their_page_is_accessible_and_fits(a_person: A, dark: bool) -> None:
    dave = a_person(dark=dark)
    dave.goes("/computers")

    assert dave.violations() == []
    for width in (320, 360, 768, 1280):
        dave.page.set_viewport_size({"width": width, "height": 740})
        assert dave.too_wide() <= 0, width
    assert dave.complaints == []


def test_every_character_is_drawn_and_each_another(a_person: A) -> None:
    page = a_person().goes("/computers")

    drawn = page.locator(".characters .tin").evaluate_all("all => all.map(each => each.getBBox().height)")
    lines = page.locator("symbol").evaluate_all("all => all.map(each => each.innerHTML)")

    assert len(drawn) == len(CHARACTERS)
    assert all(height > 50 for height in drawn)
    assert len(set(lines)) == len(lines) > len(CHARACTERS)


def test_the_face_beside_a_choice_is_that_of_who_was_chosen(a_person: A) -> None:
    page = a_person(width=320).goes("/tables/new")
    face = page.locator(".computer use").first
    assert face.get_attribute("href") == "#tin-any"

    page.get_by_label("Level of computer 1").select_option("hard")
    page.get_by_label("Who computer 1 is").select_option("osier")
    assert face.get_attribute("href") == "#tin-osier"

    page.get_by_label("Level of computer 1").select_option("")
    assert face.get_attribute("href") == "#tin-any"


def test_beside_a_table_the_faces_lead_to_who_they_are(a_person: A) -> None:
    page = a_person(width=360).goes("/")
    page.get_by_role("button", name="Play three computers now").click()

    page.get_by_role("link", name="Marl").click()

    page.wait_for_url("**/computers#marl")
    assert "Sells clay by weight" in page.locator("#marl").inner_text()
