"""Documents of practice that began from given hands: round 1 is left out, and nothing else is."""

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.engine import transition
from games.engine.rules import Rules
from games.engine.state import Position
from games.engine.verify import verify
from tests.engine.random_matches import Setting, opened
from tests.verify.building import Document, Scribe, randomly
from tests.verify.test_true_documents import SCHEMA


class _GivenFirst:
    def __init__(self, scribe: Scribe, hands: dict[int, tuple[int, ...]]) -> None:
        self._fair, self._hands = scribe.dice, hands

    def hands(self, number: int, dice: Any) -> Any:
        return self._hands if number == 1 else self._fair.hands(number, dice)

    def secret(self, number: int) -> str:
        return self._fair.secret(number)


@cache
def _text(seed: int) -> str:
    rng = Random(f"given {seed}")
    rules = Rules(seats=4, palifico=seed % 2 == 1, first_opener="host" if seed % 3 == 0 else "random")
    setting = Setting(rules=rules, pace="practice", numbers=(0, 2, 3), computers=(2,), seed=seed)
    scribe = Scribe(setting, rng)
    scribe.seat_everybody()
    hands = {seat: tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 5))) for seat in setting.numbers}
    chance = _GivenFirst(scribe, hands)
    position = Position(dice={seat: len(hand) for seat, hand in hands.items()}, palifico=rules.palifico)
    state, facts = transition.start(opened(setting), opener=3, chance=chance, position=position)
    scribe.tell(facts[0])
    choose = randomly(setting)
    while state.status != "finished":
        state, facts = transition.apply(state, choose(state, rng), at=scribe.later(), chance=chance)
        for fact in facts:
            scribe.tell(fact)
    document = scribe.document(state)
    document["table"]["given"] = {
        "table": "another",
        "round": 6,
        "dice": {str(seat): len(hand) for seat, hand in hands.items()},
        "palifico": rules.palifico,
    }
    return json.dumps(document)


def a_given_match(seed: int = 0) -> Document:
    """Practice from the sixth round of another match, played to its end."""
    document: Document = json.loads(_text(seed))
    return document


def outcomes(document: Document) -> dict[str, str]:
    return {check.name: check.outcome for check in verify(document).checks}


@pytest.mark.parametrize("seed", range(20))
def test_all_but_the_first_hands_is_checked(seed: int) -> None:
    document = a_given_match(seed)
    report = verify(document)

    assert report.good, str(report)
    assert outcomes(document) | {"hands": "good"} == dict.fromkeys(outcomes(document), "good") | {
        "opener": "not checked"
    }
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)] == []


def test_without_the_word_of_it_the_first_hands_are_found_out() -> None:
    document = a_given_match()
    del document["table"]["given"]
    assert outcomes(document)["hands"] == "differs"
    assert outcomes(document)["replay"] == "differs"


def test_only_practice_may_begin_with_given_hands() -> None:
    for mode in ("casual", "ranked"):
        document = a_given_match()
        document["table"]["mode"] = mode
        check = verify(document).checks[0]
        assert (check.outcome, check.detail) == ("differs", "table.given is for practice tables only")
        assert not Draft202012Validator(SCHEMA).is_valid(document)


def test_a_die_of_any_later_round_is_found() -> None:
    document = a_given_match(2)
    assert len(document["rounds"]) > 1
    for reveal in document["rounds"][1:]:
        hand = next(iter(reveal["hands"].values()))
        hand[0] = hand[0] % 6 + 1
        assert outcomes(document)["hands"] == "differs"
        hand[0] = (hand[0] + 4) % 6 + 1


@pytest.mark.parametrize(
    "change",
    [
        {"dice": {"0": 1}},
        {"dice": {"0": 0, "2": 1, "3": 1}},
        {"dice": {"0": 6, "2": 1, "3": 1}},
        {"dice": None},
        {"dice": {"0": 5, "1": 5, "3": 5}},
        {"table": ""},
        {"table": "a|b"},
        {"round": 0},
        {"round": 1000},
        {"round": True},
        {"palifico": 1},
    ],
)
def test_what_is_given_is_read_without_trust(change: dict[str, Any]) -> None:
    document = a_given_match()
    document["table"]["given"] |= change
    assert outcomes(document)["structure"] == "differs"


def test_other_numbers_of_dice_than_the_first_hands_have_do_not_follow() -> None:
    document = a_given_match()
    dice = document["table"]["given"]["dice"]
    dice["0"] = dice["0"] % 5 + 1
    assert outcomes(document)["replay"] == "differs"


def test_whether_the_first_round_was_palifico_follows_from_what_was_given() -> None:
    document = a_given_match(1)
    document["table"]["given"]["palifico"] = False
    assert outcomes(document)["replay"] == "differs"


def test_nothing_given_may_be_written_as_nothing() -> None:
    document = a_given_match()
    document["table"]["given"] = None
    assert outcomes(document)["structure"] == "good"
    assert outcomes(document)["hands"] == "differs"
