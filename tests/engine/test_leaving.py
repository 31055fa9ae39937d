"""What becomes of presses, places and matches when people leave."""

from dataclasses import replace

from games.engine import transition
from games.engine.actions import Abandon, Act, Leave
from games.engine.moves import NextRound
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.view import SPECTATOR, view_for
from tests.engine.scripted import AT, GivenHands, open_match, step


def after_a_reveal(*, pace: str, computers: tuple[int, ...] = ()) -> State:
    """Four seats, one die each: seat 0 bid two sixes, seat 1 called, and seat 0 is out."""
    state = open_match(Rules(starting_dice=1), range(4), opener=0, pace=pace, computers=computers)
    state, _ = step(state, {"type": "bid", "seat": 0, "quantity": 4, "face": 6})
    state = replace(state, round=replace(state.round, hands=dict.fromkeys(range(4), (2,))))
    return step(state, {"type": "liar", "seat": 1})[0]


def test_the_press_of_a_person_who_leaves_goes_with_them() -> None:
    state = after_a_reveal(pace="live")
    state, _ = transition.apply(state, Act(seat=1, move=NextRound()), at=AT, chance=GivenHands())

    state, _ = transition.apply(state, Leave(1), at=AT, chance=GivenHands())

    assert state.status == "revealed"
    assert not view_for(state, SPECTATOR).seats[1].ready


def test_a_practice_table_that_its_owner_left_has_no_places() -> None:
    state = after_a_reveal(pace="practice")

    state, _ = transition.apply(state, Abandon(1), at=AT, chance=GivenHands())

    view = view_for(state, SPECTATOR)
    assert (view.status, view.result) == ("finished", None)
    assert [seat.place for seat in view.seats.values()] == [None] * 4


def test_an_owner_whose_seats_are_all_out_leaves_without_ending_the_practice() -> None:
    state = after_a_reveal(pace="practice", computers=(1, 2, 3))

    assert transition.apply(state, Abandon(0), at=AT, chance=GivenHands()) == (state, ())
