"""Whatever charset a request names, it is read as UTF-8, at every kind of door."""

import asyncio

import pytest
from django.test import AsyncClient, Client

from tests.people import Person, a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

# Those of Python's codecs that are no charsets; others that read ASCII as something else; and none at all.
CHARSETS = ("hex", "rot13", "idna", "punycode", "undefined", "base64", "unicode_escape", "utf-16", "zzz", "é")

FORM = b'--x\r\nContent-Disposition: form-data; name="type"\r\n\r\n\\ud800\xff\r\n--x--\r\n'


@pytest.fixture
def alice() -> Person:
    return a_guest("Alice")


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_query_is_utf_8(charset: str, alice: Person) -> None:
    table, kind = alice.opens()["id"], f"text/plain; charset={charset}"
    asked = "opponent=caf%C3%A9&name=%5Cud800&next=%ff"

    for path in ("/", "/me/matches", "/tables/new", "/sign-in", f"/tables/{table}", "/api/v1/tables"):
        answer = Client().generic("GET", f"{path}?{asked}", content_type=kind)
        assert answer.status_code == 200, path
    request = a_browser(alice).generic("GET", f"/me/matches?{asked}", content_type=kind).wsgi_request
    assert request.GET["opponent"] == "café"


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_form_is_utf_8(charset: str, alice: Person) -> None:
    table = alice.opens()["id"]
    kind = f"multipart/form-data; boundary=x; charset={charset}"

    for path in ("/tables/new", "/sign-in", "/me/preferences", "/review", f"/tables/{table}/act"):
        answer = a_browser(alice).generic("POST", path, FORM, content_type=kind)
        assert answer.status_code in (200, 302, 400, 422), path
    assert alice.client.generic("POST", "/api/v1/guests", FORM, content_type=kind).status_code == 400


def test_a_stream_is_asked_for_in_utf_8() -> None:
    kind = {"content-type": "text/plain; charset=hex"}

    answer = asyncio.run(AsyncClient().get("/api/v1/tables/nowhere/events?a=caf%C3%A9", headers=kind))

    assert answer.status_code == 404
