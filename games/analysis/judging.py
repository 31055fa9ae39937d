"""One decision weighed: how likely its bid was, what Hard plays there, and what the move played cost."""

from dataclasses import dataclass

from games.computers import hard
from games.computers.odds import BidOdds, chance_exact, odds_of_bid
from games.computers.reading import believed
from games.computers.situation import Decision, Mix, Situation
from games.engine.moves import Bid

OFTEN = 0.01
"""A move that the equilibrium plays so often costs nothing: it is as good there as any other it plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is to be said of one decision. Of a call, the bid is the one that was called."""

    odds: BidOdds  # of the bid, from the dice of this chair alone
    told: float  # the chance that it is true, with what the bids so far gave away
    exactly: float  # the chance that just so much is there, from the dice of this chair alone
    mix: Mix  # what Hard plays here
    cost: float  # in chance to win the match, against the best that Hard sees


def judged(situation: Situation, played: Decision) -> Judgement:
    """Weigh what a seat did. Raises `ValueError` for a call while no bid stands."""
    bid = played if isinstance(played, Bid) else situation.standing
    if bid is None:
        raise ValueError("nobody calls before there is a bid")
    weighed = hard.weighed(situation, played)
    return Judgement(
        odds=_odds(situation, bid),
        told=believed(situation, bid),
        exactly=chance_exact(
            situation.rules,
            bid,
            hand=situation.hand,
            dice_in_play=situation.dice_in_play,
            palifico=situation.palifico,
        ),
        mix=weighed.mix,
        cost=_cost(weighed, played),
    )


def _odds(situation: Situation, bid: Bid) -> BidOdds:
    return odds_of_bid(
        situation.rules,
        bid,
        hand=situation.hand,
        dice_in_play=situation.dice_in_play,
        palifico=situation.palifico,
    )


def _cost(weighed: hard.Weighed, played: Decision) -> float:
    """How much worse this was than the best. An equilibrium is indifferent among the moves that it plays."""
    worths = weighed.worths
    if not weighed.by_heart:
        return max(worths.values()) - worths[played]
    if weighed.mix.get(played, 0.0) >= OFTEN:
        return 0.0
    expected = sum(chance * worths[move] for move, chance in weighed.mix.items())
    return max(0.0, expected - worths[played])
