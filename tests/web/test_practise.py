"""The key that opens a past round again as practice: for whoever may read of it, and for nobody else."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.test import Client

from games.models import Table
from tests.archives.matches import a_played_match, forget_everything
from tests.people import Person, nobody
from tests.verify.samples import documents
from tests.web.pasts import a_past_match, take_in
from tests.web.test_review import as_guest, page_at

pytestmark = pytest.mark.django_db


def test_somebody_new_becomes_a_guest_and_sits_at_the_hands_of_that_round() -> None:
    document = a_past_match()
    client = Client()

    answer = client.post(f"/tables/{document['table']['id']}/review/1/practise")

    assert answer.status_code == 302
    page = page_at(answer["Location"], client)
    assert "Round 1 was not rolled here" in page
    assert f'href="/tables/{document["table"]["id"]}/review/1"' in page
    table = Table.objects.get(pk=answer["Location"].rpartition("/")[2])
    assert (table.mode, table.visibility, table.status) == ("practice", "unlisted", "bidding")
    assert table.name == f"{document['table']['name']}, round 1"


def people_and_their_match() -> tuple[list[Person], str, dict[int, set[int]]]:
    """Three people, a match of theirs that is over, and the seats that were in, by round."""
    people, table_id = a_played_match("people", 4)
    rounds = nobody().get(f"tables/{table_id}/rounds").json()["results"]
    return people, table_id, {each["number"]: {int(seat) for seat in each["hands"]} for each in rounds}


def practice_line(client: Client, table_id: str, number: int, chair: str = "") -> str:
    answer = client.post(f"/tables/{table_id}/review/{number}/practise")
    found = re.search(r"<summary>(Practice.*?)</summary>", page_at(answer["Location"] + chair, client))
    assert found
    return unescape(found[1])


def test_who_was_out_reads_on_whose_chair_they_practise() -> None:
    people, table_id, seats_in = people_and_their_match()
    last = max(seats_in)
    (out,) = {0, 1, 2} - seats_in[last]
    opener = nobody().get(f"tables/{table_id}/rounds/{last}").json()["opener"]

    line = practice_line(as_guest(people[out].id), table_id, last)

    assert line == f"Practice on {people[opener].name}’s chair: you were out."


def test_who_was_in_reads_which_chair_is_their_own() -> None:
    people, table_id, seats_in = people_and_their_match()
    assert seats_in[1] == {0, 1, 2}
    alice = as_guest(people[0].id)

    assert practice_line(alice, table_id, 1, "?as=0") == "Practice on your own chair."
    assert practice_line(alice, table_id, 1, "?as=2") == "Practice on Carol’s chair; yours is Alice 1."


def test_who_never_played_there_reads_whose_chair_it_is() -> None:
    _, table_id, _ = people_and_their_match()

    line = practice_line(Client(), table_id, 1, "?as=1")

    assert line == "Practice on Bob’s chair: you did not play."


def test_practice_from_practice_or_from_what_is_gone_says_no_more_than_it_knows() -> None:
    people, table_id, _ = people_and_their_match()
    alice = as_guest(people[0].id)
    first = alice.post(f"/tables/{table_id}/review/1/practise")["Location"]
    forget_everything(table_id)

    assert "Practice: look from any chair, nothing counts." in page_at(first, alice)
    owners, practised = a_played_match("practice", 1)
    line = practice_line(as_guest(owners[0].id), practised, 1)
    assert line == "Practice: look from any chair, nothing counts."


def test_who_watches_reads_that_one_person_plays() -> None:
    _, table_id, _ = people_and_their_match()
    practice = Client().post(f"/tables/{table_id}/review/1/practise")["Location"]

    page = page_at(practice)

    assert "Practice: one person plays every seat here." in page
    assert "Round 1 was not rolled here" in page
    assert "Bob’s" not in page


def test_the_review_of_a_round_offers_it() -> None:
    table_id = a_past_match()["table"]["id"]
    assert f'action="/tables/{table_id}/review/2/practise"' in page_at(f"/tables/{table_id}/review/2")


def test_every_round_of_every_match_can_be_practised() -> None:
    client = Client()
    for document in list(documents())[:25]:
        table_id = take_in(document)
        for reveal in document["rounds"][:3]:
            answer = client.post(f"/tables/{table_id}/review/{reveal['number']}/practise")
            assert answer.status_code == 302
            assert client.get(answer["Location"]).status_code == 200


def test_what_may_not_be_read_cannot_be_practised() -> None:
    people, table_id = a_played_match("people", 4, visibility="private")
    assert Client().post(f"/tables/{table_id}/review/1/practise").status_code == 404
    mine = as_guest(people[0].id).post(f"/tables/{table_id}/review/1/practise")
    assert mine.status_code == 302
    assert Client().get(mine["Location"]).status_code == 404
    assert Client().post(f"/tables/{table_id}/review/99/practise").status_code == 404
    assert Client().post("/tables/nowhere/review/1/practise").status_code == 404


def test_it_takes_a_post_of_this_site() -> None:
    table_id = a_past_match()["table"]["id"]
    assert Client().get(f"/tables/{table_id}/review/1/practise").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"/tables/{table_id}/review/1/practise").status_code == 403


def test_too_many_are_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.throttling import SimpleRateThrottle

    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "tables": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    monkeypatch.setattr(settings, "THROTTLE_LOOPBACK", True)
    table_id = a_past_match()["table"]["id"]
    client = Client()
    for _ in range(30):
        answer = client.post(f"/tables/{table_id}/review/1/practise")
    assert answer["Location"] == f"/tables/{table_id}/review/1"
    assert "wait a little" in client.get(answer["Location"]).content.decode()
    assert Table.objects.count() < 30
