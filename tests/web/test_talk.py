"""Table talk: in character, the same for everybody, never before the cups are lifted, never of dice."""

from typing import Any

import pytest

from games.computers.characters import CHARACTERS
from games.web.talk import LATEST, talk_of
from games.web.talk_lines import LINES

OCCASIONS = {"open", "raise", "leap", "call_right", "call_wrong", "spot_right", "spot_wrong"}
OCCASIONS |= {"caught", "safe", "out", "won"}


def a_table(number: int = 3, **more: Any) -> dict[str, Any]:
    """Alice, Tansy and Marl; Tansy has opened this round and Marl raised by much."""
    bids = [{"seat": 1, "quantity": 2, "face": 5}, {"seat": 2, "quantity": 6, "face": 2}]
    return {
        "id": "abcdefgh",
        "seats": [
            {"seat": 0, "player": {"id": "1", "name": "Alice", "kind": "guest"}, "substitute": False},
            *(a_computer(seat, key) for seat, key in enumerate(("tansy", "marl"), 1)),
        ],
        "round": {"number": number, "bids": bids, "hand": [1, 2]},
        "reveal": None,
        "result": None,
        **more,
    }


def a_computer(seat: int, key: str) -> dict[str, Any]:
    player = {"id": f"computer-{key}", "name": CHARACTERS[key].name, "kind": "computer"}
    return {"seat": seat, "player": {**player, "level": "hard", "character": key}, "substitute": False}


def a_reveal(kind: str = "liar", *, number: int = 3, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "bids": a_table()["round"]["bids"],
        "call": {"seat": 1, "type": kind},
        "bid": {"seat": 2, "quantity": 6, "face": 2},
        "right": True,
        "out": [],
        "next_opener": 2,
        **more,
    }


def a_revealed_table(reveal: dict[str, Any], **more: Any) -> dict[str, Any]:
    return a_table(**{"round": None, "reveal": reveal, **more})


def test_every_character_has_something_to_say_at_every_occasion() -> None:
    assert set(LINES) == set(CHARACTERS)
    for lines in LINES.values():
        assert set(lines) == OCCASIONS
        assert all(len(of_occasion) >= 2 for of_occasion in lines.values())


def test_nobody_shouts_and_nobody_says_the_same_as_another() -> None:
    said = [line for lines in LINES.values() for of_occasion in lines.values() for line in of_occasion]

    assert len(said) == len(set(said))
    assert not any("!" in line for line in said)


def test_computers_speak_in_their_own_words_of_what_they_did() -> None:
    said = [each for number in range(50) for each in talk_of(a_table(number), "chatty")]

    assert {(each.character, each.name) for each in said} == {("tansy", "Tansy"), ("marl", "Marl")}
    assert {each.line for each in said if each.name == "Tansy"} == set(LINES["tansy"]["open"])
    assert {each.line for each in said if each.name == "Marl"} == set(LINES["marl"]["leap"])


def test_everybody_who_reads_it_reads_the_same_whatever_they_hold() -> None:
    table = a_table()
    other = a_table(round={**table["round"], "hand": None})

    assert talk_of(table, "chatty")
    assert [talk_of(table, "chatty") for _ in range(3)] == [talk_of(other, "chatty")] * 3


def test_two_tables_with_the_same_history_hear_the_same() -> None:
    # Whatever else tells them apart, ids and unseen dice among it, must not show.
    assert talk_of(a_table(id="another"), "chatty") == talk_of(a_table(), "chatty")


def test_nobody_repeats_themselves_in_a_round_while_they_have_more_to_say() -> None:
    raises, most = len(LINES["marl"]["raise"]), 0
    for number in range(30):
        bids = [{"seat": 2, "quantity": 1 + at // 5, "face": 2 + at % 5} for at in range(raises + 1)]
        table = a_table(round={"number": number, "bids": bids, "hand": None})
        heard = [
            said.line
            for upto in range(2, len(bids) + 1)
            for said in talk_of({**table, "round": {**table["round"], "bids": bids[:upto]}}, "chatty")[-1:]
        ]

        # The same line may be the latest twice where nobody said anything at a bid.
        changes = [line for before, line in zip([None, *heard], heard, strict=False) if line != before]
        assert len(changes) == len(set(changes))
        most = max(most, len(changes))
    assert most == raises


def test_who_likes_it_quiet_hears_less_and_with_talk_off_nothing() -> None:
    tables = [a_table(number) for number in range(200)]
    heard = {liking: sum(len(talk_of(table, liking)) for table in tables) for liking in ("chatty", "some")}

    assert heard["chatty"] > 2 * heard["some"] > 0
    assert not any(talk_of(table, "off") for table in tables)


def test_only_the_latest_lines_stand_beside_the_table() -> None:
    bids = [{"seat": 1 + at % 2, "quantity": 1 + at, "face": 2} for at in range(20)]
    tables = [a_table(round={"number": number, "bids": bids, "hand": None}) for number in range(20)]

    for liking, most in LATEST.items():
        assert max(len(talk_of(table, liking)) for table in tables) == most


@pytest.mark.parametrize("liking", ["chatty", "some"])
def test_nobody_says_a_word_before_the_cups_are_lifted(liking: str) -> None:
    for number in range(50):
        reveal = a_reveal(number=number)
        going_on = a_table(number + 1, reveal=reveal)

        assert talk_of(a_revealed_table(reveal), liking, stage="cups") == []
        assert talk_of(going_on, liking, stage="cups") == []


@pytest.mark.parametrize("right", [True, False])
def test_at_a_reveal_caller_and_bidder_speak_of_it(right: bool) -> None:
    said = talk_of(a_revealed_table(a_reveal(right=right)), "chatty", stage="reveal")

    assert [each.name for each in said] == ["Tansy", "Marl"]
    assert said[0].line in LINES["tansy"]["call_right" if right else "call_wrong"]
    assert said[1].line in LINES["marl"]["caught" if right else "safe"]


@pytest.mark.parametrize(("right", "occasion"), [(True, "spot_right"), (False, "spot_wrong")])
def test_who_said_spot_on_does_not_speak_of_a_lie(right: bool, occasion: str) -> None:
    (said,) = talk_of(a_revealed_table(a_reveal("exact", right=right)), "chatty", stage="reveal")

    assert said.name == "Tansy"
    assert said.line in LINES["tansy"][occasion]


def test_who_won_and_who_went_out_say_so() -> None:
    end = a_reveal(out=[2], next_opener=None)
    table = a_revealed_table(end, result={"winner": 1, "places": {}, "drawn": False})

    said = {each.name: each.line for each in talk_of(table, "chatty", stage="ended")}

    assert said["Tansy"] in LINES["tansy"]["won"]
    assert said["Marl"] in LINES["marl"]["out"]


def test_people_bots_and_whoever_plays_on_for_somebody_say_nothing() -> None:
    seats = [
        {"seat": 0, "player": {"id": "1", "name": "Alice", "kind": "guest"}, "substitute": False},
        {"seat": 1, "player": {"id": "2", "name": "Robin", "kind": "bot"}, "substitute": False},
        {"seat": 2, "player": {"id": "3", "name": "Bob", "kind": "account"}, "substitute": True},
    ]

    assert not any(talk_of(a_table(number, seats=seats), "chatty") for number in range(20))
    assert talk_of(a_revealed_table(a_reveal(), seats=seats), "chatty", stage="reveal") == []
