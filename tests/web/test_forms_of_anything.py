"""Every form of a table, filled in with anything, by anybody, whatever the table is at: no page breaks."""

from collections.abc import Callable

import pytest
from django.core.cache import cache

from tests.people import Person, a_guest, nobody
from tests.web.pasts import a_finished_match
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

FORMS = ("act", "lift", "leave", "again", "sit", "stand-up", "computers", "free", "start", "close")
PAST = ("review/1/practise",)

ANYTHING = ("\x00", "x" * 2000, "9" * 5000, "²", '{"a": 1}', "\ud800", "1")
FIELDS = (
    *("version", "type", "quantity", "face", "total", "seat", "key", "as", "round"),
    *("client_seed", "invite", "own_name", "level", "character"),
)


def _open() -> tuple[Person, str]:
    alice = a_guest("Alice")
    return alice, alice.opens()["id"]


def _running() -> tuple[Person, str]:
    alice = a_guest("Alice")
    return alice, alice.opens(rules={"seats": 2}, computers=[{"level": "easy"}])["id"]


def _practice() -> tuple[Person, str]:
    alice = a_guest("Alice")
    return alice, alice.opens(mode="practice", rules={"seats": 2})["id"]


@pytest.mark.parametrize("a_table", [_open, _running, _practice, a_finished_match])
@pytest.mark.parametrize("form", [*FORMS, *PAST])
def test_a_form_with_anything_in_it_is_answered_in_words(
    form: str, a_table: Callable[[], tuple[Person, str]]
) -> None:
    host, table_id = a_table()
    for who in (host, a_guest("Carol"), nobody()):
        cache.clear()
        for number, anything in enumerate(("", *ANYTHING)):
            sent = {name: anything.encode(errors="replace").decode() for name in FIELDS} if number else {}
            if number % 2:
                sent |= {"type": "bid", "version": "1"}
            answer = a_browser(who).post(f"/tables/{table_id}/{form}", sent)
            assert answer.status_code in (200, 302, 404, 422), sent
