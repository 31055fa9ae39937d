"""Practise from here: a past round opens again with the same hands, which are given and not rolled."""

import random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts.models import Player
from games.commands import archiving, clockwork
from games.commands.practising import practise
from games.engine.verify import verify
from games.models import Archive, Given, Table
from games.queries.review import past
from tests import history
from tests.archives.matches import a_played_match, prune
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.tables import a_move
from tests.verify.samples import a_document
from tests.verify.test_true_documents import SCHEMA
from tests.web.pasts import take_in

pytestmark = pytest.mark.django_db

Document = dict[str, Any]


def practise_from(alice: Person, table_id: str, number: int) -> str:
    found = past(table_id, alice.id, number)
    assert found.reveal is not None
    player = Player.objects.get(pk=alice.id)
    made = practise(player=player, table=found.table, reveal=found.reveal, now=timezone.now())
    return made.row.id


def from_a_round(kind: str = "computers", seed: int = 0, number: int = 2) -> tuple[Person, Document, str]:
    """Alice, the reveal of a past round of hers, and the practice table made from it."""
    people, table_id = a_played_match(kind, seed)
    alice = people[0]
    reveal = alice.get(f"tables/{table_id}/rounds/{number}").json()
    return alice, reveal, practise_from(alice, table_id, number)


def hands_seen(alice: Person, table_id: str, seats: list[str]) -> Document:
    return {seat: alice.sees(table_id, **{"as": seat})["round"]["hand"] for seat in seats}


@pytest.mark.parametrize("seed", range(6))
def test_a_practice_table_has_the_seats_the_hands_and_the_opener_of_that_round(seed: int) -> None:
    alice, reveal, table_id = from_a_round(seed=seed)

    view = alice.sees(table_id)

    assert view["mode"] == "practice"
    assert view["status"] == "bidding"
    assert view["round"]["opener"] == reveal["opener"]
    assert view["round"]["palifico"] == reveal["palifico"]
    assert {str(seat["seat"]): seat["dice"] for seat in view["seats"]} == {
        seat: len(hand) for seat, hand in reveal["hands"].items()
    }
    assert hands_seen(alice, table_id, list(reveal["hands"])) == reveal["hands"]
    assert view["given"]["round"] == 2
    assert view["given"]["dice"] == {seat: len(hand) for seat, hand in reveal["hands"].items()}


def test_computers_sit_where_they_sat_and_every_other_seat_is_the_owners() -> None:
    people, past_id = a_played_match("computers", 1)
    before = {seat["seat"]: seat["player"] for seat in people[0].sees(past_id)["seats"]}
    table_id = practise_from(people[1], past_id, 1)

    for seat in people[1].sees(table_id)["seats"]:
        was = before[seat["seat"]]
        if was["kind"] == "computer":
            assert seat["player"] == was
        else:
            assert seat["player"]["id"] == people[1].id
        assert seat["client_seed"] == ""


def play_out(alice: Person, table_id: str, seed: int) -> Document:
    rng = random.Random(seed)
    while Table.objects.get(pk=table_id).status != "finished":
        row = present(table_id)[0].row
        if row.computer_due_at is not None:
            assert clockwork.run_computer(table_id=table_id, now=row.computer_due_at)
            continue
        view = alice.sees(table_id)
        seat = (
            view["round"]["turn"]
            if view["round"]
            else next(
                seat["seat"]
                for seat in view["seats"]
                if seat["dice"] and seat["player"]["kind"] != "computer"
            )
        )
        answer = alice.acts(table_id, view["version"], seat=seat, **a_move(view, rng))
        assert answer.status_code == 200, answer.content
        history.check(table_id)
    document: Document = alice.get(f"tables/{table_id}/archive").json()
    return document


