"""Table talk: in character, the same for everybody, never before the cups are lifted, never of dice."""

from typing import Any

import pytest

from games.computers.characters import CHARACTERS
from games.web.talk import talk_of
from games.web.talk_lines import LINES

OCCASIONS = {"open", "raise", "leap", "call_right", "call_wrong", "caught", "safe", "out", "won"}


def a_table(table_id: str = "abcdefgh", **more: Any) -> dict[str, Any]:
    """Alice, Tansy and Marl; Tansy has opened and Marl raised."""
    computers = [
        {"id": f"computer-{key}", "name": CHARACTERS[key].name, "kind": "computer", "level": "hard"}
        | {"character": key}
        for key in ("tansy", "marl")
    ]
    players = [{"id": "1", "name": "Alice", "kind": "guest"}, *computers]
    bids = [{"seat": 1, "quantity": 2, "face": 5}, {"seat": 2, "quantity": 6, "face": 2}]
    return {
        "id": table_id,
        "seats": [{"seat": number, "player": player} for number, player in enumerate(players)],
        "round": {"number": 3, "bids": bids, "hand": [1, 2]},
        "reveal": None,
        "result": None,
        **more,
    }


def a_reveal(**more: Any) -> dict[str, Any]:
    return {
        "number": 3,
        "call": {"seat": 1, "type": "liar"},
        "bid": {"seat": 2, "quantity": 6, "face": 2},
        "right": True,
        "out": [],
        "next_opener": 2,
        **more,
    }


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
    said = {name: line for number in range(50) for name, line in talk_of(a_table(f"t{number}"), "chatty")}

    assert set(said) == {"Tansy", "Marl"}
    assert said["Tansy"] in LINES["tansy"]["open"]
    assert said["Marl"] in LINES["marl"]["leap"]


def test_everybody_who_reads_it_reads_the_same_whatever_they_hold() -> None:
    table = a_table()
    other = a_table(round={**table["round"], "hand": None})

    assert [talk_of(table, "chatty") for _ in range(3)] == [talk_of(other, "chatty")] * 3


def test_who_likes_it_quiet_hears_less_and_with_talk_off_nothing() -> None:
    tables = [a_table(f"t{number}") for number in range(200)]
    heard = {liking: sum(len(talk_of(table, liking)) for table in tables) for liking in ("chatty", "some")}

    assert heard["chatty"] > 2 * heard["some"] > 0
    assert not any(talk_of(table, "off") for table in tables)


@pytest.mark.parametrize("liking", ["chatty", "some"])
def test_nobody_says_a_word_before_the_cups_are_lifted(liking: str) -> None:
    for number in range(50):
        table = a_table(f"t{number}", round=None, reveal=a_reveal())

        assert talk_of(table, liking, stage="cups") == []


def test_at_a_reveal_caller_and_bidder_speak_of_it() -> None:
    said = talk_of(a_table(round=None, reveal=a_reveal()), "chatty", stage="reveal")

    assert [name for name, _ in said] == ["Tansy", "Marl"]
    assert said[0][1] in LINES["tansy"]["call_right"]
    assert said[1][1] in LINES["marl"]["caught"]


def test_who_won_and_who_went_out_say_so() -> None:
    end = a_reveal(out=[2], next_opener=None)
    table = a_table(round=None, reveal=end, result={"winner": 1, "places": {}, "drawn": False})

    said = dict(talk_of(table, "chatty", stage="ended"))

    assert said["Tansy"] in LINES["tansy"]["won"]
    assert said["Marl"] in LINES["marl"]["out"]
