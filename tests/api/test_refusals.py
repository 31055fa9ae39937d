"""Refusals: the right code, in the order of the contract, with words that help, and nothing changed."""

import json
from typing import Any

import pytest
from django.db import OperationalError

from tests.people import Person, a_guest, nobody
from tests.tables import a_match, whose_turn

pytestmark = pytest.mark.django_db


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The document of a refusal, which has this status and code and says something."""
    assert answer.status_code == status, answer.content
    document = answer.json()
    assert document["code"] == code
    assert len(document["message"]) > 10
    return document


def test_a_bad_token_is_refused_even_where_none_is_needed() -> None:
    stranger = Person(token="not-a-token")

    for answer in (stranger.get("tables"), stranger.get("presets"), stranger.post("guests", b"{")):
        refused(answer, 401, "unauthenticated")
        assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Basic QWxhZGRpbjo=", "Bearer", "Bearer  ", "nonsense"])
def test_another_kind_of_authorization_is_a_bad_token(header: str) -> None:
    refused(nobody().get("tables", authorization=header), 401, "unauthenticated")


def test_who_needs_a_token_hears_of_it_before_anything_else() -> None:
    for answer in (
        nobody().get("me"),
        nobody().get("tables?mine=true"),
        nobody().post("tables", b"{"),
        nobody().post("tables/nowhere/actions", b"{"),
        nobody().delete("tables/nowhere"),
        nobody().delete("tables/nowhere/seats/me"),
    ):
        refused(answer, 401, "unauthenticated")


def test_a_malformed_request_comes_before_a_table_that_is_not_there(alice: Person) -> None:
    refused(alice.post("tables/nowhere/actions", b"{"), 400, "malformed")
    refused(alice.post("tables/nowhere/actions", {"type": "liar"}), 400, "malformed")
    refused(alice.acts("nowhere", 1, type="liar"), 404, "not_found")


def test_a_seat_is_needed_before_the_version_is_looked_at(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)

    refused(a_guest("Carol").acts(table["id"], 0, type="liar"), 403, "forbidden")


def test_the_version_is_compared_before_the_rules(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)
    waiting = alice if whose_turn((alice, bob), table) is bob else bob

    for seen in (0, -5, table["version"] - 1, table["version"] + 1, 10**30):
        stale = refused(waiting.acts(table["id"], seen, type="liar"), 409, "stale")
        assert stale["version"] == table["version"]
    refused(waiting.acts(table["id"], table["version"], type="liar"), 422, "not_your_turn")


def test_the_rules_say_what_would_be_legal(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)
    mover = whose_turn((alice, bob), table)
    other = bob if mover is alice else alice
    raised = mover.acts(table["id"], table["version"], type="bid", quantity=7, face=4).json()

    low = refused(
        other.acts(table["id"], raised["version"], type="bid", quantity=7, face=4), 422, "not_a_raise"
    )

    assert low["message"] == "Seven fours stand already. Fours start at eight."


@pytest.mark.parametrize(
    "action",
    [
        {"type": "bid", "quantity": 0, "face": 3},
        {"type": "bid", "quantity": -3, "face": 3},
        {"type": "bid", "quantity": 11, "face": 3},
        {"type": "bid", "quantity": 10**40, "face": 3},
        {"type": "bid", "quantity": 1, "face": 0},
        {"type": "bid", "quantity": 1, "face": 7},
        {"type": "bid", "quantity": 1, "face": 10**40},
        {"type": "bid", "quantity": 1, "face": 1},
        {"type": "bid", "total": 12},
        {"type": "liar"},
        {"type": "exact"},
    ],
)
def test_what_the_rules_refuse_is_422_and_changes_nothing(
    action: dict[str, Any], alice: Person, bob: Person
) -> None:
    table = a_match(alice, bob)
    mover = whose_turn((alice, bob), table)
    before = mover.sees(table["id"])

    answer = mover.acts(table["id"], table["version"], **action)

    assert answer.status_code == 422, answer.content
    assert mover.sees(table["id"]) == before


STRANGE: list[bytes] = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'"text"',
    b"\xff\xfe{}",
    b'{"type": "bid", "quantity": 1e999, "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": NaN, "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": Infinity, "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": 4.0, "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": true, "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": "4", "face": 2, "version": 3}',
    b'{"type": "bid", "quantity": 4, "version": 3}',
    b'{"type": "bid", "version": 3}',
    b'{"type": "bid", "quantity": 4, "face": 2, "total": 9, "version": 3}',
    b'{"type": "liar"}',
    b'{"type": "liar", "version": "3"}',
    b'{"type": "liar", "version": 3.0}',
    b'{"type": "liar", "version": null}',
    b'{"type": ["liar"], "version": 3}',
    b'{"type": "fold", "version": 3}',
    b'{"type": "liar", "version": ' + b"9" * 10_000 + b"}",
    b"[" * 50_000,
    b'{"a":' * 10_000,
    b'{"a": "' + b"x" * 200_000 + b'"}',
    b'{"a": "' + b"x" * 2_000_000 + b'"}',
]


@pytest.mark.parametrize("body", STRANGE, ids=lambda body: body[:48].decode("ascii", "replace"))
@pytest.mark.parametrize("keyed", [False, True])
def test_a_body_that_cannot_be_read_is_400(body: bytes, keyed: bool, alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)

    answer = alice.post(f"tables/{table['id']}/actions", body, **({"idempotency_key": "k"} if keyed else {}))

    refused(answer, 400, "malformed")


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": 5},
        {"preset": 5},
        {"mode": ["casual"]},
        {"sit": "yes"},
        {"client_seed": 5},
        {"clock": "slow"},
        {"clock": {"kind": "slow"}},
        {"clock": {"kind": "slow", "turn_seconds": "3600"}},
        {"clock": {"kind": "live"}},
        {"computers": {"level": "easy"}},
        {"computers": ["easy"]},
        {"computers": [{}]},
    ],
)
def test_a_table_asked_for_with_a_wrong_type_is_400(wanted: dict[str, Any], alice: Person) -> None:
    document = refused(alice.post("tables", wanted), 400, "malformed")

    assert list(document["fields"])


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"rules": {"seats": 7}}, "seats"),
        ({"rules": {"seats": 4.0}}, "seats"),
        ({"rules": {"seats": True}}, "seats"),
        ({"rules": {"palifico": 1}}, "palifico"),
        ({"rules": {"bidding": "sum", "ones": "wild"}}, "ones"),
        ({"rules": {"dice": 5}}, "dice"),
        ({"rules": {"\ud800": 5}}, "?"),
        ({"rules": []}, "rules"),
        ({"rules": "standard"}, "rules"),
        ({"preset": "perudo"}, "preset"),
        ({"mode": "blitz"}, "mode"),
        ({"visibility": "secret"}, "visibility"),
        ({"name": ""}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"client_seed": "a|b"}, "client_seed"),
        ({"client_seed": "\x00"}, "client_seed"),
        ({"client_seed": "\udfff"}, "client_seed"),
        ({"client_seed": "x" * 65}, "client_seed"),
        ({"clock": {"kind": "hourglass"}}, "clock"),
        ({"clock": {"kind": "live", "pace": "slow"}}, "clock"),
        ({"clock": {"kind": "slow", "turn_seconds": 3599}}, "clock"),
        ({"clock": {"kind": "slow", "turn_seconds": 10**30}}, "clock"),
        ({"clock": {"kind": "slow", "turn_seconds": 3600, "bank_seconds": -1}}, "clock"),
        ({"computers": [{"level": "expert"}]}, "level"),
        ({"computers": [{"level": "easy", "character": "nobody"}]}, "character"),
        ({"computers": [{"level": "easy"}] * 4}, "computers"),
        ({"computers": [{"level": "easy"}] * 1000}, "computers"),
        ({"mode": "practice", "sit": False}, "sit"),
        ({"mode": "practice", "clock": {"kind": "live", "pace": "normal"}}, "clock"),
        ({"mode": "ranked"}, "mode"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_by_name(
    wanted: dict[str, Any], field: str, alice: Person
) -> None:
    answer = alice.post("tables", json.dumps(wanted))

    assert answer.status_code == 422, answer.content
    assert [name.partition(".")[0] for name in answer.json()["fields"]] == [field]
    assert nobody().get("tables").json()["results"] == []


@pytest.mark.parametrize(
    "path",
    [
        "tables/%00",
        "tables/%00/rounds",
        "tables/%00/rounds/1",
        "tables/%00/archive",
        "tables/%00/events",
        "tables/%ED%A0%80",
        "tables/" + "x" * 5000,
        "tables/nowhere/archive",
        "tables/nowhere/rounds/1",
        "tables/nowhere/rounds/one",
        "tables/nowhere/events",
        "nothing",
    ],
)
def test_what_is_not_there_is_404_as_json(path: str, alice: Person) -> None:
    refused(alice.get(path), 404, "not_found")


def test_addresses_within_a_table_that_lead_nowhere_are_404(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob)["id"]

    for path in ("rounds/1", "rounds/0", "rounds/1000", "rounds/-1", "rounds/%EF%BC%91", "archive"):
        refused(alice.get(f"tables/{table_id}/{path}"), 404, "not_found")
    for seat in ("5", "-1", "x", "999999999999999999999", "%00"):
        refused(alice.delete(f"tables/{table_id}/seats/{seat}"), 404, "not_found")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("status=asleep", 422),
        ("mode=blitz", 422),
        ("mine=perhaps", 400),
        ("cursor=nonsense", 400),
        ("cursor=%00", 400),
        ("cursor=%ED%A0%80", 400),
        ("cursor=" + "A" * 3000, 400),
        # 0001-01-01T00:00:00+23:59|abc and 9999-12-31T23:59:59-23:59|abc
        ("cursor=MDAwMS0wMS0wMVQwMDowMDowMCsyMzo1OXxhYmM", 400),
        ("cursor=OTk5OS0xMi0zMVQyMzo1OTo1OS0yMzo1OXxhYmM", 400),
        ("status=asleep&cursor=nonsense", 400),
        ("status=&mode=&mine=&cursor=", 200),
    ],
)
def test_a_list_refuses_what_it_cannot_read(query: str, status: int, alice: Person) -> None:
    assert alice.get(f"tables?{query}").status_code == status


@pytest.mark.parametrize("through", ["x", "", "1.0", "%EF%BC%91", "1e3"])
def test_a_seat_to_look_through_is_a_whole_number(through: str, alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob)["id"]

    refused(alice.get(f"tables/{table_id}?as={through}"), 400, "malformed")


def test_a_method_that_an_address_does_not_answer_is_405_as_json(alice: Person) -> None:
    refused(alice.delete("guests"), 405, "method_not_allowed")
    refused(alice.post("tables/nowhere/events"), 405, "method_not_allowed")


def test_guests_are_slowed_down_and_told_for_how_long() -> None:
    answers = [nobody().post("guests") for _ in range(62)]

    statuses = [answer.status_code for answer in answers]
    assert statuses[:60] == [201] * 60
    assert statuses[60:] == [429, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 61
    refused(answers[-1], 429, "slow_down")


def test_who_is_slowed_down_still_hears_first_of_a_malformed_request() -> None:
    for _ in range(61):
        nobody().post("guests")

    refused(nobody().post("guests", b"{"), 400, "malformed")


def test_a_guest_who_makes_guests_counts_for_the_same_address() -> None:
    answer = nobody().post("guests")
    for _ in range(59):
        assert answer.status_code == 201
        answer = Person(token=answer.json()["token"]).post("guests")

    refused(Person(token=answer.json()["token"]).post("guests"), 429, "slow_down")


def test_tables_are_counted_by_address_too() -> None:
    made = 0
    for number in range(7):
        host = a_guest(f"Host {number}")
        while host.post("tables").status_code == 201:
            made += 1

    assert made == 360


def test_what_is_refused_counts_too(alice: Person) -> None:
    answers = [alice.post("tables", {"preset": "x"}, idempotency_key=str(n)) for n in range(1210)]

    assert [answer.status_code for answer in answers] == [422] * 1200 + [429] * 10


@pytest.mark.parametrize(
    "wanted",
    [
        {"rules": 5, "name": 7},
        {"clock": {"kind": "live", "pace": "x"}, "sit": 5},
        {"mode": "blitz", "computers": [{"level": 4}]},
    ],
)
def test_every_field_is_read_before_any_is_judged(wanted: dict[str, Any], alice: Person) -> None:
    refused(alice.post("tables", wanted), 400, "malformed")


def test_a_key_that_was_used_does_not_make_a_body_readable(alice: Person) -> None:
    alice.post("tables", {}, idempotency_key="k")

    refused(alice.post("tables", b"{", idempotency_key="k"), 400, "malformed")


def test_a_refusal_is_for_its_reader_alone(alice: Person) -> None:
    for answer in (alice.get("tables/nowhere"), alice.post("tables", b"{"), nobody().get("me")):
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Cookie"} <= {name.strip() for name in answer["Vary"].split(",")}


def test_a_database_that_is_away_is_503_on_pages_and_in_answers(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("games.queries.lists.load_many", away)
    monkeypatch.setattr("games.queries.home.load_many", away)
    alice.opens()

    for answer in (alice.get("tables"), alice.client.get("/")):
        assert answer.status_code == 503
        assert int(answer["Retry-After"]) >= 1
        assert b"closed the connection" not in answer.content


def test_one_person_does_not_sit_down_at_a_table_for_ever(alice: Person) -> None:
    table_id, bob = alice.opens()["id"], a_guest("Bob")
    for _ in range(10):
        bob.sits(table_id)
        bob.delete(f"tables/{table_id}/seats/me")

    refused(bob.post(f"tables/{table_id}/seats"), 422, "sat_too_often")
