"""What bids give away: held against a slow count of every way the dice can lie, and against common sense."""

from collections.abc import Sequence
from itertools import product
from math import exp, isclose

import pytest

from games.computers import reading
from games.computers.odds import chance_true
from games.computers.reading import Beliefs, believed
from games.computers.situation import Situation, between_two
from games.engine.moves import Bid, amount_of, count_matching, legal_bids
from games.engine.rules import Rules

WAYS = {
    "aces": Rules(),
    "wild": Rules(ones="wild"),
    "low": Rules(ones="low"),
    "straight": Rules(ones="straight"),
    "sum": Rules(bidding="sum", ones="straight"),
}


def situation(
    rules: Rules, bids: Sequence[tuple[int, Bid]], dice: Sequence[int] = (2, 2, 2), hand: str = "26"
) -> Situation:
    """Seat 0 is to move, with this hand."""
    in_play, standing = sum(dice), bids[-1][1] if bids else None
    return Situation(
        rules=rules,
        seat=0,
        hand=tuple(map(int, hand)),
        dice=dict(enumerate(dice)),
        bids=tuple(bids),
        palifico=False,
        ranges=legal_bids(rules, dice_in_play=in_play, palifico=False, standing=standing),
    )


def bid(*parts: int) -> Bid:
    return Bid(quantity=parts[0], face=parts[1]) if len(parts) == 2 else Bid(total=parts[0])


@pytest.mark.parametrize("ones", WAYS)
def test_who_has_not_bid_may_hold_anything(ones: str) -> None:
    rules = WAYS[ones]
    standing = bid(9) if rules.sums else bid(2, 5)
    beliefs = Beliefs(situation(rules, [(2, standing)]))
    face = 0 if rules.sums else 3

    counted = [0] * 13
    for hand in product(range(1, 7), repeat=2):
        counted[count_matching(rules, bid(1) if rules.sums else bid(1, 3), [hand], palifico=False)] += 1

    for held, chance in enumerate(beliefs.of(1, face)):
        assert isclose(chance, counted[held] / 36, abs_tol=1e-9)


@pytest.mark.parametrize("ones", ["aces", "wild", "low", "straight"])
def test_reading_is_bayes_rule_over_every_hand(ones: str) -> None:
    """The model once more, slowly: each roll of two dice, each bid that may come to mind, one by one."""
    rules = WAYS[ones]
    opening, standing = bid(1, 4), bid(2, 5)
    view = situation(rules, [(0, opening), (1, standing)])

    weights = {hand: weight_of(rules, hand, opening, standing) for hand in product(range(1, 7), repeat=2)}

    for face in range(2, 7):
        expected = [0.0] * 3
        for hand, weight in weights.items():
            expected[count_matching(rules, bid(1, face), [hand], palifico=False)] += weight
        found = Beliefs(view).of(1, face)
        for held, chance in enumerate(found):
            assert isclose(chance, expected[held] / sum(weights.values()), abs_tol=1e-9)


def weight_of(rules: Rules, hand: tuple[int, ...], before: Bid, made: Bid) -> float:
    """How likely the model takes this hand, of six dice in play, to raise `before` to `made`."""

    def attraction(chance: float) -> float:
        return exp(reading.HONESTY * min(chance, reading.SURE))

    def seems(claim: Bid) -> float:
        return chance_true(rules, claim, hand=hand, dice_in_play=6, palifico=False)

    ranges = legal_bids(rules, dice_in_play=6, palifico=False, standing=before)
    in_mind = [
        bid(quantity, int(face))
        for face, (lowest, highest) in ranges.items()
        for quantity in range(lowest, min(highest, lowest + reading.STEPS) + 1)
    ]
    everything = sum(attraction(seems(claim)) for claim in in_mind)
    everything += reading.CALLS * attraction(1 - seems(before))
    honest = attraction(seems(made)) / everything
    # The lowest raise of one four is one five: whoever raises to two fives does not climb by little.
    assert made != bid(1, 5)
    at_random = 1 / (len(in_mind) + reading.CALLS)
    return reading.HONEST * honest + reading.BLUFF * at_random


@pytest.mark.parametrize("ones", ["aces", "wild", "low", "straight"])
def test_a_bid_speaks_for_its_face_and_a_little_against_the_others(ones: str) -> None:
    rules, quantity = WAYS[ones], 3 if ones == "straight" else 4
    quiet = Beliefs(situation(rules, [], dice=(2, 5, 5)))
    heard = Beliefs(situation(rules, [(1, bid(quantity, 5))], dice=(2, 5, 5)))

    assert mean(heard.of(1, 5)) > mean(quiet.of(1, 5)) + 0.3
    assert mean(heard.of(1, 3)) < mean(quiet.of(1, 3)) + 0.2
    assert mean(heard.of(2, 5)) == pytest.approx(mean(quiet.of(2, 5)))


