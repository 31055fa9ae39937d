"""How Hard decides: legal and mixed, whatever its style; by heart where it knows; for the match."""

from collections.abc import Iterator
from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given, settings

from games.computers import endgame, hard, levels
from games.computers.characters import CHARACTERS
from games.computers.endgame import Duel
from games.computers.hard import Style
from games.computers.registry import style_of
from games.computers.situation import Situation, between_two, situation_of
from games.computers.worth import Outcomes, Standing, chance_to_win
from games.engine.moves import Bid, Call, legal_bids
from games.engine.rules import Rules
from games.engine.view import Viewer, view_for
from tests.computers.test_computers import states_to_move
from tests.computers.test_reading import bid, situation
from tests.engine.random_matches import Setting, settings_of_matches

STYLES = [style_of(character) for character in CHARACTERS]


def situations_of(setting: Setting) -> Iterator[Situation]:
    for state in states_to_move(setting):
        assert state.turn is not None
        yield situation_of(view_for(state, Viewer("player", state.turn)))


def legal(view: Situation, move: Bid | Call) -> bool:
    if isinstance(move, Call):
        return view.standing is not None and (move.type == "liar" or view.rules.exact != "off")
    key, amount = ("total", move.total) if move.face is None else (str(move.face), move.quantity)
    lowest, highest = view.ranges.get(key, (1, 0))
    return amount is not None and lowest <= amount <= highest


@settings(max_examples=40)
@given(setting=settings_of_matches())
def test_every_level_mixes_legal_moves_whatever_its_style(setting: Setting) -> None:
    for number, view in enumerate(situations_of(setting)):
        style = STYLES[number % len(STYLES)]
        for mixer in levels.MIXERS.values():
            mix = mixer(view, style)

            assert isclose(sum(mix.values()), 1)
            assert all(chance > 0 and legal(view, move) for move, chance in mix.items())


def test_styles_lean_and_no_more() -> None:
    assert len(set(STYLES)) >= 6
    for style in STYLES:
        leanings = (style.bold, style.suspicious, style.exacting)
        assert all(abs(leaning) <= 0.1 for leaning in leanings)


def test_a_style_shows() -> None:
    view = situation(Rules(), [(2, bid(6, 5))], dice=(5, 5, 5), hand="12346")
    liar = {
        name: hard.mix(view, Style(suspicious=lean)).get(Call("liar"), 0.0) for name, lean in LEANS.items()
    }

    assert liar["slow"] < liar["plain"] < liar["quick"]


LEANS = {"slow": -0.03, "plain": 0.0, "quick": 0.03}


def test_two_seats_with_few_dice_are_played_by_heart() -> None:
    rules = Rules(seats=2)
    view = between_two(rules, (3,), 1, [bid(1, 4)])

    by_heart = endgame.mix(Duel(rules=rules, hand=(3,), theirs=1, bids=(bid(1, 4),)))

    assert by_heart is not None
    assert hard.mix(view) == by_heart == hard.mix(view, Style(bold=0.08, suspicious=0.05))


def test_what_is_near_equal_is_mixed() -> None:
    view = situation(Rules(), [], dice=(5, 5, 5, 5), hand="23456")

    assert len([chance for chance in hard.mix(view).values() if chance > 0.02]) >= 4


@pytest.mark.parametrize("opener", [0, 1, 2])
def test_the_chances_of_all_seats_come_to_one(opener: int) -> None:
    standing = Standing({0: 3, 1: 1, 2: 5}, opener)

    assert isclose(sum(chance_to_win(Rules(), standing, seat) for seat in range(4)), 1)


def test_of_two_seats_the_shipped_values_are_taken() -> None:
    rules = Rules(seats=2, exact="off")

    assert chance_to_win(rules, Standing({0: 2, 1: 1}, 0), 0) == endgame.value(
        rules, mine=2, theirs=1, i_open=True
    )


def test_an_exact_call_that_hits_is_worth_what_it_brings() -> None:
    everyone = situation(Rules(), [(2, bid(2, 5))], dice=(1, 1, 1), hand="5")
    regained = situation(Rules(exact="regain"), [(2, bid(2, 5))], dice=(1, 1, 1), hand="5")

    assert Outcomes(everyone).hits(0) == 1
    assert Outcomes(everyone).loses(0) == 0
    assert Outcomes(regained).loses(2) < Outcomes(regained).hits(0) < 1


def test_who_drops_to_one_die_opens_the_palifico_round() -> None:
    rules = Rules(palifico=True, exact="off")
    view = situation(rules, [(2, bid(2, 5))], dice=(2, 2, 2))

    assert Outcomes(view).loses(1) == chance_to_win(rules, Standing({0: 2, 1: 1, 2: 2}, 1), 0)


def test_spot_on_is_called_where_it_wins_the_match() -> None:
    """Both others have one die, so exactly right is the end: liar would leave one of them in."""
    rules = Rules(ones="straight")
    view = situation(rules, [(1, bid(2, 3)), (2, bid(2, 4))], dice=(2, 1, 1), hand="44")
    off = replace(view, rules=replace(rules, exact="off"))

    assert hard.mix(view).get(Call("exact"), 0) > 0.2
    assert Call("exact") not in hard.mix(off)


def test_only_the_face_counts_in_a_palifico_round() -> None:
    rules = Rules(palifico=True)
    ranges = legal_bids(rules, dice_in_play=9, palifico=True, standing=bid(2, 5))
    view = Situation(
        rules=rules,
        seat=0,
        hand=(1, 1, 1, 1, 1),
        dice={0: 5, 1: 1, 2: 3},
        bids=((1, bid(2, 5)),),
        palifico=True,
        ranges=ranges,
    )

    assert hard.mix(view).get(Call("liar"), 0) > 0.9  # five ones, and none of them is wild