@pytest.mark.parametrize(("kind", "seed"), [("computers", 0), ("people", 1), ("leavers", 2), ("people", 3)])
def test_it_is_played_out_archived_and_verified_without_its_first_round(kind: str, seed: int) -> None:
    alice, reveal, table_id = from_a_round(kind, seed, number=1)
    while not any(seat["player"]["kind"] != "computer" for seat in alice.sees(table_id)["seats"]):
        alice, reveal, table_id = from_a_round(kind, seed + 10, number=1)

    document = play_out(alice, table_id, seed)

    report = verify(document)
    outcomes = {check.name: check.outcome for check in report.checks}
    assert report.good, str(report)
    assert outcomes["opener"] == "not checked"
    assert outcomes["hands"] == ("good" if len(document["rounds"]) > 1 else "not checked")
    assert outcomes["chain"] == outcomes["replay"] == outcomes["ending"] == "good"
    assert document["rounds"][0]["hands"] == reveal["hands"]
    assert [e.message for e in Draft202012Validator(SCHEMA).iter_errors(document)] == []


def test_its_archive_stays_the_same_when_the_rows_are_gone_and_can_be_taken_elsewhere() -> None:
    alice, _, table_id = from_a_round(seed=4, number=1)
    document = play_out(alice, table_id, 4)

    assert prune(table_id)

    assert alice.get(f"tables/{table_id}/archive").json() == document
    line = alice.get(f"tables/{table_id}/archive").content
    Archive.objects.filter(pk=table_id).delete()
    Table.objects.filter(pk=table_id).delete()
    assert archiving.take_in(line=line)
    assert alice.get(f"tables/{table_id}/archive").content == line


def test_nobody_else_sees_its_hands_and_it_stands_in_no_list() -> None:
    _, _, table_id = from_a_round(seed=5)
    bob = a_guest("Bob")

    for person in (bob, nobody()):
        view = person.sees(table_id)
        assert view["round"]["hand"] is None
        assert view["viewer"] == {"role": "spectator", "seat": None}
        assert person.get(f"tables/{table_id}?as=0").status_code == 403
        assert table_id not in person.get("tables").content.decode()


def test_practice_from_a_private_match_is_private() -> None:
    people, past_id = a_played_match("people", 4, visibility="private")
    table_id = practise_from(people[0], past_id, 1)

    assert people[0].sees(table_id)["visibility"] == "private"
    assert people[1].get(f"tables/{table_id}").status_code == 404


def test_where_only_computers_were_in_the_opener_is_the_owners() -> None:
    document = a_document(
        lambda document: any(only_computers(document, reveal) for reveal in document["rounds"])
    )
    reveal = next(reveal for reveal in document["rounds"] if only_computers(document, reveal))
    alice = a_guest("Alice")
    table_id = practise_from(alice, take_in(document), reveal["number"])

    mine = [seat["seat"] for seat in alice.sees(table_id)["seats"] if seat["player"]["kind"] == "guest"]
    assert mine == [reveal["opener"]]


def only_computers(document: Document, reveal: Document) -> bool:
    kinds = {str(seat["seat"]): seat["player"]["kind"] for seat in document["table"]["seats"]}
    return {kinds[seat] for seat in reveal["hands"]} == {"computer"}


def test_a_palifico_round_is_one_again() -> None:
    document = a_document(lambda document: any(reveal["palifico"] for reveal in document["rounds"]))
    reveal = next(reveal for reveal in document["rounds"] if reveal["palifico"])
    alice = a_guest("Alice")
    table_id = practise_from(alice, take_in(document), reveal["number"])

    view = alice.sees(table_id)
    assert view["round"]["palifico"]
    assert view["given"]["palifico"]
    assert view["seats"][0]["dice"] == len(next(iter(reveal["hands"].values())))


def test_other_tables_have_no_word_of_hands_that_were_given() -> None:
    alice = a_guest("Alice")
    assert "given" not in alice.opens(mode="practice", rules={"seats": 2})
    assert "given" not in alice.opens(rules={"seats": 2})


def test_the_promises_of_the_database_stand() -> None:
    _, _, table_id = from_a_round(seed=0)
    assert Given.objects.filter(pk=table_id).count() == 1
    with pytest.raises(Exception, match="table_options_never_change"), connection.cursor() as cursor:
        cursor.execute("UPDATE games_table SET mode = 'casual' WHERE id = %s", [table_id])
