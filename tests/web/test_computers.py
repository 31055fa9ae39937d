"""The computers on the pages: who they are, who of them sits there, and what shows in their faces."""

import re
from typing import Any

import pytest
from django.test import Client

from games.commands import clockwork
from games.computers.characters import CHARACTERS
from games.models import Table
from tests.api.test_tells import looks_surprised, until_a_computer_has_bid
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.web.visiting import a_browser

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


@pytest.mark.parametrize("page", ["/", "/guide", "/guide/rules", "/tables/new"])
def test_a_newcomer_finds_out_who_they_are(page: str) -> None:
    assert 'href="/computers"' in Client().get(page).content.decode()


def test_a_waiting_room_shows_who_sits_there_and_how_they_lean() -> None:
    alice = a_guest("Alice")
    wanted = {"rules": {"seats": 4}, "computers": [{"level": "easy", "character": "tansy"}]}
    table_id = alice.opens(**wanted)["id"]

    page = a_browser(alice).get(f"/tables/{table_id}").content.decode()

    assert 'href="#tin-tansy"' in page
    assert "computer, easy · loves a bluff" in page
    assert "<b>Tells.</b>" in page
    assert '<option value="osier">Osier, plays it close</option>' in page


def test_a_waiting_room_says_when_there_are_no_tells() -> None:
    table_id = a_guest("Alice").opens(rules={"seats": 3}, tells=False)["id"]

    assert "<b>No tells.</b>" in page_of(nobody(), f"/tables/{table_id}")


def test_beside_a_table_stands_who_its_computers_are() -> None:
    wanted = {"rules": {"seats": 2}, "computers": [{"level": "hard", "character": "osier"}], "tells": False}
    table_id = a_guest("Alice").opens(**wanted)["id"]

    page = page_of(nobody(), f"/tables/{table_id}")

    assert 'id="tin-osier"' in page
    assert 'href="/computers#osier">Osier</a><span class="small">hard · plays it close</span>' in page
    assert "Without tells" in page


def test_the_form_of_a_new_table_shows_the_face_that_was_chosen() -> None:
    asked = Client().get("/tables/new?level_1=easy&character_1=wick").content.decode()

    assert asked.count('<use href="#tin-wick"/>') == 1
    assert '<option value="wick" selected>Wick, bids boldly</option>' in asked


@pytest.mark.usefixtures("looks_surprised")
def test_the_page_of_a_table_shows_a_tell_to_everybody() -> None:
    view = until_a_computer_has_bid(a_guest("Alice"))
    name = view["seats"][1]["player"]["name"]

    page = page_of(nobody(), f"/tables/{view['id']}")

    assert f"{name} looks surprised at it." in page
    assert f"<em>{name} looked surprised.</em>" in page
    (heard,) = re.findall(r'data-said="([^"]*)"', page)
    assert f" {name} looked surprised. " in heard


@pytest.mark.usefixtures("looks_surprised")
def test_a_revealed_bid_keeps_its_tell_at_the_table_and_in_review() -> None:
    alice = a_guest("Alice")
    view = called_after_a_tell(alice, until_a_computer_has_bid(alice))
    table_id, name = view["id"], view["seats"][view["reveal"]["bid"]["seat"]]["player"]["name"]

    for path in (
        f"?lifted={view['reveal']['number']}&last",
        "/review/1",
        f"/review/1/{len(view['reveal']['bids'])}",
    ):
        shown = page_of(nobody(), f"/tables/{table_id}{path}")
        said = "looked surprised</small>" if "last" in path else f"<em>{name} looked surprised.</em>"
        assert said in shown, path
        assert f'{name}<span class="unseen"> (computer)</span></a>' in shown or "last" in path
    # The step of the bid says it above the hands too, and not only in the history.
    assert shown.count(f"<em>{name} looked surprised.</em>") == 2


@pytest.mark.usefixtures("looks_surprised")
def test_who_does_not_want_tells_sees_none_anywhere() -> None:
    alice = a_guest("Alice")
    browser = a_browser(alice)
    assert browser.post("/me/preferences", PREFERENCES).status_code == 302

    view = until_a_computer_has_bid(alice)
    assert "surprised" not in browser.get(f"/tables/{view['id']}").content.decode()
    called_after_a_tell(alice, view)
    for path in ("?lifted=9&last", "/review/1", "/review/1/2"):
        assert "surprised" not in browser.get(f"/tables/{view['id']}{path}").content.decode()


PREFERENCES = {"confirm": "slow", "talk": "some", "theme": "", "notices": "off", "time_zone": ""}
"""What the form sends of somebody who switched everything off that has a switch."""


def called_after_a_tell(alice: Person, view: dict[str, Any]) -> dict[str, Any]:
    """The table once its first round was called, by whoever sat after a surprised computer."""
    while view["reveal"] is None:
        due_at = present(view["id"])[0].row.computer_due_at
        if due_at is None:
            assert alice.acts(view["id"], view["version"], type="liar").status_code == 200
        else:
            clockwork.run_computer(table_id=view["id"], now=due_at)
        view = alice.sees(view["id"])
    return view


@pytest.mark.parametrize(("chosen", "kept"), [("no", False), ("yes", True), ("", True)])
def test_a_new_table_is_with_tells_unless_its_maker_says_otherwise(chosen: str, kept: bool) -> None:
    form = {"mode": "casual", "preset": "standard", "seats": "2", "starting_dice": "5", "pace": "none"}
    form |= {"visibility": "unlisted", "tells": chosen, "own_name": "Alice", "name": "", "client_seed": "a"}
    form |= {"turn": "2", "turn_unit": "days", "bank": "0", "bank_unit": "days"}

    answer = Client().post("/tables/new", form)

    assert answer.status_code == 302, answer.content.decode()
    assert Table.objects.get().tells is kept
