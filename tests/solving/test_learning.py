"""The solver finds the equilibria that are known, whichever way it looks at a round."""

import pytest

from games.computers.endgame_tables import WHOLE, read_table, write_table
from games.engine.rules import Rules
from games.solving.chain import Effort, Worths, learn, pairs, settle
from games.solving.measuring import BestMatch, best_responses, trained_responses
from games.solving.recent import RecentBids
from games.solving.rounds import Stakes, round_between
from games.solving.shipping import shipped
from games.solving.whole import WholeTree, best_response
from tests.solving.kinds import FULL, options_of

OF_ONE_DIE_EACH = {
    "aces-off": -1 / 18,
    "straight-off": -1 / 9,
    "aces-others_lose": 0.0,
    "straight-others_lose": 0.0,
}
"""What a round of ±1 is worth to its opener."""


def rules_of(kind: str) -> Rules:
    return Rules(seats=2, **options_of(kind))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", FULL)
def test_the_whole_tree_comes_to_the_known_worth(kind: str) -> None:
    tree = WholeTree(round_between(rules_of(kind), (1, 1), (Stakes(), Stakes())))

    tree.run(200)

    opening = best_response(tree, 0, tree.average(1))
    answering = best_response(tree, 1, tree.average(0))
    assert opening == pytest.approx(OF_ONE_DIE_EACH[kind], abs=0.001)
    assert -answering == pytest.approx(OF_ONE_DIE_EACH[kind], abs=0.001)


@pytest.mark.parametrize("kind", FULL)
def test_remembering_four_bids_is_as_good_with_one_die_each(kind: str) -> None:
    learned = RecentBids(round_between(rules_of(kind), (1, 1), (Stakes(), Stakes())), 4)

    learned.run(200)

    assert learned.worth() == pytest.approx(OF_ONE_DIE_EACH[kind], abs=0.0005)
    assert sum(best_responses(rules_of(kind), (1, 1), read_table(shipped(learned)))) / 2 < 0.001


def test_predictions_and_late_weights_converge_fast_with_exact_calls() -> None:
    tree = WholeTree(round_between(rules_of("aces-others_lose"), (1, 1), (Stakes(), Stakes())))

    tree.run(200)

    best = best_response(tree, 0, tree.average(1)) + best_response(tree, 1, tree.average(0))
    assert 0 <= best / 2 < 2e-6


def test_the_more_is_remembered_the_less_there_is_to_win() -> None:
    off_by = []
    for memory in (1, 2, 4):
        learned = RecentBids(round_between(rules_of("aces-off"), (1, 1), (Stakes(), Stakes())), memory)
        learned.run(150)
        table = read_table(shipped(learned))
        off_by.append(sum(best_responses(rules_of("aces-off"), (1, 1), table)) / 2)

    assert off_by == sorted(off_by, reverse=True)
    assert off_by[0] > 0.004


def test_a_match_follows_from_its_rounds() -> None:
    worths = Worths(rules_of("aces-others_lose"))

    for dice in pairs(3, 5):
        learn(worths.rules, dice, worths, Effort(2, 60))

    assert worths.known[1, 1] == pytest.approx(0.5, abs=0.005)
    assert worths.known[2, 1] == pytest.approx(0.7778, abs=0.02)
    assert worths.known[1, 2] == pytest.approx(0.2326, abs=0.02)


def test_a_table_says_what_was_written() -> None:
    opener = (1, [[(1, WHOLE)], [(2, 1000), (0, 3000)], []])
    other = (2, [[], [], [(0, WHOLE)], [(1, 1), (0, WHOLE - 1)], [], []])

    table = read_table(write_table(1, 2, (opener, other)))

    assert table.mix(0, [], 0) == [(1, WHOLE)]
    assert table.mix(0, [0], 0) == [(2, 1000), (0, 3000)]
    assert table.mix(1, [0], 1) == [(1, 1), (0, WHOLE - 1)]
    assert table.mix(1, [0, 1], 0) == []


def test_where_dice_are_won_back_the_worths_of_matches_settle() -> None:
    worths = Worths(Rules(seats=2, starting_dice=2, ones="straight", exact="regain"))

    settle(worths)
    settled = dict(worths.known)
    for dice in pairs(4, 2):
        learn(worths.rules, dice, worths, Effort(1, 30))

    assert worths.known == pytest.approx(settled, abs=0.01)
    assert worths.known[2, 1] > worths.known[1, 1] > worths.known[1, 2]


def test_the_best_opponent_of_a_match_has_an_even_chance_against_an_equilibrium() -> None:
    rules, worths = rules_of("aces-others_lose"), Worths(rules_of("aces-others_lose"))
    tables = {}
    for dice in pairs(3, 5):
        learned = learn(rules, dice, worths, Effort(2, 60))
        tables[dice] = read_table(shipped(learned))

    match = BestMatch(rules, tables.__getitem__)

    for mine, theirs in ((1, 1), (2, 1), (1, 2)):
        both = match.chance(mine, theirs, i_open=True) + match.chance(theirs, mine, i_open=False)
        assert 1 <= both < 1.05


def test_a_trained_opponent_wins_less_than_the_best_one_but_not_nothing() -> None:
    learned = RecentBids(round_between(rules_of("aces-off"), (1, 1), (Stakes(), Stakes())), 1)
    learned.run(60)
    table = read_table(shipped(learned))

    best = sum(best_responses(rules_of("aces-off"), (1, 1), table))
    trained = sum(trained_responses(rules_of("aces-off"), (1, 1), table, memory=3, turns=40))

    assert 0.001 < trained <= best + 1e-6
