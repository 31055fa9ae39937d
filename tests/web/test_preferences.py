"""How somebody likes the site: a form for guests and accounts, which works without script."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Player, Preferences
from tests.people import a_guest
from tests.tables import a_match
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Wanderer",
    "odds_helper": "on",
    "confirm": "always",
    "talk": "chatty",
    "hide_dice": "on",
    "theme": "dark",
    "notices": "off",
    "time_zone": "Asia/Tokyo",
}


def test_what_was_chosen_is_kept_and_shown() -> None:
    browser = a_browser(a_guest("Alice"))

    answer = browser.post("/me/preferences", FORM)
    page = browser.get(answer.url).content.decode()

    kept = Preferences.objects.get()
    assert (kept.odds_helper, kept.hide_dice, kept.tells) == (True, True, False)
    assert (kept.confirm, kept.talk, kept.theme) == ("always", "chatty", "dark")
    assert (kept.notices, kept.time_zone) == ("off", "Asia/Tokyo")
    assert 'data-theme="dark"' in page
    assert 'value="always" checked' in page
    assert '<option value="Asia/Tokyo" selected>Tokyo</option>' in page
    assert "Your preferences are kept." in page


def test_looking_makes_nobody_a_guest_and_keeping_does() -> None:
    browser = Client()
    browser.get("/me/preferences")
    assert not Player.objects.exists()

    browser.post("/me/preferences", FORM)

    assert Player.objects.get().name == "Wanderer"
    assert browser.get("/api/v1/me").json()["player"]["name"] == "Wanderer"


def test_who_gives_no_name_is_given_one() -> None:
    Client().post("/me/preferences", {**FORM, "name": ""})

    assert Player.objects.get().name.startswith("Guest ")


def test_a_name_left_empty_stays_as_it_was() -> None:
    a_browser(a_guest("Alice")).post("/me/preferences", {**FORM, "name": ""})

    assert Player.objects.get().name == "Alice"


def test_another_name_stands_at_running_tables_at_once() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = a_match(alice, bob)["id"]

    a_browser(alice).post("/me/preferences", {**FORM, "name": "Alicia"})

    assert [seat["player"]["name"] for seat in bob.sees(table_id)["seats"]] == ["Alicia", "Bob"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "x" * 41),
        ("name", "Al\u202eice"),
        ("confirm", "perhaps"),
        ("talk", ""),
        ("theme", "pink"),
        ("notices", "pigeon"),
        ("time_zone", "Atlantis/Deep"),
        ("time_zone", "../../etc/passwd"),
        ("time_zone", "\x00"),
    ],
)
def test_what_there_is_not_is_refused_and_changes_nothing(field: str, value: str) -> None:
    browser = a_browser(a_guest("Alice"))

    answer = browser.post("/me/preferences", {**FORM, field: value})

    assert answer.status_code == 422
    assert "Nothing was kept" in answer.content.decode()
    assert Player.objects.get().name == "Alice"
    assert not Preferences.objects.exists()


@pytest.mark.parametrize("mail", [False, True])
def test_mail_is_not_to_be_had_without_a_confirmed_address_and_the_page_says_why(
    mail: bool, settings: Any
) -> None:
    settings.MAIL = mail
    browser = a_browser(a_guest("Alice"))

    page = browser.get("/me/preferences").content.decode()
    browser.post("/me/preferences", {**FORM, "notices": "mail"})

    assert 'value="mail" disabled' in page
    assert ("It needs an account" if mail else "This site sends no mail.") in page
    assert Preferences.objects.get().notices == "off"


def test_too_much_at_once_is_slowed_down(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "guests", "2/min")

    answers = [Client().post("/me/preferences", FORM).status_code for _ in range(4)]

    assert answers == [302, 302, 429, 429]
    assert Player.objects.count() == 2
