"""Every golden case of the rules, told to the engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine import dice, transition
from games.engine.actions import Act
from games.engine.moves import IllegalMove, bid_from
from games.engine.rules import RulesRefused, rules_from
from tests.engine.scripted import AT, GivenHands, facts_of, move_from, open_match, position, step, with_hands

CASES = Path(__file__).parent.parent / "cases"


def cases_of(*kinds: str) -> list[Any]:
    found = [case for path in sorted(CASES.glob("*.json")) for case in json.loads(path.read_text("utf-8"))]
    return [pytest.param(case, id=case["id"]) for case in found if case["kind"] in kinds]


def compare(expect: dict[str, Any], facts: dict[str, Any]) -> None:
    assert {name: facts.get(name, "absent") for name in expect} == expect


def test_every_kind_of_case_is_played_by_a_test_here() -> None:
    kinds = {
        param.values[0]["kind"]
        for param in cases_of(*(["options", "legal", "call", "script", "roll", "opener", "chain"]))
    }
    total = sum(len(json.loads(path.read_text("utf-8"))) for path in CASES.glob("*.json"))

    assert kinds == {"options", "legal", "call", "script", "roll", "opener", "chain"}
    assert len(cases_of(*kinds)) == total


@pytest.mark.parametrize("case", cases_of("options"))
def test_options_combine_as_the_case_says(case: dict[str, Any]) -> None:
    try:
        found: dict[str, Any] = rules_from(case.get("preset", "standard"), case.get("rules", {})).document()
    except RulesRefused as refusal:
        found = {"refused": refusal.option}

    assert found == case["expect"]


@pytest.mark.parametrize("case", cases_of("legal"))
def test_what_may_be_bid_is_what_the_case_says(case: dict[str, Any]) -> None:
    state = position(case)
    assert state.turn is not None

    compare(case["expect"], facts_of(state))
    for do in case.get("accept", []):
        after, _ = transition.apply(
            state, Act(seat=state.turn, move=move_from(do)), at=AT, chance=GivenHands()
        )
        assert after.round is not None
        assert after.round.bids[-1].bid == bid_from(do)
    for do in case.get("refuse", []):
        with pytest.raises(IllegalMove):
            transition.apply(state, Act(seat=state.turn, move=move_from(do)), at=AT, chance=GivenHands())


@pytest.mark.parametrize("case", cases_of("call"))
def test_a_call_brings_what_the_case_says(case: dict[str, Any]) -> None:
    after, _ = step(position(case), case["call"])

    compare(case["expect"], facts_of(after))


@pytest.mark.parametrize("case", cases_of("script"))
def test_a_match_goes_as_the_script_says(case: dict[str, Any]) -> None:
    numbers = case["seats"] if isinstance(case["seats"], list) else range(case["seats"])
    opener = case["first"] if "first" in case else case["host"]
    state = open_match(
        rules_from("standard", {**case["options"], "seats": max(2, max(numbers) + 1)}),
        list(numbers),
        opener=opener,
        computers=case.get("computers", []),
        round_limit=case.get("round_limit"),
    )
    compare(case.get("expect", {}), facts_of(state))
    for line in case["steps"]:
        if "hands" in line:
            state = with_hands(state, line["hands"])
        if line.get("refused"):
            with pytest.raises(IllegalMove):
                step(state, line["do"])
        else:
            state, _ = step(state, line["do"])
        compare(line.get("expect", {}), facts_of(state))


@pytest.mark.parametrize("case", cases_of("roll"))
def test_hands_are_rolled_as_the_vector_says(case: dict[str, Any]) -> None:
    hand = dice.roll(
        bytes.fromhex(case["secret"]),
        table_id=case["table_id"],
        number=case["round"],
        seat=case["seat"],
        count=case["n"],
        seeds=case["client_seeds"],
    )

    assert list(hand) == case["expect"]


@pytest.mark.parametrize("case", cases_of("opener"))
def test_the_first_opener_is_drawn_as_the_vector_says(case: dict[str, Any]) -> None:
    drawn = dice.draw_opener(
        bytes.fromhex(case["secret"]),
        table_id=case["table_id"],
        seats=case["seats"],
        seeds=case["client_seeds"],
    )

    assert drawn == case["expect"]


@pytest.mark.parametrize("case", cases_of("chain"))
def test_a_chain_holds_where_the_case_says_so(case: dict[str, Any]) -> None:
    previous = [case["commitment"], *case["secrets"][:-1]]

    holds = all(dice.follows(*pair) for pair in zip(case["secrets"], previous, strict=True))

    assert holds is case["expect"]
