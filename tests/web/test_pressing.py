"""A form that makes a table, sent twice: one table, to which both answers lead."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Player
from games.models import Table
from tests.web.pasts import a_finished_match, a_past_match
from tests.web.test_new_table import USUAL
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

Form = tuple[Client, str, dict[str, str]]


def key_on(client: Client, page: str, action: str) -> str:
    """The key of the form on this page that is sent to this address."""
    shown = client.get(page).content.decode()
    found = re.search(rf'action="{action}".*?name="key" value="([^"]+)"', shown, re.DOTALL)
    assert found, f"no key for {action} on {page}"
    return found[1]


def play_now() -> Form:
    client = Client()
    return client, "/play", {"key": key_on(client, "/", "/play")}


def play_now_again() -> Form:
    alice, _ = a_finished_match()
    client = a_browser(alice)
    return client, "/play", {"key": key_on(client, "/", "/play")}


def a_new_table() -> Form:
    client = Client()
    return client, "/tables/new", {**USUAL, "key": key_on(client, "/tables/new", "/tables/new")}


def again() -> Form:
    alice, table_id = a_finished_match()
    client, path = a_browser(alice), f"/tables/{table_id}/again"
    return client, path, {"key": key_on(client, f"/tables/{table_id}?lifted=1", path)}


def practise() -> Form:
    table_id = a_past_match()["table"]["id"]
    client, path = Client(), f"/tables/{table_id}/review/1/practise"
    return client, path, {"key": key_on(client, f"/tables/{table_id}/review/1", path)}


FORMS = [play_now, play_now_again, a_new_table, again, practise]


def pressed_twice(client: Client, path: str, fields: dict[str, str]) -> list[str]:
    """Where two presses lead that leave the browser before any answer is back."""
    answers = []
    before = {name: cookie.value for name, cookie in client.cookies.items()}
    for _ in range(2):
        browser = Client()
        for name, value in before.items():
            browser.cookies[name] = value
        answer = browser.post(path, fields)
        assert answer.status_code == 302, answer.content.decode()
        assert browser.get(answer["Location"]).status_code == 200
        answers.append(answer["Location"])
    return answers


@pytest.mark.parametrize("form", FORMS)
def test_the_same_form_sent_twice_makes_one_table_of_one_guest(form: Callable[[], Form]) -> None:
    client, path, fields = form()
    tables, players = Table.objects.count(), set(Player.objects.values_list("pk", flat=True))

    first, second = pressed_twice(client, path, fields)

    assert first == second
    assert Table.objects.count() == tables + 1
    assert Player.objects.exclude(pk__in=players).count() <= 1


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_another_look_makes_another_table(form: Callable[[], Form]) -> None:
    client, path, fields = form()

    first = client.post(path, fields)["Location"]
    second = client.post(path, {**fields, "key": "another"})["Location"]

    assert first != second


@pytest.mark.parametrize("key", ["", "x" * 65])
def test_a_form_without_a_key_makes_a_table_each_time(key: str) -> None:
    client = Client()

    assert client.post("/play", {"key": key})["Location"] != client.post("/play", {"key": key})["Location"]


def test_another_choice_under_the_same_key_is_another_table() -> None:
    client, path, fields = a_new_table()

    first = client.post(path, fields)["Location"]
    second = client.post(path, {**fields, "seats": "3"})["Location"]

    assert first != second


def test_a_form_that_was_refused_can_be_sent_again() -> None:
    client, path, fields = a_new_table()
    assert client.post(path, {**fields, "turn": "99"}).status_code == 422

    assert client.post(path, fields).status_code == 302


def test_the_key_of_one_browser_opens_nothing_in_another() -> None:
    client, path, fields = play_now()
    first = client.post(path, fields)["Location"]
    other = Client()
    other.get("/")

    assert other.post(path, fields)["Location"] != first
    assert Player.objects.count() == 2


def test_an_old_form_is_no_way_back_to_its_guest() -> None:
    client, path, fields = play_now()
    csrf = client.cookies["csrftoken"].value
    client.post(path, fields)
    guest = Player.objects.get()
    Player.objects.update(created_at=guest.created_at - timedelta(minutes=2))
    later = Client()
    later.cookies["csrftoken"] = csrf

    later.post(path, fields)

    assert Player.objects.count() == 2
    assert "no-store" in Client().get("/")["Cache-Control"]


@pytest.mark.parametrize(
    "sent", [b"key=k&%ff=%00", b"key=%ff%00", b"key=k&key=l&key=", b"key=k&a=%f0%9f%8e%b2"]
)
def test_whatever_is_sent_beside_the_key_is_no_fault_of_ours(sent: bytes) -> None:
    client = Client()

    answers = [client.post("/play", sent, content_type="application/x-www-form-urlencoded") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