def test_a_high_total_speaks_for_many_pips() -> None:
    rules = WAYS["sum"]
    quiet = Beliefs(situation(rules, [], dice=(2, 5, 5)))
    heard = Beliefs(situation(rules, [(0, bid(40)), (1, bid(46))], dice=(2, 5, 5)))

    assert mean(heard.of(1, 0)) > mean(quiet.of(1, 0)) + 0.5


def test_the_lowest_raise_says_less_than_a_leap() -> None:
    rules = WAYS["straight"]
    lowest = Beliefs(situation(rules, [(0, bid(3, 4)), (1, bid(3, 5))], dice=(5, 5, 5), hand="11111"))
    leap = Beliefs(situation(rules, [(0, bid(3, 4)), (1, bid(4, 5))], dice=(5, 5, 5), hand="11111"))

    assert mean(lowest.of(1, 5)) < mean(leap.of(1, 5)) - 0.2


@pytest.mark.parametrize("ones", WAYS)
def test_what_is_believed_is_certain_only_where_it_is_so(ones: str) -> None:
    rules = WAYS[ones]
    for claim in [bid(9), bid(14), bid(31)] if rules.sums else [bid(1, 2), bid(3, 6), bid(6, 6)]:
        chance = believed(situation(rules, [(1, claim)]), claim)
        proven = count_matching(rules, claim, [(2, 6)], palifico=False) >= amount_of(claim)

        assert 0 < chance < 1 or chance == proven or claim == bid(9)


def test_the_own_dice_count_as_they_are() -> None:
    view = between_two(WAYS["straight"], (6, 6), 1, [bid(3, 6)])

    assert believed(view, bid(2, 6)) == 1
    assert believed(view, bid(4, 6)) == 0


def climbed(rules: Rules, lowest: int, steps: int) -> list[tuple[int, Bid]]:
    """Seat 0 opens with so many twos (or pips), and all raise by the least in turn, up to so many bids."""
    bids = [bid(lowest) if rules.sums else bid(lowest, 2)]
    while len(bids) < steps:
        ranges = legal_bids(rules, dice_in_play=15, palifico=False, standing=bids[-1])
        least, key = min((amount, face) for face, (amount, _) in ranges.items())
        bids.append(bid(least) if key == "total" else bid(least, int(key)))
    return [(number % 3, made) for number, made in enumerate(bids)]


@pytest.mark.parametrize("ones", ["aces", "wild", "low", "straight"])
def test_who_raises_by_the_least_over_what_can_hardly_be_true_is_taken_never_to_call(ones: str) -> None:
    rules = WAYS[ones]
    found = []
    for lowest in (1, 3, 6, 8):
        view = situation(rules, climbed(rules, lowest, 6), dice=(5, 5, 5), hand="22345")
        found.append(Beliefs(view).never_calls(1))

    assert found[0] < 0.3  # they may as well climb, and will call in the end
    assert found[0] < found[2] < found[3]
    assert found[3] > 0.9


@pytest.mark.parametrize("ones", WAYS)
def test_who_has_not_raised_by_the_least_is_not(ones: str) -> None:
    rules = WAYS[ones]
    leap = [(1, bid(40)), (2, bid(44)), (0, bid(45)), (1, bid(49))]
    if not rules.sums:
        leap = [(1, bid(4, 5)), (2, bid(6, 5)), (0, bid(6, 6)), (1, bid(8, 5))]
    beliefs = Beliefs(situation(rules, leap, dice=(5, 5, 5), hand="22345"))

    assert beliefs.never_calls(1) == 0


@pytest.mark.parametrize("ones", WAYS)
def test_of_who_has_said_nothing_it_is_as_likely_as_of_anybody(ones: str) -> None:
    view = situation(WAYS[ones], [], dice=(5, 5, 5), hand="22345")

    assert Beliefs(view).never_calls(1) == pytest.approx(reading.STUBBORN)


@pytest.mark.parametrize("ones", ["aces", "wild", "low", "straight"])
def test_what_somebody_raises_who_never_calls_says_nothing_of_their_dice(ones: str) -> None:
    rules = WAYS[ones]
    quiet = Beliefs(situation(rules, [], dice=(5, 5, 5), hand="22345"))
    stubborn = Beliefs(situation(rules, climbed(rules, 9, 6), dice=(5, 5, 5), hand="22345"))

    assert stubborn.never_calls(1) > 0.9
    for face in range(1, 7):
        assert mean(stubborn.of(1, face)) == pytest.approx(mean(quiet.of(1, face)), abs=0.15)


def mean(counts: Sequence[float]) -> float:
    return sum(held * chance for held, chance in enumerate(counts))
