"""Review: every revealed round, step by step, through every chair; pages that work without script."""

import html
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.web.review import tabs
from games.web.words import bid_words, names_of, reveal_sentence, substitutes_of
from tests.archives.matches import a_begun_match, a_played_match, a_step, prune
from tests.people import a_guest, nobody
from tests.verify.samples import a_club_match, a_draw, documents
from tests.web.pasts import a_past_match, take_in

pytestmark = pytest.mark.django_db


def page_at(path: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def words_of(page: str) -> str:
    return html.unescape(re.findall(r'id="step-words"[^>]*>(.*?)</h2>', page)[0])


def dice_of(page: str) -> list[list[str]]:
    """The dice of each row of the ledger, as they are drawn."""
    rows = re.findall(r'<span class="hand">(.*?)</span></td>', page, re.DOTALL)
    return [re.findall(r'href="#(f\w+)"', row) for row in rows]


def test_every_step_of_every_round_can_be_looked_at_through_every_chair() -> None:
    for document in list(documents())[:12]:
        if not document["rounds"]:
            continue
        table_id = take_in(document)
        for reveal in document["rounds"][:4]:
            moves = len(reveal["bids"]) + 1
            for move in {1, moves - 1, moves}:
                for chair in ("", "?chair=0", "?chair=5"):
                    page = page_at(f"/tables/{table_id}/review/{reveal['number']}/{move}{chair}")
                    assert f"Round {reveal['number']}, move {move} of {moves}" in page


def test_the_end_of_a_round_shows_every_hand_and_tells_what_the_call_brought() -> None:
    document = a_past_match(lambda document: document["table"]["mode"] == "casual")
    table, reveal = document["table"], document["rounds"][1]

    page = page_at(f"/tables/{table['id']}/review/2")

    told = reveal_sentence(
        reveal, names_of(table), None, rules=table["rules"], substitutes=substitutes_of(table)
    )
    assert words_of(page) == told
    order = sorted(reveal["hands"], key=lambda seat: (int(seat) < reveal["opener"], int(seat)))
    faces = [[int(die[1]) for die in row] for row in dice_of(page)]
    assert faces == [reveal["hands"][seat] for seat in order]


def test_what_counts_is_numbered_up_to_the_count() -> None:
    document = a_past_match(
        lambda document: (
            document["table"]["rules"]["bidding"] == "faces"
            and any(reveal["count"] > 4 for reveal in document["rounds"])
        )
    )
    reveal = next(reveal for reveal in document["rounds"] if reveal["count"] > 4)

    page = page_at(f"/tables/{document['table']['id']}/review/{reveal['number']}")

    counted = re.findall(r'class="counted">.*?<b>(\d+)</b>', page, re.DOTALL)
    assert [int(number) for number in counted] == list(range(1, reveal["count"] + 1))
    assert f"<strong>{reveal['count']}</strong>" in page


def test_totals_are_summed_up_die_by_die() -> None:
    document = a_past_match(lambda document: document["table"]["rules"]["bidding"] == "sum")
    reveal = document["rounds"][0]

    page = page_at(f"/tables/{document['table']['id']}/review/1")

    counted = [int(number) for number in re.findall(r'class="counted">.*?<b>(\d+)</b>', page, re.DOTALL)]
    assert counted == sorted(counted)
    assert counted[-1] == reveal["count"]


def test_a_chair_sees_its_own_hand_and_nothing_else() -> None:
    document = a_past_match(lambda document: len(document["rounds"][0]["hands"]) > 2)
    reveal = document["rounds"][0]
    for seat, hand in reveal["hands"].items():
        for move in range(1, len(reveal["bids"]) + 2):
            page = page_at(f"/tables/{document['table']['id']}/review/1/{move}?chair={seat}")

            faces = [row for row in dice_of(page) if set(row) != {"fx"}]
            assert [[int(die[1]) for die in row] for row in faces] == [hand]
            assert sum(len(row) for row in dice_of(page)) == sum(map(len, reveal["hands"].values()))
            assert "there were" not in words_of(page).lower()


def test_steps_follow_one_another_through_the_whole_match_and_back_without_script() -> None:
    document = a_past_match()
    table_id = document["table"]["id"]
    steps = [
        (reveal["number"], move)
        for reveal in document["rounds"]
        for move in range(1, len(reveal["bids"]) + 2)
    ]

    assert list(walked(f"/tables/{table_id}/review/1/1?chair=1", "next")) == steps
    assert list(walked(f"/tables/{table_id}/review?chair=1", "prev")) == steps[::-1]


def walked(path: str, way: str) -> Iterator[tuple[int, int]]:
    while path:
        page = page_at(path)
        number, move = map(int, re.findall(r"Round (\d+), move (\d+) of", page)[0])
        yield number, move
        found = re.findall(rf'href="([^"]+)" rel="{way}"', page)
        path = html.unescape(found[0]) if found else ""
        assert not path or path.endswith("?chair=1")


def test_what_was_not_revealed_is_not_there() -> None:
    document = a_past_match()
    table_id, rounds = document["table"]["id"], len(document["rounds"])
    moves = len(document["rounds"][0]["bids"]) + 1
    for path in ("0", str(rounds + 1), "10" * 40, "1/0", f"1/{moves + 1}", "x", "1/x", "1/1/1"):
        assert Client().get(f"/tables/{table_id}/review/{path}").status_code == 404, path
    assert Client().get("/tables/nowhere/review").status_code == 404
    assert Client().get("/tables/a\0b/review/1").status_code == 404


@pytest.mark.parametrize("chair", ["-1", "6", "x", "", "1" * 5000, "\0", "٣"])
def test_a_chair_that_is_none_shows_everyone(chair: str) -> None:
    table_id = a_past_match()["table"]["id"]
    answer = Client().get(f"/tables/{table_id}/review/1", {"chair": chair})

    assert answer.status_code == 200
    assert 'aria-current="true">Everyone' in answer.content.decode()


def test_the_live_round_of_a_running_table_stays_closed() -> None:
    rng = random.Random(3)
    people, table_id = a_begun_match("people", rng)
    while True:
        a_step("people", people, table_id, rng)
        view = people[0].sees(table_id)
        if view["round"] and view["round"]["number"] == 2 and view["round"]["bids"]:
            break

    page = page_at(f"/tables/{table_id}/review")

    assert "Round 1, move" in page
    assert "Being played: one round so far." in page
    assert Client().get(f"/tables/{table_id}/review/2").status_code == 404


def test_a_table_without_a_reveal_says_so() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens(rules={"seats": 2})["id"]
    assert "No cup of this match has been lifted" in page_at(f"/tables/{table_id}/review")
    bob.sits(table_id)
    assert "No cup of this match has been lifted" in page_at(f"/tables/{table_id}/review")
    assert Client().get(f"/tables/{table_id}/review/1").status_code == 404


def test_a_private_table_is_reviewed_by_those_who_sat_there_alone() -> None:
    people, table_id = a_played_match("people", 4, visibility="private")

    assert Client().get(f"/tables/{table_id}/review").status_code == 404
    assert Client().get(f"/tables/{table_id}/review/1/1").status_code == 404
    carol = as_guest(people[1].id)
    assert "You" in page_at(f"/tables/{table_id}/review/1", carol)


def as_guest(player_id: str) -> Client:
    """A browser whose session remembers this guest."""
    client = Client()
    session = client.session
    session["guest"] = player_id
    session.save()
    return client


def test_the_reader_is_told_of_themselves_as_you() -> None:
    people, table_id = a_played_match("people", 5)
    seats = people[0].sees(table_id)["seats"]
    alice = next(person for person in people if person.id == seats[0]["player"]["id"])

    mine = part_of(f"/tables/{table_id}/review/1", as_guest(alice.id))

    assert "<b>You</b>" in mine
    assert "Alice" not in mine
    assert "<b>Alice</b>" in part_of(f"/tables/{table_id}/review/1")


def test_a_match_reads_the_same_when_its_rows_are_gone() -> None:
    _, table_id = a_played_match("computers", 6)
    paths = [f"/tables/{table_id}/review/{number}" for number in (1, 2, 3)]
    before = [part_of(path) for path in paths]

    assert prune(table_id)

    assert [part_of(path) for path in paths] == before


def part_of(path: str, client: Client | None = None) -> str:
    part = (client or Client()).get(path, headers={"X-Part": "review"}).content.decode()
    return re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"', "", part)


def test_script_asks_for_what_changes_alone() -> None:
    table_id = a_past_match()["table"]["id"]
    whole = Client().get(f"/tables/{table_id}/review/1/1")
    part = Client().get(f"/tables/{table_id}/review/1/1", headers={"X-Part": "review"})

    assert "X-Part" in whole["Vary"]
    assert "X-Part" in part["Vary"]
    assert "<html" not in part.content.decode()
    for name in re.findall(r'data-part="(\w+)"', whole.content.decode()):
        assert f'data-part="{name}"' in part.content.decode()


def statements(path: str, client: Client | None = None) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert (client or Client()).get(path).status_code == 200
    return len(caught)


def test_a_page_costs_no_more_late_in_a_long_match() -> None:
    table_id = take_in(a_draw())
    people, live_id = a_played_match("people", 7)

    long = {statements(f"/tables/{table_id}/review/{number}") for number in (1, 500, 998)}
    short = {statements(f"/tables/{live_id}/review/{number}") for number in (1, 2)}

    assert max(long) <= 6, long
    assert max(short) <= 6, short
    guest = as_guest(people[0].id)
    page_at("/", guest)  # once a day the session is renewed
    assert statements(f"/tables/{live_id}/review/1", guest) <= 9
    page = page_at(f"/tables/{table_id}/review/500")
    assert page.count("<li>") < 80
    assert len(page) < 40_000


def test_a_long_match_has_tabs_for_its_ends_and_for_the_neighbours() -> None:
    assert tabs(3, 25) == list(range(1, 26))
    assert tabs(1, 999) == [*range(1, 14), None, 999]
    assert tabs(14, 999) == [1, *range(2, 27), None, 999]
    assert tabs(500, 999) == [1, None, *range(488, 513), None, 999]
    assert tabs(986, 999) == [1, None, *range(974, 1000)]


def test_the_head_tells_how_it_ended() -> None:
    document = a_club_match()
    table_id = take_in(document)
    winner = names_of(document["table"])[document["table"]["result"]["winner"]]

    page = page_at(f"/tables/{table_id}/review/1")

    assert f"{winner} won on 1 January 2026, after {len(document['rounds'])} rounds." in page
    places = re.findall(r'<span class="unseen">(\d): </span>([^<]+)<', page)
    assert places[0] == ("1", winner)
    assert len(places) == 6


def test_names_and_titles_of_people_are_never_markup() -> None:
    document = a_past_match(name="<script>alert(1)</script>")
    page = page_at(f"/tables/{document['table']['id']}/review/1")

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_every_bid_of_the_round_is_told_and_linked() -> None:
    document = a_past_match()
    table_id, reveal = document["table"]["id"], document["rounds"][0]

    page = page_at(f"/tables/{table_id}/review/1")

    listed = re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a><small>', page)
    assert [path for path, _ in listed] == [
        f"/tables/{table_id}/review/1/{move}" for move in range(1, len(reveal["bids"]) + 2)
    ]
    for bid, (_, words) in zip(reveal["bids"], listed, strict=False):
        assert html.unescape(words).endswith(f"{bid_words(bid)}.")


def test_review_changes_nothing() -> None:
    table_id = a_past_match()["table"]["id"]
    for path in ("", "/1", "/1/1"):
        assert Client().post(f"/tables/{table_id}/review{path}").status_code == 405
    assert set(nobody().client.get(f"/tables/{table_id}/review").cookies) == {"csrftoken"}


def test_the_document_that_is_linked_is_the_archive() -> None:
    document: dict[str, Any] = a_past_match()
    page = page_at(f"/tables/{document['table']['id']}/review")

    (path,) = set(re.findall(r'href="([^"]+)" download=', page))

    assert json.loads(Client().get(path).content) == document
