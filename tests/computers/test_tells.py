"""When a computer looks surprised: only Easy, only at its own bluffs, and not always."""

from random import Random

import pytest

from games.computers.registry import LEVELS, computer
from games.engine.moves import Bid, Call
from games.engine.rules import Rules
from games.engine.view import Viewer, view_for
from tests.computers.test_computers import heads_up

HONEST, BLUFF = Bid(quantity=1, face=6), Bid(quantity=4, face=3)


def tells(level: str, move: Bid | Call) -> int:
    """How often of a hundred times a player with two sixes looks surprised at this move."""
    state = heads_up("66", "25", rules=Rules(seats=2, starting_dice=2))
    view = view_for(state, Viewer("player", 0))
    return sum(computer(level, "quill").tells(view, move, Random(seed)) for seed in range(100))


def test_easy_shows_about_every_other_bluff() -> None:
    assert 30 < tells("easy", BLUFF) < 70


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "easy"])
def test_nobody_else_shows_anything(level: str) -> None:
    assert tells(level, BLUFF) == 0


def test_there_is_nothing_to_see_in_an_honest_bid_or_in_a_call() -> None:
    assert tells("easy", HONEST) == 0
    assert tells("easy", Call("liar")) == 0
