"""The odds helper, from the views that the site really gives, against every way the unseen dice can lie."""

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.template.loader import render_to_string

from games.engine.moves import bid_from, count_matching
from games.engine.rules import Rules
from games.web.odds import all_odds, figure, may_help, odds_of
from tests.people import a_guest
from tests.tables import a_match, a_move

SMALL: list[dict[str, Any]] = [
    {"ones": "aces", "open_on_ones": True, "exact": "off"},
    {"ones": "wild", "exact": "off"},
    {"ones": "low", "exact": "off"},
    {"ones": "straight", "exact": "off"},
    {"ones": "aces", "palifico": True, "exact": "off"},
    {"bidding": "sum", "ones": "straight", "exact": "off"},
]


def views(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What whoever is to move sees, through a match of three people with two dice each."""
    people = [a_guest(name) for name in ("Alice", "Bob", "Carol")]
    rng = random.Random(7)
    table = a_match(*people, rules={**rules, "starting_dice": 2})
    for _ in range(60):
        if table["status"] == "finished":
            return
        seat = table["round"]["turn"] if table["round"] else table["reveal"]["next_opener"]
        mine = people[seat].sees(table["id"])
        if mine["round"]:
            yield mine
        table = people[seat].acts(mine["id"], mine["version"], **a_move(mine, rng)).json()


def bids_of(view: dict[str, Any]) -> list[dict[str, int]]:
    bids = []
    for face, (lowest, highest) in view["legal"]["bids"].items():
        for amount in range(lowest, highest + 1):
            bids.append({"total": amount} if face == "total" else {"quantity": amount, "face": int(face)})
    return bids


@pytest.mark.django_db
@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: "-".join(map(str, rules.values())))
def test_every_legal_bid_is_weighed_by_all_ways_the_unseen_dice_can_lie(rules: dict[str, Any]) -> None:
    palificos = 0
    for view in views(rules):
        round = view["round"]
        palificos += round["palifico"]
        hidden = round["dice_in_play"] - len(round["hand"])
        found = all_odds(view)

        assert [
            {name: each[name] for name in ("quantity", "face", "total") if name in each} for each in found
        ] == bids_of(view)
        for each in found:
            bid = bid_from(each)
            counts = [
                count_matching(
                    Rules(**view["rules"]), bid, [round["hand"], others], palifico=round["palifico"]
                )
                for others in product(range(1, 7), repeat=hidden)
            ]
            amount = each.get("total", each.get("quantity"))
            chance = sum(1 for count in counts if count >= amount) / len(counts)
            assert each["percent"] == pytest.approx(100 * chance, abs=0.051)
            assert each["figure"] == figure(chance)
    assert palificos > 0 or not rules.get("palifico")


def view(hand: list[int] | None, dice_in_play: int, **changed: Any) -> dict[str, Any]:
    """A view as far as the helper looks at it."""
    options = {name: changed.pop(name) for name in ("ones", "bidding") if name in changed}
    return {
        "mode": "casual",
        "rules": Rules(**options).document(),
        "round": {"hand": hand, "dice_in_play": dice_in_play, "palifico": False, **changed},
        "legal": None,
    }


@pytest.mark.parametrize(
    ("seen", "amount", "face", "words"),
    [
        (
            view([1, 4, 4, 6], 23),
            8,
            4,
            "You hold three. Of the 19 dice you cannot see, five more are needed; 6.3 are to be expected.",
        ),
        (
            view([1, 4, 4, 6], 23, palifico=True),
            3,
            4,
            "You hold two. Of the 19 dice you cannot see, one more is needed; 3.2 are to be expected.",
        ),
        (
            view([2, 3], 8),
            3,
            5,
            "You hold none. Of the six dice you cannot see, three are needed; two are to be expected.",
        ),
        (view([5, 5], 3), 2, 5, "You hold two, which is enough, whatever the others hold."),
        (
            view([2, 2], 3, ones="straight"),
            3,
            5,
            "You hold none. Of the one die you cannot see, three are needed: that cannot be.",
        ),
        (
            view([2, 3], 5),
            1,
            4,
            "You hold none. Of the three dice you cannot see, one is needed; one is to be expected.",
        ),
        (
            view([2, 3, 6, 6], 12, bidding="sum", ones="straight"),
            45,
            None,
            "Your dice come to 17. The eight dice you cannot see must come to 28 or more; "
            "28 is to be expected.",
        ),
        (
            view([6, 6], 3, bidding="sum", ones="straight"),
            19,
            None,
            "Your dice come to 12. The one die you cannot see must come to 7 or more: that cannot be.",
        ),
        (
            view([6, 6], 3, bidding="sum", ones="straight"),
            12,
            None,
            "Your dice come to 12, which is enough, whatever the others hold.",
        ),
        (
            view(None, 6),
            2,
            5,
            "You hold none. Of the six dice you cannot see, two are needed; two are to be expected.",
        ),
    ],
)
def test_the_helper_says_what_is_held_needed_and_expected(
    seen: dict[str, Any], amount: int, face: int | None, words: str
) -> None:
    assert odds_of(seen, amount, face)["words"] == words


def test_what_is_not_certain_is_never_written_as_certain() -> None:
    assert [figure(chance) for chance in (0.0, 1e-9, 0.0049, 0.006, 0.5, 0.994, 0.996, 1 - 1e-9, 1.0)] == [
        *("0", "<1", "<1", "1", "50", "99", ">99", ">99", "100"),
    ]


def test_nobody_is_helped_on_a_ranked_table() -> None:
    seen = view([1], 2)

    assert may_help(seen, wanted=True)
    assert not may_help(seen, wanted=False)
    assert not may_help({**seen, "mode": "ranked"}, wanted=True)
    assert not may_help({**seen, "round": None}, wanted=True)


def test_nothing_is_weighed_for_whom_it_is_not_the_turn() -> None:
    assert all_odds(view([1], 2)) == []


def test_the_fragment_draws_the_chance_and_says_it() -> None:
    drawn = render_to_string("games/_odds.html", {"odds": odds_of(view([1, 4, 4, 6], 23), 8, 4)})

    assert 'width="81.2%"' in drawn
    assert 'data-odds="figure">81</span>' in drawn
    assert "likely that eight fours are true" in drawn
    assert "viewBox" not in drawn


def test_what_a_script_is_given_is_plain_and_small() -> None:
    seen = view([1, 2, 3, 4, 5], 30)
    seen["legal"] = {"bids": {str(face): [1, 30] for face in range(1, 7)}}

    written = json.dumps(all_odds(seen))

    assert json.loads(written)[0]["quantity"] == 1
    assert len(written) < 60_000
