"""What may be bid, found a second time by trying every bid there could be."""

from hypothesis import given, settings

from games.engine.moves import Bid, IllegalMove, check_bid
from games.engine.state import State
from tests.engine.random_matches import Setting, play, ranges_of, settings_of_matches
from tests.model import bidding


def accepted(state: State, bid: Bid) -> bool:
    assert state.round is not None
    standing = state.round.standing
    try:
        check_bid(
            state.rules,
            bid,
            dice_in_play=state.dice_in_play,
            palifico=state.round.palifico,
            standing=standing.bid if standing else None,
        )
    except IllegalMove:
        return False
    return True


def every_bid(state: State) -> list[tuple[str, int, Bid]]:
    """Every quantity of every face and every total, and some that no dice could show."""
    dice = state.dice_in_play
    if state.rules.sums:
        return [("total", total, Bid(total=total)) for total in range(6 * dice + 3)]
    return [
        (str(face), quantity, Bid(quantity=quantity, face=face))
        for face in range(9)
        for quantity in range(dice + 3)
    ]


@settings(max_examples=60)
@given(settings_of_matches())
def test_the_ranges_hold_exactly_the_bids_that_pass(setting: Setting) -> None:
    for step in play(setting):
        if step.after.round is None:
            continue
        ranges = ranges_of(step.after)
        for key, amount, bid in every_bid(step.after):
            lowest, highest = ranges.get(key, (1, 0))
            assert accepted(step.after, bid) == (lowest <= amount <= highest)


@settings(max_examples=60)
@given(settings_of_matches())
def test_the_ranges_are_those_of_the_rules_written_a_second_time(setting: Setting) -> None:
    for step in play(setting):
        round = step.after.round
        if round is None:
            continue
        standing = round.standing.bid.document() if round.standing else None
        expected = bidding.ranges(setting.rules.document(), standing, step.after.dice_in_play, round.palifico)

        assert {key: list(ends) for key, ends in ranges_of(step.after).items()} == expected
