"""What review teaches: the worth of every step, and how the chances went, for whoever may be told."""

import html
import random
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import tasks
from games.analysis.decisions import decisions_in
from games.commands import analysing
from games.models import Analysis
from games.web.graph import graph_of
from games.web.words import names_of
from games.web.worth import worth_words
from tests.archives.matches import a_begun_match, a_played_match, a_step, prune
from tests.verify.samples import a_club_match, a_draw
from tests.web.pasts import a_past_match, take_in
from tests.web.test_review import as_guest, page_at

pytestmark = pytest.mark.django_db


def work_out(table_id: str) -> None:
    while analysing.analyse_table(table_id=table_id):
        pass


def panel_of(page: str) -> str:
    found = re.findall(r'<div data-part="worth">(.*?)<section data-part="history">', page, re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


def test_a_bid_is_weighed_from_the_chair_of_who_made_it() -> None:
    document = a_club_match()
    table_id = take_in(document)
    work_out(table_id)
    name = names_of(document["table"])[1]

    told = panel_of(page_at(f"/tables/{table_id}/review/6/2"))

    assert f"70 % likely to be true, from {name}’s chair" in told
    assert f"{name} held two sixes and three wild ones. Six more were needed among 20 unseen dice" in told
    assert "The bids so far made it likelier: 77 %." in told
    assert "Hard would most often have bid nine sixes, and hardly ever this." in told
    assert f"It cost {name} about one chance in a hundred to win the match." in told


def test_a_call_is_weighed_by_what_was_called() -> None:
    document = a_club_match()
    table_id = take_in(document)

    told = panel_of(page_at(f"/tables/{table_id}/review/6"))

    assert "9 % likely to be true, from Carol’s chair" in told
    assert "Hard would have done the same." in told


def test_another_chair_weighs_the_bid_with_its_own_dice_and_tells_nothing_of_the_bidders() -> None:
    document = a_club_match()
    table_id = take_in(document)

    told = panel_of(page_at(f"/tables/{table_id}/review/6/2?chair=2"))

    assert "9 % likely to be true, from Carol’s chair" in told
    assert "Carol held a six. Ten more were needed among 20 unseen dice" in told
    assert "Bob held" not in told
    assert "Hard" not in told.split("Winning chances")[0]


def test_until_it_is_worked_out_the_page_says_so_and_weighs_the_step_anyway() -> None:
    table_id = take_in(a_club_match())
    path = f"/tables/{table_id}/review/6/2"
    before = page_at(path)

    assert "still being worked out" in before
    assert "70 % likely to be true" in panel_of(before)
    assert Client().get(f"/tables/{table_id}/review/chances").status_code == 404
    work_out(table_id)
    after = page_at(path)
    assert "still being worked out" not in after
    assert panel_of(after).split("Winning chances")[0] in panel_of(before)
    assert Client().get(f"/tables/{table_id}/review/chances").status_code == 200


def test_the_picture_has_a_line_for_each_seat_and_the_table_every_figure() -> None:
    document = a_club_match()
    table_id = take_in(document)
    work_out(table_id)

    page = page_at(f"/tables/{table_id}/review/6")
    figures = page_at(f"/tables/{table_id}/review/chances")

    assert len(re.findall(r'<polyline class="curve"', page)) == 6
    assert len(re.findall(r"<tr><th", figures)) == len(document["rounds"]) + 2  # with its head, and the start
    assert "<td>100</td>" in figures
    for name in names_of(document["table"]).values():
        assert f">{name}</text>" in page
        assert f'<th scope="col">{name}</th>' in figures


def test_turning_points_lead_to_their_steps() -> None:
    document = a_club_match()
    table_id = take_in(document)
    work_out(table_id)
    page = page_at(f"/tables/{table_id}/review/1")

    found = re.findall(r'<a href="([^"]+)">Round (\d+), ([^<]+)</a>', page)

    assert [int(number) for _, number, _ in found] == sorted(int(number) for _, number, _ in found)
    assert len(found) == 4
    for path, number, _ in found:
        assert f"Round {number}, move" in page_at(path)


def test_while_a_match_goes_on_each_is_told_of_their_own_decisions_alone() -> None:
    rng = random.Random(3)
    people, table_id = a_begun_match("people", rng)
    while not (view := people[0].sees(table_id))["reveal"]:
        a_step("people", people, table_id, rng)
    moves = decisions_in(view["reveal"])
    by_seat = {seat["seat"]: seat["player"]["id"] for seat in view["seats"]}
    placed = [*view["reveal"]["bids"], view["reveal"]["call"]]

    for person in people:
        for move in range(1, moves + 1):
            page = page_at(f"/tables/{table_id}/review/1/{move}", as_guest(person.id))
            own = by_seat[placed[move - 1]["seat"]] == person.id
            assert ("What the bid was worth" in page) == own
            assert "Winning chances" not in page
    assert "What the bid was worth" not in page_at(f"/tables/{table_id}/review/1/1")


def test_a_private_match_is_taught_to_those_who_sat_there_alone() -> None:
    people, table_id = a_played_match("people", 4, visibility="private")
    tasks.archive_table(table_id)
    work_out(table_id)

    assert Client().get(f"/tables/{table_id}/review/chances").status_code == 404
    assert as_guest(people[1].id).get(f"/tables/{table_id}/review/chances").status_code == 200


def test_what_was_worked_out_stays_when_the_rows_go() -> None:
    _, table_id = a_played_match("computers", 6)
    tasks.archive_table(table_id)
    work_out(table_id)
    before = panel_of(page_at(f"/tables/{table_id}/review/2"))

    assert prune(table_id)

    assert panel_of(page_at(f"/tables/{table_id}/review/2")) == before


def test_the_panel_costs_one_statement() -> None:
    table_id = take_in(a_club_match())
    path = f"/tables/{table_id}/review/6/2"

    def statements() -> int:
        with CaptureQueriesContext(connection) as caught:
            page_at(path)
        return len(caught)

    without = statements()
    work_out(table_id)
    assert statements() == without
    Analysis.objects.all().delete()
    assert statements() <= 6


def test_a_picture_of_a_very_long_match_stays_small() -> None:
    match: dict[str, Any] = {"seats": [0, 1], "chances": [[0.5, 0.5]] * 1000}

    drawn = graph_of(match, {0: "Alice", 1: "Bob"}, 0, 500)

    assert all(len(curve.points.split()) <= 121 for curve in drawn["curves"])
    assert [curve.mine for curve in drawn["curves"]] == [False, True]
    table_id = take_in(a_draw())
    while analysing.analyse_table(table_id=table_id, most=1000):
        pass
    assert len(page_at(f"/tables/{table_id}/review/500")) < 40_000


def test_words_fit_what_was_asked_of_the_cups() -> None:
    document = a_past_match(lambda document: bool(document["rounds"]))
    reveal, table = document["rounds"][0], document["table"]
    seat = reveal["call"]["seat"]
    decision = {
        "seat": seat,
        "move": {"call": "exact"},
        "held": 2,
        "hidden": 3,
        "needed": 0,
        "expected": 1.0,
        "true": 1.0,
        "told": 1.0,
        "exactly": 0.3,
        "mix": [[{"call": "liar"}, 0.7], [{"call": "exact"}, 0.3]],
        "cost": 0.123,
    }
    reveal = {**reveal, "bid": {"seat": 0, "quantity": 1, "face": 6}}

    told = worth_words(
        {**table, "rules": {**table["rules"], "bidding": "faces"}}, reveal, decision, names_of(table), seat
    )

    assert told["likely"] == "likely to be exactly right, from your chair"
    assert ", which was more than that already." in told["words"]
    assert "Hard would have done the same one time in three, and called liar otherwise." in told["words"]
    assert told["words"].endswith("It cost you about twelve chances in a hundred to win the match.")
