"""The odds against every way the other dice can lie, counted one by one."""

from itertools import product
from math import isclose

import pytest

from games.computers.odds import (
    chance_exact,
    chance_of_sum,
    chance_of_sum_at_least,
    chance_true,
    chances_of_each,
    odds_of_bid,
)
from games.engine.moves import Bid, amount_of, count_matching
from games.engine.rules import Rules

WAYS = {
    "aces": Rules(),
    "wild": Rules(ones="wild"),
    "low": Rules(ones="low"),
    "straight": Rules(ones="straight"),
    "sum": Rules(bidding="sum", ones="straight"),
}
HANDS = [(), (1,), (6, 6), (1, 3, 3), (1, 1, 2, 5)]


def every_bid(rules: Rules, dice: int) -> list[Bid]:
    if rules.sums:
        return [Bid(total=total) for total in range(1, 6 * dice + 1)]
    return [Bid(quantity=quantity, face=face) for face in range(1, 7) for quantity in range(1, dice + 1)]


def counts(rules: Rules, bid: Bid, hand: tuple[int, ...], hidden: int, palifico: bool) -> list[int]:
    """What the bid counts in every way that the hidden dice can lie."""
    return [
        count_matching(rules, bid, [hand, others], palifico=palifico)
        for others in product(range(1, 7), repeat=hidden)
    ]


@pytest.mark.parametrize("palifico", [False, True])
@pytest.mark.parametrize("ones", WAYS)
def test_the_chances_are_the_share_of_all_ways_the_hidden_dice_can_lie(ones: str, palifico: bool) -> None:
    rules = WAYS[ones]
    for hand, hidden in product(HANDS, range(1, 4)):
        dice = len(hand) + hidden
        for bid in every_bid(rules, dice):
            found = counts(rules, bid, hand, hidden, palifico)
            seen = {"hand": hand, "dice_in_play": dice, "palifico": palifico}
            true = sum(1 for count in found if count >= amount_of(bid)) / len(found)
            exact = sum(1 for count in found if count == amount_of(bid)) / len(found)

            assert isclose(chance_true(rules, bid, **seen), true, abs_tol=1e-12)
            assert isclose(chance_exact(rules, bid, **seen), exact, abs_tol=1e-12)


@pytest.mark.parametrize("palifico", [False, True])
@pytest.mark.parametrize("ones", WAYS)
def test_a_bid_is_weighed_by_what_is_held_what_is_missing_and_what_comes_on_average(
    ones: str, palifico: bool
) -> None:
    rules = WAYS[ones]
    for hand, hidden in product(HANDS, range(4)):
        for bid in every_bid(rules, len(hand) + hidden):
            found = counts(rules, bid, hand, hidden, palifico)
            held = count_matching(rules, bid, [hand], palifico=palifico)
            odds = odds_of_bid(rules, bid, hand=hand, dice_in_play=len(hand) + hidden, palifico=palifico)

            assert (odds.held, odds.hidden) == (held, hidden)
            assert odds.needed == max(0, amount_of(bid) - held)
            assert isclose(odds.held + odds.expected, sum(found) / len(found))
            assert isclose(
                odds.chance, sum(1 for count in found if count >= amount_of(bid)) / len(found), abs_tol=1e-12
            )


@pytest.mark.parametrize("faces", [1, 2])
def test_the_chances_of_all_numbers_come_to_one(faces: int) -> None:
    for dice in (0, 1, 5, 29):
        chances = chances_of_each(dice, faces)
        assert len(chances) == dice + 1
        assert isclose(sum(chances), 1)
        assert isclose(sum(hits * chance for hits, chance in enumerate(chances)), dice * faces / 6)


@pytest.mark.parametrize("ones", WAYS)
def test_a_bid_is_certain_only_where_no_way_makes_it_false(ones: str) -> None:
    rules = WAYS[ones]
    for hand, hidden in product(HANDS, range(1, 4)):
        dice = len(hand) + hidden
        for bid in every_bid(rules, dice):
            chance = chance_true(rules, bid, hand=hand, dice_in_play=dice, palifico=False)
            lowest = min(counts(rules, bid, hand, hidden, False))

            assert (chance == 1) == (lowest >= amount_of(bid))


@pytest.mark.parametrize("dice", [0, 1, 2, 5, 29])
def test_the_chances_of_all_sums_come_to_one(dice: int) -> None:
    assert isclose(sum(chance_of_sum(dice, total) for total in range(6 * dice + 1)), 1)
    assert chance_of_sum(dice, 6 * dice + 1) == chance_of_sum(dice, -1) == 0
    assert chance_of_sum_at_least(dice, dice) == 1
    assert isclose(chance_of_sum_at_least(dice, 6 * dice), 6.0**-dice)
