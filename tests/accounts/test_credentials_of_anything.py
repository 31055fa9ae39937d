"""Every door that takes a passkey's credential refuses in words whatever is none."""

import json
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

pytestmark = pytest.mark.django_db


def _written(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


CLIENT = {"type": "webauthn.get", "challenge": "AA", "origin": "http://testserver"}
RESPONSE = {
    "clientDataJSON": _written(json.dumps(CLIENT).encode()),
    "authenticatorData": _written(bytes(37)),
    "signature": "AA",
    "userHandle": "AA",
}
MADE = {"clientDataJSON": RESPONSE["clientDataJSON"], "attestationObject": "oA"}
WHOLE = {"id": "AA", "rawId": "AA", "type": "public-key", "response": RESPONSE, "clientExtensionResults": {}}
VALUES: tuple[Any, ...] = (None, 5, 1.5, "", "ü\x00", [], {}, [[]], {"a": 1}, "A" * 3001, True)

ANYTHING = (
    *(
        "",
        "null",
        "5",
        "[]",
        "[1]",
        '"x"',
        "{}",
        "{",
        "NaN",
        "1e999",
        "\x00",
        "ü",
        '{"a": "\\ud800"}',
        "9" * 5000,
    ),
    *("[" * 9000 + "]" * 9000, '{"a":' * 9000 + "1" + "}" * 9000, json.dumps({"a": "x" * 900_000})),
    json.dumps(WHOLE),
    *(json.dumps({**WHOLE, name: value}) for name in WHOLE for value in VALUES),
    *(json.dumps({**WHOLE, "response": {**RESPONSE, name: value}}) for name in RESPONSE for value in VALUES),
    *(json.dumps({**WHOLE, "response": {**MADE, name: value}}) for name in MADE for value in VALUES),
    *(json.dumps({key: value for key, value in WHOLE.items() if key != name}) for name in WHOLE),
)


@pytest.fixture
def signed_in() -> Client:
    browser = Client()
    form = {"name": "Alice", "email": "alice@example.org", "password1": "nine fours stand here"}
    assert browser.post("/sign-up", form).status_code == 302
    return browser


def test_signing_in_with_anything_is_refused() -> None:
    for anything in ANYTHING:
        for begun in (False, True):
            cache.clear()
            browser = Client()
            if begun:
                browser.get("/sign-in/passkey", headers={"X-Requested-With": "XMLHttpRequest"})
            answer = browser.post("/sign-in/passkey", {"credential": anything})
            assert answer.status_code in (200, 302), anything[:200]
            assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize("door", ["/account/passkeys/add", "/account/who/passkey"])
def test_what_is_no_passkey_cannot_be_added_or_shown(door: str, signed_in: Client) -> None:
    for anything in ANYTHING:
        cache.clear()
        signed_in.get(door)
        answer = signed_in.post(door, {"credential": anything, "name": "Key", "passwordless": "on"})
        assert answer.status_code in (200, 302), anything[:200]
