"""What a page says of keeping it: those that know their visitor are kept nowhere."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.people import a_guest
from tests.web.pasts import a_finished_match
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db


def _pages(table_id: str, player_id: str) -> list[str]:
    """Every address outside the API and the admin, of this table and player."""
    known: dict[str, str | int] = {
        "table_id": table_id,
        "player_id": player_id,
        "key": "0-x",
        "slug": "rules",
    }
    known |= {"number": 1, "move": 1, "pk": 1}
    found: list[str] = []
    patterns: list[URLPattern | URLResolver] = list(get_resolver().url_patterns)
    while patterns:
        each = patterns.pop()
        if isinstance(each, URLResolver):
            patterns += [] if str(each.pattern) in ("api/v1/", "admin/") else each.url_patterns
        elif each.name:
            named = {name: known.get(name, "x") for name in each.pattern.converters}
            found.append(reverse(each.name, kwargs=named))
    return found


def test_a_page_that_knows_its_visitor_is_kept_nowhere() -> None:
    alice, table_id = a_finished_match()
    browser = a_browser(alice)
    pages = _pages(table_id, alice.id)
    assert len(pages) > 50

    for page in pages:
        answer = browser.get(page)
        if answer.status_code == 200:
            assert "no-store" in answer["Cache-Control"], page
            assert "private" in answer["Cache-Control"], page


def test_a_page_for_nobody_in_particular_is_asked_for_again() -> None:
    for page in ("/", "/guide", "/review", "/tables/new"):
        assert "private" in Client().get(page)["Cache-Control"], page


def test_the_api_and_what_never_changes_speak_for_themselves() -> None:
    alice = a_guest("Alice")

    assert alice.get(f"tables/{alice.opens()['id']}")["Cache-Control"] == "private, no-cache"
