"""The first pages, which work without script."""

import random

import pytest
from django.test import Client

from tests.people import a_guest, nobody
from tests.tables import a_match, play_on

pytestmark = pytest.mark.django_db


def test_the_first_page_says_what_this_is_and_where_to_go() -> None:
    alice = a_guest("Alice")
    table = alice.opens(name="Harbour <Club>")
    alice.opens(name="Nobody knows", visibility="unlisted")
    alice.opens(name="Nobody sees", visibility="private")

    page = nobody().client.get("/").content.decode()

    assert "Liar’s Dice by correspondence" in page
    assert f'href="/tables/{table["id"]}"' in page
    assert "Harbour &lt;Club&gt;" in page
    assert "/api/v1/docs" in page
    assert "Nobody" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_an_empty_site_says_so() -> None:
    assert "Nobody is waiting for players just now." in Client().get("/").content.decode()


def test_a_page_shows_a_table_through_a_whole_match() -> None:
    people = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*people, computers=[], preset="sum")["id"]
    rng = random.Random(1)
    while play_on(people, table_id, rng, most=1)["status"] != "finished":
        page = nobody().client.get(f"/tables/{table_id}")
        assert page.status_code == 200
        assert "Alice" in page.content.decode()
    assert " won</h1>" in nobody().client.get(f"/tables/{table_id}").content.decode()


def test_a_page_of_a_table_that_is_not_there_is_404() -> None:
    assert nobody().client.get("/tables/nowhere").status_code == 404


def test_pages_change_nothing() -> None:
    assert Client().post("/").status_code == 405
    assert Client().post("/tables/nowhere").status_code == 405
