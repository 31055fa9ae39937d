"""What every computer promises: it answers, by the rules, from what it sees, and in time."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time

import pytest
from hypothesis import given, settings

from games.computers.odds import chance_true
from games.computers.registry import CHARACTERS, LEVELS, ComputerRefused, computer
from games.engine import transition
from games.engine.actions import Act
from games.engine.facts import BidMade
from games.engine.moves import Bid, Call, Move, NextRound
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.view import Viewer, view_for
from tests.engine.random_matches import (
    ALL_RULES,
    AT,
    Setting,
    ShakenDice,
    opened,
    play,
    settings_of_matches,
)
from tests.engine.test_secrecy import redealt

COMPUTERS = {level: computer(level, "quill") for level in LEVELS}


def answer(level: str, state: State, seed: int) -> Move:
    assert state.turn is not None
    return COMPUTERS[level].choose(view_for(state, Viewer("player", state.turn)), Random(seed))


def states_to_move(setting: Setting) -> Iterator[State]:
    """Every position of a random match in which somebody is to bid or to call."""
    for step in play(setting):
        if step.before.status == "bidding":
            yield step.before


def play_out(setting: Setting, levels: dict[int, str]) -> State:
    """A match of computers only."""
    rng = Random(setting.seed)
    chance = ShakenDice(setting.seed)
    state, _ = transition.start(opened(setting), opener=rng.choice(setting.numbers), chance=chance)
    while state.status != "finished":
        assert state.turn is not None
        view = view_for(state, Viewer("player", state.turn))
        move = COMPUTERS[levels[state.turn]].choose(view, rng)
        state, _ = transition.apply(state, Act(seat=state.turn, move=move), at=AT, chance=chance)
    return state


def computers_only(rules: Rules, seed: int) -> Setting:
    numbers = tuple(range(rules.seats))
    return Setting(rules=rules, pace="slow", numbers=numbers, computers=numbers, seed=seed)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=60)
@given(setting=settings_of_matches())
def test_every_answer_is_a_legal_bid_or_call(level: str, setting: Setting) -> None:
    for state in states_to_move(setting):
        move = answer(level, state, setting.seed)
        assert state.turn is not None

        assert not isinstance(move, NextRound)
        _, facts = transition.apply(
            state, Act(seat=state.turn, move=move), at=AT, chance=ShakenDice(setting.seed)
        )
        assert facts


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=60)
@given(setting=settings_of_matches())
def test_nobody_calls_liar_what_their_own_dice_prove(level: str, setting: Setting) -> None:
    for state in states_to_move(setting):
        round = state.round
        assert round is not None
        if round.standing is None:
            continue
        chance = chance_true(
            state.rules,
            round.standing.bid,
            hand=round.hands[round.turn],
            dice_in_play=state.dice_in_play,
            palifico=round.palifico,
        )
        if chance == 1:
            assert answer(level, state, setting.seed) != Call("liar")


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=60)
@given(setting=settings_of_matches())
def test_an_answer_does_not_depend_on_dice_that_the_computer_cannot_see(level: str, setting: Setting) -> None:
    rng = Random(setting.seed)
    for state in states_to_move(setting):
        assert state.turn is not None
        other = redealt(state, rng, but=frozenset({state.turn}))

        assert answer(level, state, setting.seed) == answer(level, other, setting.seed)


@pytest.mark.parametrize("seed", range(40))
def test_a_match_of_computers_comes_to_its_end(seed: int) -> None:
    rng = Random(f"computers {seed}")
    rules = rng.choice(ALL_RULES)
    levels = {seat: rng.choice(LEVELS) for seat in range(rules.seats)}

    end = play_out(computers_only(rules, seed), levels)

    assert end.result is not None
    assert end.result.drawn is False


@pytest.mark.parametrize("rules", [Rules(seats=6), Rules(seats=6, bidding="sum", ones="straight")])
def test_an_answer_takes_less_than_a_blink_at_the_largest_table(rules: Rules) -> None:
    seconds = []
    for state in states_to_move(Setting(rules=rules, numbers=tuple(range(6)), seed=3)):
        began = process_time()
        answer("normal", state, 3)
        seconds.append(process_time() - began)

    assert len(seconds) > 20
    assert median(seconds) < 0.020


def test_a_bid_that_no_die_can_make_true_is_called() -> None:
    state = heads_up("65", "22", standing=Bid(quantity=4, face=3))

    for level in ("normal", "hard"):
        assert answer(level, state, 1) == Call("liar")


def test_hard_calls_exact_where_it_is_likelier_to_pay_than_anything_else() -> None:
    rules = Rules(seats=2, starting_dice=5, ones="straight", exact="regain")
    state = replace(heads_up("66", "5", rules=rules), round_limit=999)

    three = with_standing(state, Bid(quantity=3, face=6))
    two = with_standing(state, Bid(quantity=2, face=6))

    assert {answer("hard", three, seed) for seed in range(20)} == {Call("liar")}
    answers = [answer("hard", two, seed) for seed in range(100)]
    assert answers.count(Call("exact")) > 50


def test_a_computer_mixes_its_openings() -> None:
    state = heads_up("11345", "22222", rules=Rules(seats=2), standing=None)

    openings = {answer("normal", state, seed) for seed in range(200)}

    assert len(openings) >= 4
    assert {bid.face for bid in openings if isinstance(bid, Bid)} >= {3, 4, 5}


@pytest.mark.parametrize(("better", "worse"), [("hard", "normal"), ("normal", "easy"), ("hard", "easy")])
def test_a_better_level_wins_more_often(better: str, worse: str) -> None:
    won = {better: 0, worse: 0}
    for seed in range(60):
        levels = {0: worse, 1: better} if seed % 2 else {0: better, 1: worse}
        end = play_out(computers_only(Rules(seats=2), seed // 2), levels)
        assert end.result is not None
        assert end.result.winner is not None
        won[levels[end.result.winner]] += 1

    assert won[better] > 1.25 * won[worse]


def test_the_same_chance_gives_the_same_answer() -> None:
    state = heads_up("11345", "22222", rules=Rules(seats=2), standing=None)

    assert answer("easy", state, 7) == answer("easy", state, 7)


def test_nobody_is_asked_who_is_not_to_move() -> None:
    state = heads_up("65", "22", standing=None)

    with pytest.raises(ValueError, match="to move"):
        COMPUTERS["normal"].choose(view_for(state, Viewer("player", 1)), Random(1))


def test_every_level_and_character_can_be_had_and_has_a_name() -> None:
    assert len(CHARACTERS) >= 6
    assert all(key.isalpha() and key.islower() and name.istitle() for key, name in CHARACTERS.items())
    assert all(computer(level, character) for level in LEVELS for character in CHARACTERS)


@pytest.mark.parametrize(
    ("level", "character", "code", "allowed"),
    [("godlike", "quill", "unknown_level", "hard"), ("easy", "nobody", "unknown_character", "quill")],
)
def test_an_unknown_computer_is_refused_with_those_there_are(
    level: str, character: str, code: str, allowed: str
) -> None:
    with pytest.raises(ComputerRefused, match=allowed) as refusal:
        computer(level, character)

    assert refusal.value.code == code


def heads_up(hand: str, other: str, *, rules: Rules | None = None, standing: Bid | None = None) -> State:
    """Two seats with these dice; seat 0 is to move, and seat 1 has made the standing bid."""
    rules = rules or Rules(seats=2, starting_dice=2)
    state, _ = transition.start(opened(Setting(rules=rules, numbers=(0, 1))), opener=0, chance=ShakenDice(1))
    hands = {0: tuple(map(int, hand)), 1: tuple(map(int, other))}
    seats = tuple(replace(seat, dice=len(hands[seat.number])) for seat in state.seats)
    assert state.round is not None
    state = replace(state, seats=seats, round=replace(state.round, hands=hands))
    return with_standing(state, standing) if standing else state


def with_standing(state: State, bid: Bid) -> State:
    assert state.round is not None
    state = replace(state, round=replace(state.round, turn=1, bids=()))
    after, facts = transition.apply(state, Act(seat=1, move=bid), at=AT, chance=ShakenDice(1))
    assert isinstance(facts[0], BidMade)
    return after
