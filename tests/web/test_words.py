"""Sentences about bids and calls: over whole random matches each names the right people and numbers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine.words import number_words
from games.web.words import (
    bid_sentence,
    bid_words,
    call_sentence,
    event_sentence,
    names_of,
    ordinal_words,
    result_sentence,
    reveal_sentence,
    standing_words,
    substitutes_of,
)
from tests.verify.samples import documents

NAMES = {0: "Alice", 1: "Bob", 2: "Carol", 3: "Dave"}
RULES = {"exact": "others_lose", "ones": "aces"}
Document = dict[str, Any]


def a_reveal(**changed: Any) -> Document:
    """Bob, seat 1, called liar on eight fours by Alice, seat 0; there were seven."""
    return {
        "number": 6,
        "call": {"seat": 1, "type": "liar"},
        "bid": {"seat": 0, "quantity": 8, "face": 4},
        "count": 7,
        "right": True,
        "hands": {"0": [1, 4, 4, 6], "1": [2, 4, 5], "2": [2, 2], "3": [1, 4, 2, 5, 6]},
        "changes": {"0": -1},
        "out": [],
        "next_opener": 0,
        "next_palifico": False,
        **changed,
    }


def told(you: int | None = None, rules: Document = RULES, **changed: Any) -> str:
    return reveal_sentence(a_reveal(**changed), NAMES, you, rules=rules)


def test_who_loses_a_die_reads_of_themselves() -> None:
    says = "Bob called liar on your eight fours. There were seven. You lose a die and open the next round."
    assert told(0) == says


def test_the_others_read_the_same_with_names() -> None:
    called = (
        "called liar on Alice’s eight fours. There were seven. Alice loses a die and opens the next round."
    )
    assert told() == f"Bob {called}"
    assert told(1) == f"You {called}"
    assert told(2) == told(None)


def test_equality_is_enough() -> None:
    changed = {"count": 8, "right": False, "changes": {"1": -1}, "next_opener": 1}
    assert told(**changed).endswith(
        "There were exactly eight, which is enough: Bob loses a die and opens the next round."
    )
    assert told(1, **changed).endswith("which is enough: you lose a die and open the next round.")


def test_spot_on_costs_everyone_else_a_die() -> None:
    changed = {
        "call": {"seat": 2, "type": "exact"},
        "count": 8,
        "changes": {"0": -1, "1": -1, "3": -1},
        "next_opener": 2,
    }
    assert told(0, **changed) == (
        "Carol said spot on to your eight fours, and it was: exactly eight. "
        "Everyone else loses a die: Bob, Dave and you. Carol opens the next round."
    )
    assert "Dave and you. You are out. Carol opens" in told(0, **changed, out=[0])
    assert "Bob and Dave. Bob and Dave are out. Carol opens" in told(**changed, out=[1, 3])


def test_spot_on_wins_a_die_back_or_changes_nothing() -> None:
    changed = {"call": {"seat": 2, "type": "exact"}, "count": 8, "next_opener": 2}
    rules = {**RULES, "exact": "regain"}
    assert told(2, rules, **changed, changes={"2": 1}).endswith("You win back a die and open the next round.")
    assert told(2, rules, **changed, changes={}).endswith(
        "You have all the dice there are already, so nothing changes. You open the next round."
    )


def test_a_palifico_round_is_announced_with_what_it_means() -> None:
    changed = {"hands": {"0": [1, 4], "1": [2, 4, 5], "2": [2, 2]}, "next_palifico": True}
    assert told(0, **changed).endswith(
        "You lose a die, are down to one and open a palifico round: nothing is wild."
    )
    assert told(**changed, next_opener=2).endswith("Carol opens a palifico round: nothing is wild.")
    straight = {**RULES, "ones": "straight"}
    assert told(1, straight, **changed).endswith("a palifico round: every raise keeps the face.")
    wrong = {"count": 9, "right": False, "changes": {"2": -1}, "call": {"seat": 2, "type": "liar"}}
    assert "There were nine. Carol loses a die, is down to one and opens a palifico round: nothing" in told(
        **changed | wrong, next_opener=2
    )


def test_who_is_out_and_who_wins() -> None:
    changed = {"hands": {"0": [4], "1": [2, 4, 5]}, "out": [0], "next_opener": None}
    assert told(0, **changed).endswith("You lose your last die and are out. Bob wins the match.")
    assert told(1, **changed).endswith("Alice loses the last die and is out. You win the match.")
    won = reveal_sentence(a_reveal(**changed), NAMES, None, rules=RULES, substitutes={1})
    assert won.endswith("The computer in Bob’s seat wins the match.")


def test_a_draw_names_those_who_share_it() -> None:
    drawn = told(0, number=999, next_opener=None)
    assert drawn.endswith("Round 999 is the last there is: a draw between Bob, Carol, Dave and you.")


def test_nobody_opens_once_the_match_is_over() -> None:
    told = reveal_sentence(a_reveal(), NAMES, None, rules=RULES, finished=True)
    assert told.endswith("Alice loses a die.")


def test_totals_are_told_in_figures() -> None:
    rules = {"exact": "regain", "ones": "straight"}
    changed = {"bid": {"seat": 0, "total": 47}, "count": 45}
    assert "Bob called liar on your total of 47. The dice showed 45. You lose" in told(0, rules, **changed)
    wrong = {"right": False, "changes": {"1": -1}, "next_opener": 1, "count": 47}
    assert "The dice showed exactly 47, which is enough: Bob" in told(0, rules, **changed | wrong)


def test_bids_are_told_as_openings_raises_and_going_over() -> None:
    five, three = {"seat": 1, "quantity": 5, "face": 5}, {"seat": 2, "quantity": 3, "face": 1}
    seven, total = {"seat": 3, "quantity": 7, "face": 4}, {"seat": 3, "total": 20}

    assert bid_sentence(five, None, NAMES, None) == "Bob opened with five fives."
    assert bid_sentence(three, five, NAMES, None) == "Carol went over to three ones."
    assert bid_sentence(three, five, NAMES, 2) == "You went over to three ones."
    assert bid_sentence(seven, three, NAMES, 2) == "Dave raised to seven fours."
    assert bid_sentence({**three, "quantity": 6}, five, NAMES, None) == "Carol raised to six ones."
    assert bid_sentence(total, {"seat": 1, "total": 19}, NAMES, 3) == "You raised to a total of 20."


def test_a_standing_bid_is_led_to() -> None:
    five, three = {"seat": 1, "quantity": 5, "face": 5}, {"seat": 2, "quantity": 3, "face": 1}
    seven = {"seat": 3, "quantity": 7, "face": 4}

    assert standing_words(five, None, NAMES, 1) == "You opened with"
    assert standing_words(three, five, NAMES, 1) == "Carol went over from your five fives to"
    assert standing_words(seven, three, NAMES, None) == "Dave raised Carol’s three ones to"
    assert standing_words({"seat": 0, "total": 9}, {"seat": 3, "total": 8}, NAMES, 0) == (
        "You raised Dave’s total of 8 to"
    )


def test_a_call_tells_nothing_of_what_lies_under_the_cups() -> None:
    assert call_sentence(a_reveal(), NAMES, 0) == "Bob called liar on your eight fours."


def test_results_leavers_and_late_people() -> None:
    places = {"0": 1, "1": 1, "2": 3}
    assert result_sentence({"winner": 2, "places": {}}, NAMES, 2) == "You won."
    assert result_sentence({"winner": 2, "places": {}}, NAMES, 1) == "Carol won."
    assert result_sentence({"winner": 2, "places": {}}, NAMES, 1, substitutes={2}) == (
        "The computer in Carol’s seat won."
    )
    assert result_sentence({"winner": None, "places": places}, NAMES, 1) == "A draw between Alice and you."
    assert result_sentence(None, NAMES, 1) == "It ended without a result."
    assert event_sentence({"kind": "strike", "seat": 3, "strikes": 1}, NAMES, None) == (
        "Dave ran out of time. The computer moves for Dave; once more and it takes the seat."
    )
    assert event_sentence({"kind": "left", "seat": 3, "why": "leave", "forfeit": False}, NAMES, 3) == (
        "You left. A computer plays on in your seat."
    )
    assert event_sentence({"kind": "ready", "seat": 3}, NAMES, 3) is None
    assert [ordinal_words(place) for place in (1, 4, 6)] == ["first", "fourth", "sixth"]


def test_those_who_share_a_name_are_told_apart() -> None:
    seats = [
        {"seat": seat, "player": {"name": name} if name else None}
        for seat, name in enumerate(["Guest", "Guest 1", "Guest", None])
    ]
    assert names_of({"seats": seats}) == {0: "Guest 2", 1: "Guest 1", 2: "Guest 3", 3: "Seat 4"}


# What a sentence says, read back without the code that wrote it.

NUMBERS = {number_words(number): number for number in range(200)} | {"none": 0}
WHO = r"(?P<{}>You|you|your|[A-Z]\w+(?: \d)?)(?:’s)?"
CALL = re.compile(
    WHO.format("caller")
    + r" (?P<type>called liar on|said spot on to) "
    + WHO.format("bidder")
    + r" (?P<bid>total of \d+|\w+ \w+)"
)
COUNT = re.compile(r"(?:There were|There was|The dice showed|and it was:) (?:exactly )?(?P<count>\w+)")
LOSES = re.compile(WHO.format("who") + r" loses? (?:a|the last|your last) (?P<die>die)")
EVERYONE = re.compile(r"(?:Everyone else) loses (?P<die>[^:]+): (?P<list>[^.]+)\.")
OUT = re.compile(r"(?P<list>[^.:]+?) (?:is|are) out")
OPENS = re.compile(WHO.format("who") + r" [^.:]*?opens? (?P<what>the next round|a palifico round)")
WINS = re.compile(r"(?:The computer in )?" + WHO.format("who") + r"(?: seat)? wins? the match")


def seats_in(text: str, names: dict[int, str], you: int | None) -> list[int]:
    called = {name: seat for seat, name in names.items() if seat != you}
    if you is not None:
        called |= dict.fromkeys(("You", "you", "your"), you)
    return sorted(called[name] for name in re.split(r", | and ", text))


def read_back(told: str, names: dict[int, str], you: int | None) -> Document:
    """The facts that a sentence states."""

    def seat(found: re.Match[str], group: str = "who") -> int:
        return seats_in(found[group], names, you)[0]

    call, count = CALL.search(told), COUNT.search(told)
    assert call is not None
    assert count is not None
    everyone = EVERYONE.search(told)
    losers = seats_in(everyone["list"], names, you) if everyone else [seat(m) for m in LOSES.finditer(told)]
    out = [m for m in OUT.finditer(told) if "Everyone else" not in m["list"]]
    gone = sorted(s for m in out for s in seats_in(re.split(r" loses? ", m["list"])[0].strip(), names, you))
    if everyone and "last die" in everyone["die"]:
        gone = losers
    opens, wins = OPENS.search(told), WINS.search(told)
    number = count["count"]
    return {
        "caller": seat(call, "caller"),
        "type": "liar" if "liar" in call["type"] else "exact",
        "bidder": seat(call, "bidder"),
        "bid": call["bid"],
        "count": NUMBERS[number] if number in NUMBERS else int(number),
        "losers": losers,
        "out": gone,
        "gains": "back a die" in told,
        "opener": seat(opens) if opens else None,
        "palifico": bool(opens and "palifico" in opens["what"]),
        "winner": seat(wins) if wins else None,
    }


def facts_of(reveal: Document) -> Document:
    still_in = [int(seat) for seat in reveal["hands"] if int(seat) not in reveal["out"]]
    over = reveal["next_opener"] is None
    return {
        "caller": reveal["call"]["seat"],
        "type": reveal["call"]["type"],
        "bidder": reveal["bid"]["seat"],
        "bid": bid_words(reveal["bid"]).removeprefix("a "),
        "count": reveal["count"],
        "losers": sorted(int(seat) for seat, change in reveal["changes"].items() if change < 0),
        "out": sorted(reveal["out"]),
        "gains": 1 in reveal["changes"].values(),
        "opener": reveal["next_opener"],
        "palifico": reveal["next_palifico"],
        "winner": still_in[0] if over and len(still_in) == 1 else None,
    }


def reveals() -> Iterator[tuple[Document, dict[int, str], Document]]:
    for document in documents():
        names = names_of(document["table"])
        for reveal in document["rounds"]:
            yield document["table"], names, reveal


def test_every_call_of_random_matches_is_told_with_the_right_people_and_numbers() -> None:
    seen = set()
    for table, names, reveal in reveals():
        for you in (None, *names):
            told = reveal_sentence(
                reveal, names, you, rules=table["rules"], substitutes=substitutes_of(table)
            )
            expected = facts_of(reveal)
            assert read_back(told, names, you) == expected, told
            assert you is None or not re.search(rf"\b{re.escape(names[you])}\b(?! \d)", told), told
            assert not re.search(
                r"\b[Yy]ou (loses|opens|wins|is|has)\b| {2}|\.\.|: [A-Z]\w+ and [a-z]\w+:", told
            )
            seen.add((expected["type"], reveal["right"], bool(expected["out"]), expected["palifico"]))
    assert len(seen) >= 10


@pytest.mark.parametrize("lead", [False, True])
def test_every_bid_of_random_matches_is_told_with_its_bidder_and_what_stood_before(lead: bool) -> None:
    goes_over = 0
    for table, names, reveal in reveals():
        for before, bid in zip([None, *reveal["bids"]], reveal["bids"], strict=False):
            told = (standing_words if lead else bid_sentence)(bid, before, names, None)
            assert told.startswith(names[bid["seat"]] + " ")
            if lead and before is not None:
                assert f"{names[before['seat']]}’s {bid_words(before).removeprefix('a ')} to" in told
            if not lead:
                assert told.endswith(f" {bid_words(bid)}.")
            assert ("opened" in told) == (before is None)
            if "went over" in told:
                goes_over += 1
                assert table["rules"]["ones"] == "aces"
                assert bid["face"] == 1
    assert goes_over > 100
