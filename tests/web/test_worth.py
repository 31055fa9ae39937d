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
from tests.web.pasts import take_in
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
    assert "Hard would" in told


def test_a_call_is_weighed_by_what_was_called() -> None:
    document = a_club_match()
    table_id = take_in(document)

    told = panel_of(page_at(f"/tables/{table_id}/review/6"))

    assert "9 % likely to be true, from Carol’s chair" in told
    assert "Carol held a six. Ten more were needed among 20 unseen dice" in told


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
    assert 1 <= len(found) <= 4
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
    tasks.archive_tables([table_id])
    work_out(table_id)

    assert Client().get(f"/tables/{table_id}/review/chances").status_code == 404
    assert as_guest(people[1].id).get(f"/tables/{table_id}/review/chances").status_code == 200


def test_what_was_worked_out_stays_when_the_rows_go() -> None:
    _, table_id = a_played_match("computers", 6)
    tasks.archive_tables([table_id])
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


def a_decision(**changed: Any) -> dict[str, Any]:
    """Bob, who held five sixes with wild ones, raised to eleven sixes; Hard raises so two times in three."""
    bid, other = {"quantity": 11, "face": 6}, {"quantity": 9, "face": 5}
    return {
        "seat": 1,
        "move": bid,
        "held": 5,
        "hidden": 20,
        "needed": 6,
        "expected": 6.67,
        "true": 0.7028,
        "told": 0.71,
        "exactly": 0.1821,
        "mix": [[bid, 0.65], [other, 0.35]],
        "cost": 0.001,
        **changed,
    }


def told_of(decision: dict[str, Any], you: int | None = None) -> dict[str, Any]:
    document = a_club_match()
    return worth_words(document["table"], document["rounds"][5], decision, names_of(document["table"]), you)


def test_a_decision_reads_like_a_sentence() -> None:
    told = told_of(a_decision())

    assert told["figure"] == "70"
    assert told["words"] == (
        "Bob held two sixes and three wild ones. Six more were needed among 20 unseen dice; 6.7 were to be "
        "expected. Hard would have bid the same two times in three, and bid nine fives otherwise."
    )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"told": 0.79}, "The bids so far made it likelier: 79 %."),
        ({"told": 0.6}, "The bids so far made it less likely: 60 %."),
        ({"mix": [[{"quantity": 11, "face": 6}, 1.0]]}, "Hard would have done the same."),
        ({"mix": [[{"call": "liar"}, 1.0]]}, "Hard would have called liar."),
        (
            {"mix": [[{"call": "exact"}, 0.6], [{"call": "liar"}, 0.4]]},
            "Hard would most often have said spot on, and hardly ever this.",
        ),
        (
            {
                "mix": [
                    [{"quantity": 11, "face": 6}, 0.4],
                    [{"call": "liar"}, 0.3],
                    [{"quantity": 12, "face": 6}, 0.3],
                ]
            },
            "Hard would have bid the same two times in five, and otherwise most often called liar.",
        ),
        ({"cost": 0.123}, "It cost you about twelve chances in a hundred to win the match."),
        ({"cost": 0.01}, "It cost you about one chance in a hundred to win the match."),
        ({"needed": 0}, "three wild ones, which was enough, whatever the others held."),
        ({"needed": 21}, "21 more were needed among 20 unseen dice: that could not be."),
    ],
)
def test_words_fit_the_figures(changed: dict[str, Any], words: str) -> None:
    assert words in told_of(a_decision(**changed), you=1)["words"]


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (12, ", which was more than that already."),
        (11, ". The 20 unseen dice were to bring none; 6.7 were to be expected."),
        (10, ". Exactly one more had to come of 20 unseen dice; 6.7 were to be expected."),
    ],
)
def test_spot_on_is_held_against_just_so_many(held: int, words: str) -> None:
    told = told_of(a_decision(move={"call": "exact"}, held=held, mix=[[{"call": "exact"}, 1.0]]), you=1)

    assert told["likely"] == "likely to be exactly right, from your chair"
    assert told["figure"] == "18"
    assert words in told["words"]
