"""The measurements of strength: whoever plays there plays by the rules, and with mirrored dice."""

import pytest

from bench.strength import rules_of
from bench.strength_legal import play_random_matches
from bench.strength_matches import DealtDice, Observed, share_from, winner_of, wins_of
from bench.strength_players import PLAYERS, SIMPLE


def test_no_computer_makes_an_illegal_move() -> None:
    """A short form of `python -m bench.strength legal`."""
    assert play_random_matches(80) > 1000


@pytest.mark.parametrize("name", SIMPLE)
@pytest.mark.parametrize("way", ["aces", "straight", "sum"])
def test_every_simple_player_plays_a_match(name: str, way: str) -> None:
    rules = rules_of(3, way)

    assert winner_of(rules, [PLAYERS[name]] * 3, "a deal") in (0, 1, 2)


def test_a_deal_is_the_same_whoever_sits_there() -> None:
    assert DealtDice("a").hands(3, {0: 5, 1: 2}) == {
        0: DealtDice("a").hands(3, {0: 5})[0],
        1: DealtDice("a").hands(3, {1: 5})[1][:2],
    }
    assert DealtDice("a").hands(3, {0: 5}) != DealtDice("b").hands(3, {0: 5})


def test_a_player_among_its_like_wins_an_even_share_of_every_deal() -> None:
    """Every deal is played from every seat, and only the chance of the moves is left to make a difference."""
    wins = wins_of(
        rules_of(2, "aces"),
        PLAYERS["always raise"],
        PLAYERS["always raise"],
        deals=iter(map(str, range(10))),
    )

    assert wins == [0.5] * 10
    assert share_from(wins, 2).half == 0


@pytest.mark.parametrize("way", ["aces", "straight"])
def test_hard_wins_more_than_its_share_among_players_who_never_call(way: str) -> None:
    """Whoever calls at little better than even is the only one of them to lose by calls."""
    deals = iter(map(str, range(12)))

    wins = wins_of(rules_of(3, way), PLAYERS["hard"], PLAYERS["always raise"], deals=deals)

    assert sum(wins) / len(wins) > 0.5


def test_what_hard_believed_is_noted_with_what_was_so() -> None:
    observed = Observed()

    wins_of(rules_of(2, "aces"), PLAYERS["hard"], PLAYERS["normal"], deals=iter(["a"]), observed=observed)

    assert observed.seconds
    assert all(0 <= thought <= 1 for thought, _ in observed.beliefs)
    assert {was for _, was in observed.beliefs} == {True, False}
