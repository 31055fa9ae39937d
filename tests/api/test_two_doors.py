"""The short way in answers as the ordinary door does: the same words, headers and order of refusals."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from games.api import quick
from tests.doors import BothDoors
from tests.people import Person, a_guest, nobody
from tests.tables import a_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_is_learnt() -> Iterator[None]:
    """Each test begins as a process does."""
    quick._learnt.clear()
    yield
    quick._learnt.clear()


def way(person: Person) -> str:
    assert isinstance(person.client.handler, BothDoors)
    return person.client.handler.went


def by_the_ordinary_door(person: Person) -> Person:
    return Person(name=person.name, token=person.token, id=person.id, client=Client())


def headers(answer: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.items() if name.lower() != "x-request-id"}


def both(alice: Person, path: str, body: Any, **sent: str) -> tuple[Any, Any]:
    """The same request, which must change nothing, by the ordinary door and by the short way."""
    ordinary = by_the_ordinary_door(alice).post(path, body, **sent)
    short = alice.post(path, body, **sent)
    assert way(alice) == "quick"
    return ordinary, short


def learnt(alice: Person, table_id: str) -> int:
    """Have the door learn from one action and one look; the version that came of it."""
    version = int(
        alice.acts(table_id, alice.sees(table_id)["version"], type="bid", quantity=1, face=2).json()[
            "version"
        ]
    )
    assert way(alice) == "ordinary"
    return version


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"type": "bid", "quantity": 1, "face": 3, "version": 1}, 409),
        ({"type": "liar", "version": None}, 422),
        ({"type": "bid", "quantity": 99, "face": 3, "version": None}, 422),
        ({"type": "bid", "total": 5, "version": None}, 422),
        ({"type": "next_round", "version": 99}, 409),
    ],
)
def test_a_refusal_is_the_same_by_either_door(
    alice: Person, bob: Person, body: dict[str, Any], status: int
) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    version = learnt(alice, table_id)
    if body["version"] is None:
        body = {**body, "version": version}

    ordinary, short = both(alice, f"tables/{table_id}/actions", body)

    assert short.status_code == ordinary.status_code == status
    assert short.content == ordinary.content
    assert headers(short) == headers(ordinary)


def test_strangers_and_tables_that_are_not_there_are_refused_alike(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    version = learnt(alice, table_id)
    dave = a_guest("Dave")

    for path in (f"tables/{table_id}/actions", "tables/nowhere/actions"):
        ordinary, short = both(dave, path, {"type": "liar", "version": version})
        assert (short.status_code, short.content) == (ordinary.status_code, ordinary.content)
        assert headers(short) == headers(ordinary)


@pytest.mark.parametrize("prefer", ["", "return=minimal"])
def test_an_answer_has_the_same_headers_by_either_door(alice: Person, bob: Person, prefer: str) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    version = learnt(alice, table_id)

    short = bob.post(
        f"tables/{table_id}/actions",
        {"type": "bid", "quantity": 1, "face": 3, "version": version},
        prefer=prefer,
    )
    went = way(bob)
    ordinary = by_the_ordinary_door(alice).post(
        f"tables/{table_id}/actions",
        {"type": "bid", "quantity": 1, "face": 4, "version": version + 1},
        prefer=prefer,
    )

    assert (went, short.status_code, ordinary.status_code) == ("quick", 200, 200)
    assert short.json().keys() == ordinary.json().keys()
    assert headers(short) | {"content-length": ""} == headers(ordinary) | {"content-length": ""}


def test_a_view_is_the_same_by_either_door(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)

    short = alice.get(f"tables/{table_id}")
    went = way(alice)
    ordinary = by_the_ordinary_door(alice).get(f"tables/{table_id}")

    assert went == "quick"
    assert short.content == ordinary.content
    assert headers(short) == headers(ordinary)
    assert (
        by_the_ordinary_door(alice).get(f"tables/{table_id}", if_none_match=short["ETag"]).status_code == 304
    )


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        (b"{", {}),
        (b"", {}),
        (b"[1]", {}),
        ({"type": "bid"}, {}),
        ({"type": "liar", "version": 3}, {"idempotency_key": "k"}),
        ({"type": "liar", "version": 3}, {"authorization": "Bearer nobodys"}),
        ({"type": "liar", "version": 3}, {"authorization": "Basic x"}),
    ],
)
def test_what_is_not_plain_is_left_to_the_ordinary_door(
    alice: Person, bob: Person, body: Any, sent: dict[str, str]
) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)

    answer = alice.post(f"tables/{table_id}/actions", body, **sent)

    assert way(alice) == "ordinary"
    assert answer.status_code in (400, 401, 409)


def test_whoever_brings_no_token_comes_by_the_ordinary_door(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)
    carol = nobody()

    assert carol.get(f"tables/{table_id}").status_code == 200
    assert way(carol) == "ordinary"


def test_headers_for_another_host_are_learnt_apart(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)

    assert alice.get(f"tables/{table_id}", host="elsewhere.example").status_code == 400
    assert way(alice) == "ordinary"


def test_a_database_that_is_away_is_503_by_the_short_way_too(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("the server closed the connection")

    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)
    monkeypatch.setattr(quick, "asking", away)

    answer = alice.get(f"tables/{table_id}")

    assert (way(alice), answer.status_code, answer.json()["code"]) == ("quick", 503, "unavailable")
    assert int(answer["Retry-After"]) >= 1


def test_a_fault_of_ours_is_500_without_a_word_of_it(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a die shows 4")

    table_id = a_match(alice, bob, rules={"first_opener": "host"})["id"]
    learnt(alice, table_id)
    monkeypatch.setattr(quick, "asking", broken)
    alice.client.raise_request_exception = False

    answer = alice.get(f"tables/{table_id}")

    assert (way(alice), answer.status_code) == ("quick", 500)
    assert answer.json()["code"] == "server_error"
    assert b"die" not in answer.content
