"""What a past match teaches, as figures: what must hold of any match, and one worked out by hand."""

from itertools import product
from typing import Any

import pytest

from games.analysis.chances import chances_after, chances_before
from games.analysis.decisions import situation_before
from games.analysis.match import add_round, analysed, begun, finished, own_decisions, weigh_round
from games.computers import endgame
from games.engine.moves import Bid, amount_of, bid_from, count_matching
from games.engine.rules import Rules, rules_of
from tests.verify.samples import a_club_match, a_document, documents

Analysed = dict[str, Any]

RULES = {"seats": 2, "starting_dice": 1, "exact": "off"}


def a_reveal(**changed: Any) -> dict[str, Any]:
    """Alice holds a three and bids one four; Bob holds a five and calls."""
    reveal = {
        "number": 1,
        "palifico": False,
        "opener": 0,
        "bids": [{"seat": 0, "quantity": 1, "face": 4, "at": "2026-01-01T10:00:00Z"}],
        "call": {"seat": 1, "type": "liar", "at": "2026-01-01T10:01:00Z"},
        "bid": {"seat": 0, "quantity": 1, "face": 4, "at": "2026-01-01T10:00:00Z"},
        "count": 0,
        "right": True,
        "hands": {"0": [3], "1": [5]},
        "changes": {"0": -1},
        "out": [0],
        "next_opener": None,
        "at": "2026-01-01T10:01:00Z",
    }
    return {**reveal, **changed}


def a_match(**changed: Any) -> dict[str, Any]:
    seats = [{"seat": seat, "player": {"id": name, "name": name}} for seat, name in enumerate(("a", "b"))]
    return {
        "table": {
            "rules": Rules(**RULES).document(),  # type: ignore[arg-type]
            "seats": seats,
            "result": {"winner": 1, "places": {"0": 2, "1": 1}, "drawn": False},
            **changed,
        },
        "rounds": [a_reveal()],
        "events": [],
    }


def test_a_match_of_one_round_worked_out_by_hand() -> None:
    match = analysed(a_match())
    opening, call = match["rounds"][0]["decisions"]

    # The opener wins 17 matches of 36 where both play well.
    assert match["chances"] == [[0.4722, 0.5278], [0.0, 1.0]]
    # Alice saw no four of her own: the other die is a four or a wild one, two faces of six.
    assert (opening["held"], opening["needed"], opening["hidden"]) == (0, 1, 1)
    assert opening["true"] == pytest.approx(1 / 3, abs=1e-4)
    # Bob saw the same, and what Alice bid made a four of hers likelier.
    assert call["true"] == pytest.approx(1 / 3, abs=1e-4)
    assert call["told"] > call["true"]
    # What is not one's own moves is luck: together they are the way from 0.4722 to 0, and from 0.5278 to 1.
    for seat, change in (("0", -0.4722), ("1", 0.4722)):
        player = match["players"][seat]
        assert player["skill"] + player["luck"] == pytest.approx(change, abs=2e-4)
    assert match["turns"] == [
        {"round": 1, "move": match["turns"][0]["move"], "costly": match["turns"][0]["costly"], "seat": 0}
        | {"before": 0.4722, "after": 0.0}
    ]


def test_chances_of_two_with_one_die_are_those_of_the_endgame() -> None:
    for exact, opener in product(("off", "others_lose"), (0, 1)):
        rules = Rules(seats=2, starting_dice=1, exact=exact)  # type: ignore[arg-type]
        known = endgame.value(rules, mine=1, theirs=1, i_open=opener == 0)
        assert known is not None
        assert chances_before(rules, a_reveal(opener=opener), (0, 1)) == pytest.approx(
            {0: known, 1: 1 - known}
        )


def test_what_holds_of_every_analysis() -> None:
    for document in list(documents())[:60]:
        match = analysed(document)
        for row in match["chances"]:
            assert sum(row) == pytest.approx(1, abs=1e-3)
        for decision in (decision for round in match["rounds"] for decision in round["decisions"]):
            assert decision["cost"] >= 0
            assert sum(share for _, share in decision["mix"]) == pytest.approx(1, abs=5e-3)
            for chance in ("true", "told", "exactly"):
                assert 0 <= decision[chance] <= 1
        for player in match["players"].values():
            assert player["skill"] <= 0


def test_the_same_match_gives_the_same_analysis_in_however_many_sittings() -> None:
    document = a_club_match()
    at_once = analysed(document)
    frame = {name: value for name, value in document.items() if name != "rounds"}
    so_far = begun(frame)
    for reveal in document["rounds"]:
        so_far = add_round(frame, so_far, reveal, weigh_round(rules_of(document["table"]), reveal))

    assert {**finished(frame, so_far), "rounds": at_once["rounds"]} == at_once
    assert analysed(document) == at_once


def test_a_chance_is_judged_from_one_chair_and_no_other_hand() -> None:
    document = a_club_match()
    reveal, rules = document["rounds"][0], rules_of(document["table"])
    for move in range(1, len(reveal["bids"]) + 2):
        situation = situation_before(rules, reveal, move)
        others = {seat: [6] * len(hand) for seat, hand in reveal["hands"].items()}
        others[str(situation.seat)] = list(situation.hand)

        assert (
            weigh_round(rules, {**reveal, "hands": others})[move - 1] == weigh_round(rules, reveal)[move - 1]
        )


def test_the_chances_after_a_round_are_those_before_the_next() -> None:
    document = a_document(
        lambda document: len(document["rounds"]) > 5 and not document["table"]["rules"]["palifico"]
    )
    rules, seats = rules_of(document["table"]), [seat["seat"] for seat in document["table"]["seats"]]
    for reveal, following in zip(document["rounds"], document["rounds"][1:], strict=False):
        assert chances_after(rules, reveal, seats) == chances_before(rules, following, seats)


def test_a_mirror_counts_what_lay_under_the_cups() -> None:
    document = a_club_match()
    rules, mirrors = rules_of(document["table"]), analysed(document)["mirrors"]
    bids = [(reveal, bid) for reveal in document["rounds"] for bid in reveal["bids"] if bid["seat"] == 1]
    calls = [reveal for reveal in document["rounds"] if reveal["call"]["seat"] == 1]

    def good(reveal: Any, bid: Bid) -> bool:
        return count_matching(rules, bid, reveal["hands"].values(), palifico=False) >= amount_of(bid)

    counted = [(where.split()[0], numbers) for where, numbers in mirrors["1"].items()]
    assert sum(numbers[0] for kind, numbers in counted if kind == "bid") == len(bids)
    assert sum(numbers[1] for kind, numbers in counted if kind == "bid") == sum(
        good(reveal, bid_from(bid)) for reveal, bid in bids
    )
    assert sum(numbers[0] for kind, numbers in counted if kind != "bid") == len(calls)
    assert sum(numbers[1] for kind, numbers in counted if kind != "bid") == sum(
        reveal["right"] for reveal in calls
    )


def test_what_a_computer_did_in_somebodys_place_is_not_theirs() -> None:
    reveal = a_reveal()
    at = reveal["bids"][0]["at"]
    struck = [{"kind": "strike", "seat": 0, "at": at, "strikes": 1}]
    left = [{"kind": "left", "seat": 1, "at": at}]

    assert own_decisions([], reveal) == [1, 2]
    assert own_decisions(struck, reveal) == [2]
    assert own_decisions(left, reveal) == [1]
    assert "1" not in analysed({**a_match(), "events": left})["players"]
