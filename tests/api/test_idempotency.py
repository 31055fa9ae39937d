"""A request that brings a key is done once, and answered the same every time."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.models import Answer, Table
from games.tasks import forget_old_requests
from tests.people import Person, a_guest
from tests.tables import a_match, whose_turn

pytestmark = pytest.mark.django_db


def test_a_table_asked_for_twice_with_one_key_is_made_once(alice: Person) -> None:
    first = alice.post("tables", {"name": "Once"}, idempotency_key="make it")
    second = alice.post("tables", {"name": "Once"}, idempotency_key="make it")

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert Table.objects.count() == 1


def test_a_bid_sent_twice_with_one_key_is_made_once(alice: Person) -> None:
    bob = a_guest("Bob")
    table = a_match(alice, bob)
    mover = whose_turn((alice, bob), table)
    bid = {"type": "bid", "quantity": 2, "face": 3, "version": table["version"]}
    path = f"tables/{table['id']}/actions"

    first, second = (mover.post(path, bid, idempotency_key="x" * 128) for _ in range(2))

    assert first.status_code == 200
    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert mover.sees(table["id"])["version"] == table["version"] + 1


def test_a_refusal_is_given_again_too(alice: Person) -> None:
    bob = a_guest("Bob")
    table = a_match(alice, bob)
    path = f"tables/{table['id']}/actions"

    for body in ({"type": "liar", "version": 0}, {"type": "liar", "version": table["version"]}, {}):
        key = f"key of {body}"
        first, second = (
            whose_turn((alice, bob), table).post(path, body, idempotency_key=key) for _ in range(2)
        )
        assert first.status_code == second.status_code >= 400
        assert first.content == second.content
        assert second["Idempotency-Replayed"] == "true"


def test_the_same_key_for_another_request_is_refused(alice: Person) -> None:
    alice.post("tables", {"name": "One"}, idempotency_key="key")

    answer = alice.post("tables", {"name": "Two"}, idempotency_key="key")

    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert Table.objects.count() == 1


def test_a_key_belongs_to_one_player_and_one_path(alice: Person) -> None:
    bob = a_guest("Bob")

    first = alice.post("tables", {}, idempotency_key="key").json()
    second = bob.post("tables", {}, idempotency_key="key").json()
    elsewhere = bob.post(f"tables/{second['id']}/actions", {}, idempotency_key="key")

    assert first["id"] != second["id"]
    assert elsewhere.status_code == 400


def test_a_key_is_forgotten_after_a_day(alice: Person) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        alice.post("tables", {}, idempotency_key="key")
        clock.shift(timedelta(hours=23, minutes=59))
        assert "Idempotency-Replayed" in alice.post("tables", {}, idempotency_key="key")
        clock.shift(timedelta(minutes=2))
        assert "Idempotency-Replayed" not in alice.post("tables", {}, idempotency_key="key")
        clock.shift(timedelta(hours=25))
        forget_old_requests()

    assert Table.objects.count() == 2
    assert Answer.objects.count() == 0


@pytest.mark.parametrize("key", ["", "x" * 129])
def test_a_key_has_1_to_128_characters(key: str, alice: Person) -> None:
    assert alice.post("tables", {}, idempotency_key=key).status_code == 400


def test_who_was_slowed_down_may_use_the_key_again(alice: Person) -> None:
    for _ in range(60):
        assert alice.post("tables", {}).status_code == 201

    slowed = alice.post("tables", {}, idempotency_key="patience")
    assert slowed.status_code == 429
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        later = alice.post("tables", {}, idempotency_key="patience")

    assert later.status_code == 201
    assert "Idempotency-Replayed" not in later


def test_a_kept_answer_lies_sealed(alice: Person) -> None:
    bob = a_guest("Bob")
    table = a_match(alice, bob)
    mover = whose_turn((alice, bob), table)
    bid = {"type": "bid", "quantity": 1, "face": 2, "version": table["version"]}
    answer = mover.post(f"tables/{table['id']}/actions", bid, idempotency_key="key")

    kept = Answer.objects.get()

    assert answer.json()["round"]["hand"]
    assert kept.sealed
    assert "hand" not in kept.sealed
    assert table["id"] not in kept.sealed
