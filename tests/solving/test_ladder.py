"""The bids of a round are one ladder, whatever the options."""

import pytest

from games.computers.ladder import hands_of, ladder, may_open, ways_to_roll
from games.engine.moves import Bid, BidRanges, legal_bids
from games.engine.rules import Rules
from tests.solving.kinds import EVERY_RULES


def bids_in(ranges: BidRanges) -> set[Bid]:
    if "total" in ranges:
        return {Bid(total=total) for total in range(ranges["total"][0], ranges["total"][1] + 1)}
    return {
        Bid(quantity=quantity, face=int(face))
        for face, (lowest, highest) in ranges.items()
        for quantity in range(lowest, highest + 1)
    }


@pytest.mark.parametrize("rules", EVERY_RULES)
def test_a_bid_may_be_raised_to_every_rung_above_it_and_to_no_other(rules: Rules) -> None:
    for dice in range(2, 11):
        rungs = ladder(rules, dice)
        for rung, bid in enumerate(rungs):
            legal = legal_bids(rules, dice_in_play=dice, palifico=False, standing=bid)
            assert bids_in(legal) == set(rungs[rung + 1 :])


@pytest.mark.parametrize("rules", EVERY_RULES)
def test_a_round_may_be_opened_on_every_rung_but_ones_where_they_may_not_be_opened_on(rules: Rules) -> None:
    legal = legal_bids(rules, dice_in_play=5, palifico=False, standing=None)

    assert {bid for bid in ladder(rules, 5) if may_open(rules, bid)} == bids_in(legal)


@pytest.mark.parametrize("dice", range(1, 6))
def test_hands_stand_for_every_way_to_roll(dice: int) -> None:
    assert sum(ways_to_roll(hand) for hand in hands_of(dice)) == 6**dice
