"""Requests that are legal HTTP and seldom seen; each of these was once answered wrongly."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.test.client import ClientHandler

from accounts.models import User
from config import wsgi
from games.api import events
from tests.people import API, Person, nobody

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("letter", ["é", "漢", "🎲"])
def test_a_key_of_128_letters_may_be_written_in_any_script(letter: str, alice: Person) -> None:
    as_it_comes = (letter * 128).encode().decode("latin-1")
    too_long = (letter * 129).encode().decode("latin-1")

    assert alice.post("tables", {}, idempotency_key=as_it_comes).status_code == 201
    assert alice.post("tables", {}, idempotency_key=as_it_comes)["Idempotency-Replayed"] == "true"
    assert alice.post("tables", {}, idempotency_key=too_long).status_code == 400


def test_a_key_that_is_no_utf_8_is_a_key_too(alice: Person) -> None:
    assert alice.post("tables", {}, idempotency_key="\xff\xfe").status_code == 201
    assert alice.post("tables", {}, idempotency_key="\xff\xfe")["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    "path", ["docs", "schema", "tables", "me", "tables/nowhere", "tables/nowhere/events"]
)
def test_options_breaks_nothing(path: str) -> None:
    answer = Client().options(f"{API}/{path}")

    assert answer.status_code in (200, 405)
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize("query", ["version=%00", "version=a%0d%0ab", 'version="', "lang=%00", "lang=xx"])
def test_what_is_asked_of_the_document_changes_nothing(query: str) -> None:
    plain, asked = Client().get(f"{API}/schema"), Client().get(f"{API}/schema?{query}")

    assert (asked.status_code, asked.content) == (200, plain.content)
    assert set(asked.headers) == set(plain.headers)
    assert Client().get(f"{API}/docs?{query}").status_code == 200


def test_a_refused_stream_says_what_it_needs_and_which_method_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(events, "player_by_token", lambda token: None)  # no row, and no thread to read one

    assert Person(token="no").get("tables/nowhere/events")["WWW-Authenticate"] == "Bearer"
    assert nobody().post("tables/nowhere/events")["Allow"] == "GET"


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
    ],
)
@pytest.mark.parametrize("key", [None, "key"])
def test_a_session_may_send_a_key_and_say_what_it_likes_of_its_body(
    content_type: str, key: str | None
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("Carol"))
    client.get("/admin/login/")
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value, **({"Idempotency-Key": key} if key else {})}

    made = client.post(f"{API}/tables", b'{"name": "Form"}', content_type=content_type, headers=headers)

    assert made.status_code == 201, made.content
    assert made.json()["name"] == "Form"


@pytest.mark.parametrize("length", [None, "5"])
def test_a_body_in_chunks_is_read_whole_by_wsgi_too(
    length: str | None, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi, "_django", answered)

    made = in_chunks(alice, b'{"name": "Chunks"}', length)

    assert (made["status"], made["name"]) == ("open", "Chunks")


def test_a_body_in_chunks_has_an_end(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi, "_django", answered)

    assert in_chunks(alice, b" " * 3_000_000 + b"{}")["code"] == "malformed"


def answered(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """What Django answers, within the transaction of the test."""
    return [ClientHandler()(environ).content]


def in_chunks(person: Person, body: bytes, length: str | None = None) -> Any:
    """What is answered to a body that the server put together from chunks."""
    environ = RequestFactory().post(f"{API}/tables", headers=person._headers({})).environ
    environ |= {"HTTP_TRANSFER_ENCODING": "Chunked", "wsgi.input": BytesIO(body), "CONTENT_LENGTH": length}
    if length is None:
        del environ["CONTENT_LENGTH"]
    return json.loads(b"".join(wsgi.application(environ, lambda *_: None)))
