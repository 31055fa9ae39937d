"""What is announced, when, and to whom: ids and versions, after a commit and only then."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis as redis_client
from django.db import transaction

from games import live
from games.commands import lobby
from games.live import announcing, carrying
from tests.people import a_guest
from tests.streams.site import OwnRedis, own_redis
from tests.tables import a_match, whose_turn

pytestmark = pytest.mark.django_db(transaction=True)


class Ear:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    def hear(self, table_id: str, version: int) -> None:
        self.heard.append((table_id, version))


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    announcing.listen(ear)
    yield ear
    announcing.unlisten(ear)


@pytest.fixture
def own(settings: Any) -> Iterator[OwnRedis]:
    """A Redis of this test's own, to which this process announces."""
    with own_redis() as server:
        settings.REDIS_URL = server.url
        yield server


def test_nothing_is_heard_before_the_commit(ear: Ear) -> None:
    with transaction.atomic():
        live.announce("t", 7)
        assert ear.heard == []

    assert ear.heard == [("t", 7)]


def test_nothing_is_heard_of_what_is_taken_back(ear: Ear) -> None:
    with transaction.atomic():
        live.announce("t", 7)
        transaction.set_rollback(True)

    assert ear.heard == []


def test_a_listener_that_fails_does_not_undo_what_was_done(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ear, "hear", lambda table_id, version: 1 / 0)

    with transaction.atomic():
        live.announce("t", 7)


def test_every_change_of_a_table_is_announced_with_the_version_that_it_made(ear: Ear) -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    seen = alice.opens(rules={"seats": 2})
    assert ear.heard[-1] == (seen["id"], seen["version"])
    seen = bob.sits(seen["id"])
    assert ear.heard[-1] == (seen["id"], seen["version"])
    for _ in range(3):
        mover = whose_turn([alice, bob], seen)
        lowest = mover.sees(seen["id"])["legal"]["bids"]["6"][0]
        seen = mover.acts(seen["id"], seen["version"], type="bid", quantity=lowest, face=6).json()
        assert ear.heard[-1] == (seen["id"], seen["version"])
    told = len(ear.heard)
    assert alice.acts(seen["id"], seen["version"] - 1, type="liar").status_code == 409
    assert len(ear.heard) == told
    seen = alice.delete(f"tables/{seen['id']}/seats/me").json()

    assert seen["status"] == "finished"
    assert ear.heard[-1] == (seen["id"], seen["version"])


def test_a_seat_that_is_freed_and_a_table_that_is_closed_are_announced(ear: Ear) -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens()["id"]
    bob.sits(table_id)

    freed = alice.delete(f"tables/{table_id}/seats/1").json()
    assert ear.heard[-1] == (table_id, freed["version"])
    lobby.close(table_id=table_id, player_id=alice.id)

    assert ear.heard[-1] == (table_id, freed["version"] + 1)


def test_a_message_holds_ids_and_versions_and_not_a_byte_more(own: OwnRedis) -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    with redis_client.from_url(own.url) as client, client.pubsub() as messages:
        messages.subscribe(announcing.CHANNEL)
        messages.get_message(timeout=5)
        table = a_match(alice, bob)
        mover = whose_turn([alice, bob], table)
        after = mover.acts(table["id"], table["version"], type="bid", quantity=3, face=5).json()
        said = []
        until = time.monotonic() + 5
        while time.monotonic() < until and f"{table['id']}:{after['version']}" not in said:
            if message := messages.get_message(timeout=0.2):
                said += message["data"].decode().split(" ")

    assert said[-1] == f"{table['id']}:{after['version']}"
    assert {each.split(":")[0] for each in said} == {table["id"]}
    assert {int(each.split(":")[1]) for each in said} <= set(range(1, after["version"] + 1))


def test_no_move_waits_for_a_redis_that_is_away(own: OwnRedis) -> None:
    live.announce("warm", 1)
    own.kill()

    took = []
    for version in range(1, 200):
        began = time.perf_counter()
        live.announce("t", version)
        took.append(time.perf_counter() - began)
        time.sleep(0.001)

    # All but a few, which other work on this machine may have held up.
    assert sorted(took)[-10] < 0.01, sorted(took)[-10:]


def test_what_redis_did_not_take_is_told_when_it_is_back_in_its_newest_version(
    own: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(announcing, "REDIS_SECONDS", 0.2)
    with redis_client.from_url(own.url) as client, client.pubsub() as messages:
        messages.subscribe(announcing.CHANNEL)
        messages.get_message(timeout=5)
        own.pause(True)
        live.announce("t", 1)
        live.announce("u", 1)
        time.sleep(0.5)
        live.announce("t", 2)
        own.pause(False)
        live.announce("v", 1)
        said: set[str] = set()
        until = time.monotonic() + 10
        while time.monotonic() < until and not {"t:2", "u:1", "v:1"} <= said:
            if message := messages.get_message(timeout=0.2):
                said.update(message["data"].decode().split(" "))

    assert {"t:2", "u:1", "v:1"} <= said


@pytest.mark.parametrize("garbage", ["", ":", "t", "t:", "t:x", ":5", "t:-1", "t:" + "9" * 5000, "t:٣ \x00"])
def test_garbage_on_the_channel_says_nothing(garbage: str) -> None:
    assert [pair for pair in announcing.read(garbage) if pair != ("t", 3)] == []


def test_what_is_written_can_be_read() -> None:
    changes = [("abc", 1), ("def", 4_000_000_000)]

    assert announcing.read(announcing.written(changes)) == changes
