"""Every status that the document promises of a call can be had of it; none is there for show."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import User
from games.api import answers
from games.commands.once import InProgress
from tests.openapi.contract import CheckedClient, Seen, a_checked_guest, operations
from tests.people import API, Person
from tests.tables import a_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("streams_within_the_test")]

Ask = Callable[[Person, str], Any]


def promised(status: int) -> set[str]:
    """The calls of which the document promises this status."""
    return {
        operation["operationId"] for _, _, operation in operations() if str(status) in operation["responses"]
    }


def had(seen: Seen, status: int) -> set[str]:
    return {name for name, answered in seen.answers if answered == status}


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def alice(seen: Seen) -> Person:
    return a_checked_guest(seen, "Alice")


@pytest.fixture
def bob(seen: Seen) -> Person:
    return a_checked_guest(seen, "Bob")


def everything(person: Person, table_id: str) -> None:
    """Make every call once, most of them wrongly."""
    for path in ("me", "presets", "tables"):
        person.get(path)
    for path in ("", "/rounds", "/rounds/1", "/archive", "/events"):
        person.get(f"tables/{table_id}{path}")
    for path in ("guests", "tables"):
        person.post(path)
    for path in ("seats", "start", "invites"):
        person.post(f"tables/{table_id}/{path}")
    person.post(f"tables/{table_id}/computers", {"level": "easy"})
    person.post(f"tables/{table_id}/actions", {"type": "liar", "version": 1})
    for path in ("/seats/1", "/seats/me", ""):
        person.delete(f"tables/{table_id}{path}")


def test_401_where_the_token_is_not_good(seen: Seen) -> None:
    everything(Person(token="not-a-token", client=CheckedClient(seen)), "nowhere")

    assert had(seen, 401) == promised(401) == {operation["operationId"] for *_, operation in operations()}


def test_503_while_the_database_is_away(seen: Seen, alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(token: str) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr("games.api.auth.player_by_token", away)
    monkeypatch.setattr("games.api.events.player_by_token", away)

    everything(alice, "nowhere")

    assert had(seen, 503) == promised(503) == {operation["operationId"] for *_, operation in operations()}


def test_429_where_there_is_a_limit(
    seen: Seen, alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    table_id = a_match(alice, bob)["id"]
    settings.STREAMS_PER_ADDRESS = 0
    alice.client.get(f"{API}/tables/{table_id}/events", REMOTE_ADDR="10.0.0.1")  # not this machine
    for scope in ("guests", "tables", "play"):
        monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, scope, "1/min")

    for _ in range(2):
        everything(alice, table_id)

    assert had(seen, 429) == promised(429)


def test_400_where_something_is_malformed(seen: Seen, alice: Person) -> None:
    practice = alice.opens(mode="practice", rules={"seats": 2})
    table = f"tables/{practice['id']}"

    for path in ("guests", "tables", *(f"{table}/{part}" for part in ("seats", "computers", "actions"))):
        alice.post(path, b"{")
    for path in ("start", "invites"):
        alice.post(f"{table}/{path}", [])
    for path in ("tables?cursor=x", "tables?mine=perhaps", f"{table}?as=x", f"{table}/rounds?cursor=x"):
        alice.get(path)
    alice.acts(practice["id"], practice["version"], type="liar")

    assert had(seen, 400) == promised(400)


def test_403_where_somebody_else_may_and_where_a_session_has_no_csrf_token(
    seen: Seen, alice: Person, bob: Person
) -> None:
    table_id = alice.opens(rules={"seats": 3})["id"]
    in_private = alice.opens(visibility="private", rules={"seats": 3})["id"]
    carol = Person(client=CheckedClient(seen, enforce_csrf_checks=True))
    carol.client.force_login(User.objects.create_user("Carol"))

    bob.get(f"tables/{table_id}?as=0")
    for path in ("start", "invites"):
        bob.post(f"tables/{table_id}/{path}")
    bob.post(f"tables/{table_id}/computers", {"level": "easy"})
    bob.acts(table_id, 1, type="liar")
    for path in ("/seats/0", "/seats/me", ""):
        bob.delete(f"tables/{table_id}{path}")
    for path in ("guests", "tables", f"tables/{in_private}/seats"):
        carol.post(path)

    assert had(seen, 403) == promised(403)


def test_404_where_nothing_is_there(seen: Seen, alice: Person) -> None:
    everything(alice, "nowhere")

    assert had(seen, 404) == promised(404)


def test_409_for_another_version_a_taken_seat_and_a_key_in_work(
    seen: Seen, alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_work(*_: Any, **__: Any) -> None:
        raise InProgress

    table = a_match(alice, bob)
    alice.acts(table["id"], table["version"] + 1, type="liar")
    bob.post(f"tables/{table['id']}/seats")
    alice.post(f"tables/{alice.opens()['id']}/computers", {"level": "easy", "seat": 0})
    monkeypatch.setattr(answers.once, "once", in_work)
    alice.post("tables", {}, idempotency_key="key")

    assert had(seen, 409) == promised(409)


def test_422_where_the_rules_refuse(seen: Seen, alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)
    open_table = alice.opens(rules={"seats": 3})["id"]

    alice.get("tables?status=asleep")
    for path, body in {
        "guests": {"name": ""},
        "tables": {"preset": "perudo"},
        f"tables/{open_table}/seats": {"seat": 9},
        f"tables/{open_table}/computers": {"level": "expert"},
        f"tables/{open_table}/start": {},
        f"tables/{open_table}/invites": {},
        f"tables/{table['id']}/actions": {"type": "exact", "version": table["version"]},
    }.items():
        (bob if path.endswith("seats") else alice).post(path, body)
    for path in ("", "/seats/1"):
        alice.delete(f"tables/{table['id']}{path}")

    assert had(seen, 422) == promised(422)


def test_everything_that_goes_well(seen: Seen, alice: Person, bob: Person) -> None:
    alice.get("me")
    alice.get("tables")
    alice.get("presets")
    waiting = alice.opens(rules={"seats": 4}, visibility="private")["id"]
    invite = alice.post(f"tables/{waiting}/invites").json()["invite"]
    bob.sits(waiting, invite=invite)
    alice.post(f"tables/{waiting}/computers", {"level": "easy"})
    alice.delete(f"tables/{waiting}/seats/2")
    alice.post(f"tables/{waiting}/start")
    alice.delete(f"tables/{alice.opens()['id']}")
    play_one_round(alice, bob, waiting)
    tag = alice.get(f"tables/{waiting}")["ETag"]
    alice.get(f"tables/{waiting}", if_none_match=tag)
    alice.delete(f"tables/{waiting}/seats/me")
    for path in ("rounds", "rounds/1", "archive", "events"):
        alice.get(f"tables/{waiting}/{path}")

    well = {status: had(seen, status) for status in (200, 201, 204, 304)}
    assert well == {status: promised(status) for status in well}


def play_one_round(alice: Person, bob: Person, table_id: str) -> None:
    view = alice.sees(table_id)
    first, second = (alice, bob) if view["round"]["turn"] == 0 else (bob, alice)
    first.acts(table_id, view["version"], type="bid", quantity=10, face=6)
    second.acts(table_id, view["version"] + 1, type="liar")


def test_another_method_is_405_and_says_which_are_there(alice: Person) -> None:
    plain = Person(token=alice.token, client=Client())

    for path in ("me", "tables/nowhere/archive", "tables/nowhere/events"):
        answer = plain.delete(path)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert "GET" in answer["Allow"]
