"""Every golden case, held against the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.model import bidding, fair_dice
from tests.model.match import Match, Refused, host_opener
from tests.model.rulebook import OptionsRefused, options
from tests.model.views import with_text_keys

CASES = Path(__file__).parent.parent / "cases"


def cases(*kinds: str) -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.json")):
        found += [case for case in json.loads(path.read_text("utf-8")) if case["kind"] in kinds]
    return [pytest.param(case, id=case["id"]) for case in found]


def rules_of(case: dict[str, Any], seats: int) -> dict[str, Any]:
    return options("standard", case["options"] | {"seats": seats})


def by_number(by_text: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in by_text.items()}


def position(case: dict[str, Any]) -> Match:
    """Put a match into the position that a case describes."""
    dice = by_number(case["dice"])
    lowest = min(seat for seat in dice if dice[seat])
    match = Match(rules_of(case, len(dice)), dice, opener=case.get("opener", lowest))
    match.dice = dice
    match.palifico = case.get("palifico", False)
    match.claims = list(case.get("owed", []))
    match.has_claimed = {*case.get("was_owed", []), *match.claims}
    match.went_out = [list(group) for group in case.get("went_out", [])]
    match.bids = [dict(bid) for bid in case["bids"]]
    if match.bids:
        after = match.clockwise_after(match.bids[-1]["seat"])
        match.turn = next(seat for seat in after if dice[seat])
    return match


def facts(match: Match) -> dict[str, Any]:
    """Everything that a case may ask for."""
    known: dict[str, Any] = {
        "status": match.status,
        "turn": match.turn,
        "opener": match.opener,
        "palifico": match.palifico,
        "round": match.round,
        "dice": match.dice,
        "bids": match.ranges(),
        "liar": match.may_call("liar"),
        "exact": match.may_call("exact"),
        "places": match.places(),
        "left": match.left,
        "press_live": match.pressers("live"),
        "press_slow": match.pressers("slow"),
    }
    if match.reveals:
        known = match.reveals[-1] | known
    if match.result:
        known |= {"winner": match.result["winner"], "drawn": match.result["drawn"]}
    by_text: dict[str, Any] = with_text_keys(known)
    return by_text


def check(match: Match, expected: dict[str, Any]) -> None:
    known = facts(match)
    assert {name: known[name] for name in expected} == expected


def do(match: Match, step: dict[str, Any]) -> None:
    act, hands = step["do"], by_number(step.get("hands", {}))
    bid = {key: act[key] for key in ("quantity", "face", "total") if key in act}
    auto = act.get("auto", False)
    if act["type"] == "bid":
        match.bid(act["seat"], bid, auto=auto)
    elif act["type"] in ("liar", "exact"):
        match.call(act["seat"], act["type"], hands, auto=auto)
    elif act["type"] == "next_round":
        match.next_round(act.get("seat"))
    elif act["type"] == "leave":
        assert match.leave(act["seat"])
    else:
        assert act["type"] == "timeout"
        match.timeout()


@pytest.mark.parametrize("case", cases("options"))
def test_the_options_of_a_request_are_these(case: dict[str, Any]) -> None:
    preset, named = case.get("preset", "standard"), case.get("rules", {})

    if "refused" not in case["expect"]:
        assert options(preset, named) == case["expect"]
        return
    with pytest.raises(OptionsRefused) as refusal:
        options(preset, named)
    assert refusal.value.names == {case["expect"]["refused"]}


@pytest.mark.parametrize("case", cases("legal"))
def test_the_legal_bids_of_a_position_are_these(case: dict[str, Any]) -> None:
    match = position(case)

    check(match, case["expect"])
    for bid in [*case.get("accept", []), *case.get("refuse", [])]:
        candidate = {key: value for key, value in bid.items() if key != "type"}
        legal = bidding.is_legal_raise(
            match.rules, match.standing(), candidate, match.dice_in_play(), match.palifico, not match.bids
        )
        assert legal == (bid in case.get("accept", [])), bid


@pytest.mark.parametrize("case", cases("call"))
def test_a_call_costs_what_the_case_says(case: dict[str, Any]) -> None:
    match = position(case)

    match.call(case["call"]["seat"], case["call"]["type"], by_number(case["hands"]))

    check(match, case["expect"])


@pytest.mark.parametrize("case", cases("script"))
def test_a_script_goes_as_the_case_says(case: dict[str, Any]) -> None:
    seats = case["seats"] if isinstance(case["seats"], list) else list(range(case["seats"]))
    rules = rules_of(case, max(seats) + 1)
    opener = case["first"] if "first" in case else host_opener(rules, [case["host"]])
    assert opener is not None
    limit = {"round_limit": case["round_limit"]} if "round_limit" in case else {}
    match = Match(rules, seats, opener=opener, computers=case.get("computers", []), **limit)
    check(match, case.get("expect", {}))

    for step in case["steps"]:
        if step.get("refused"):
            before = facts(match)
            with pytest.raises(Refused):
                do(match, step)
            assert facts(match) == before
        else:
            do(match, step)
        check(match, step.get("expect", {}))


@pytest.mark.parametrize("case", cases("roll"))
def test_the_dice_roll_as_the_vector_says(case: dict[str, Any]) -> None:
    rolled = fair_dice.roll(
        case["table_id"], case["round"], case["seat"], case["n"], case["secret"], case["client_seeds"]
    )

    assert rolled == case["expect"]


@pytest.mark.parametrize("case", cases("opener"))
def test_the_opener_is_drawn_as_the_vector_says(case: dict[str, Any]) -> None:
    drawn = fair_dice.drawn_opener(case["table_id"], case["seats"], case["secret"], case["client_seeds"])

    assert drawn == case["expect"]


@pytest.mark.parametrize("case", cases("chain"))
def test_the_chain_holds_or_does_not(case: dict[str, Any]) -> None:
    assert fair_dice.chain_holds(case["commitment"], case["secrets"]) == case["expect"]


def test_no_case_is_of_a_kind_that_nobody_checks() -> None:
    everything = [case for path in CASES.glob("*.json") for case in json.loads(path.read_text("utf-8"))]

    checked = cases("options", "legal", "call", "script", "roll", "opener", "chain")

    assert len(checked) == len(everything) > 0
