"""Pages that say that something is not there, not yours, or broken: whole, and the same for everybody."""

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from config import errors
from tests.people import a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db


def test_an_address_that_leads_nowhere_says_so_on_a_page() -> None:
    pages = [client.get("/tables/nowhere") for client in (Client(), a_browser(a_guest("Alice")))]

    assert {page.status_code for page in pages} == {404}
    assert pages[0].content == pages[1].content
    assert b"<h1>Nothing here</h1>" in pages[0].content


def test_a_form_from_elsewhere_is_refused_on_a_page() -> None:
    answer = a_browser(a_guest("Alice"), csrf=True).post("/play")

    assert answer.status_code == 403
    assert b"That is not yours to do." in answer.content


def test_rows_that_are_away_are_told_on_a_page_whoever_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, table = a_browser(a_guest("Alice")), a_guest("Bob").opens()

    def away(*args: object, **named: object) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("games.web.visit.preferences_of", away)
    monkeypatch.setattr("games.web.visit.player_of_session", away)
    for path in ("/", f"/tables/{table['id']}", "/me", "/tables/new"):
        answer = browser.get(path)
        assert answer.status_code == 503, path
        assert int(answer["Retry-After"]) >= 1
        assert b"Please try again in a moment." in answer.content
        assert b"closed the connection" not in answer.content


def test_what_broke_is_told_without_looking_anything_up(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    with django_assert_num_queries(0):
        answer = errors.server_error(RequestFactory().get("/tables/x"))

    assert answer.status_code == 500
    assert b"Something went wrong on our side." in answer.content
    assert b"Traceback" not in answer.content
