"""The worked examples of the guide, as data. A test runs every one of them through the engine."""

from collections.abc import Mapping

from games.engine.moves import Bid
from games.web.worked import Example, Outcome, Raises, Round, Weighing

ALICE, BOB, CAROL, DAVE = range(4)

SUM = {"bidding": "sum", "ones": "straight", "exact": "regain"}
FIVE_THREES = ("1336", "1245", "3556")
"""The hands that the four ways of ones are compared with."""


def of(quantity: int, face: int) -> Bid:
    """A bid as one says it: of four twos, `of(4, 2)`."""
    return Bid(quantity=quantity, face=face)


def total(pips: int) -> Bid:
    return Bid(total=pips)


ROUNDS = (
    Round(
        key="seven-twos",
        title="A bid too high",
        hands=("12346", "12256", "23456"),
        bids=((ALICE, of(4, 2)), (BOB, of(7, 2))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=6, right=True, changes={BOB: -1}, left=14, opens=BOB),
    ),
    Round(
        key="six-twos",
        title="The same dice, one fewer bid",
        hands=("12346", "12256", "23456"),
        bids=((ALICE, of(4, 2)), (BOB, of(6, 2))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=6, right=False, changes={CAROL: -1}, left=14, opens=CAROL),
    ),
    Round(
        key="four-fours",
        title="What one holds oneself is not enough",
        hands=("245", "146", "2336"),
        bids=((ALICE, of(2, 4)), (BOB, of(4, 4))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=3, right=True, changes={BOB: -1}, left=9, opens=BOB),
    ),
    Round(
        key="last-die",
        title="Out of the match",
        hands=("35", "6", "224"),
        bids=((ALICE, of(1, 5)), (BOB, of(3, 5))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=1, right=True, changes={BOB: -1}, left=5, opens=CAROL, places={BOB: 3}),
    ),
    Round(
        key="three-ones",
        title="A bid on ones",
        hands=("12346", "12256", "23456"),
        bids=((ALICE, of(5, 2)), (BOB, of(3, 1))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=2, right=True, changes={BOB: -1}, left=14, opens=BOB),
    ),
    Round(
        key="five-threes-wild",
        title="Five threes, where ones are wild",
        hands=FIVE_THREES,
        bids=((ALICE, of(3, 3)), (BOB, of(5, 3))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=5, right=False, changes={CAROL: -1}, left=11, opens=CAROL),
    ),
    Round(
        key="five-threes-straight",
        title="The same dice and bids, where they are plain",
        options={"ones": "straight"},
        hands=FIVE_THREES,
        bids=((ALICE, of(3, 3)), (BOB, of(5, 3))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=3, right=True, changes={BOB: -1}, left=11, opens=BOB),
    ),
    Round(
        key="spot-on",
        title="Exactly right",
        hands=("35", "2", "136", "4"),
        bids=((ALICE, of(1, 3)), (BOB, of(3, 3))),
        call=(CAROL, "exact"),
        outcome=Outcome(
            count=3,
            right=True,
            changes={ALICE: -1, BOB: -1, DAVE: -1},
            left=4,
            opens=CAROL,
            places={BOB: 3, DAVE: 3},
        ),
    ),
    Round(
        key="spot-off",
        title="One more than was bid",
        hands=("255", "136", "145"),
        bids=((ALICE, of(3, 5)), (BOB, of(4, 5))),
        call=(CAROL, "exact"),
        outcome=Outcome(count=5, right=False, changes={CAROL: -1}, left=8, opens=CAROL),
    ),
    Round(
        key="regain",
        title="A die won back",
        options={"exact": "regain"},
        hands=("2245", "13366", "246"),
        bids=((ALICE, of(3, 2)), (BOB, of(4, 2))),
        call=(CAROL, "exact"),
        outcome=Outcome(count=4, right=True, changes={CAROL: 1}, left=13, opens=CAROL),
    ),
    Round(
        key="regain-full",
        title="Right, with nothing to win back",
        options={"exact": "regain"},
        hands=("2245", "13366", "24566"),
        bids=((ALICE, of(3, 2)), (BOB, of(4, 2))),
        call=(CAROL, "exact"),
        outcome=Outcome(count=4, right=True, left=14, opens=CAROL),
    ),
    Round(
        key="palifico",
        title="A palifico round",
        options={"palifico": True},
        hands=("114", "4", "1246"),
        bids=((BOB, of(1, 4)), (CAROL, of(2, 4)), (ALICE, of(3, 4))),
        call=(BOB, "liar"),
        palifico=True,
        outcome=Outcome(count=3, right=False, changes={BOB: -1}, left=7, opens=CAROL, places={BOB: 3}),
    ),
    Round(
        key="palifico-queue",
        title="Two drop to one die at once",
        options={"palifico": True},
        hands=("24", "15", "255"),
        bids=((ALICE, of(2, 5)), (BOB, of(4, 5))),
        call=(CAROL, "exact"),
        outcome=Outcome(
            count=4,
            right=True,
            changes={ALICE: -1, BOB: -1},
            left=5,
            opens=ALICE,
            palifico=True,
            waiting=(BOB,),
        ),
    ),
    Round(
        key="sum",
        title="A total too high",
        options=SUM,
        hands=("256", "16", "334"),
        bids=((ALICE, total(24)), (BOB, total(31))),
        call=(CAROL, "liar"),
        outcome=Outcome(count=30, right=True, changes={BOB: -1}, left=7, opens=BOB),
    ),
)

RAISES = (
    Raises(
        key="after-four-fives",
        title="More dice, or a higher face",
        dice_in_play=20,
        stands=of(4, 5),
        allowed=(of(4, 6), of(5, 2), of(9, 5)),
        refused=(of(4, 4), of(3, 6)),
    ),
    Raises(
        key="halving-seven",
        title="To ones: half, rounded up",
        dice_in_play=20,
        stands=of(7, 4),
        allowed=(of(4, 1), of(6, 1)),
        refused=(of(3, 1),),
    ),
    Raises(
        key="halving-five",
        title="Half of five is three",
        dice_in_play=20,
        stands=of(5, 4),
        allowed=(of(3, 1),),
        refused=(of(2, 1),),
    ),
    Raises(
        key="doubling",
        title="From ones back: double, and one more",
        dice_in_play=20,
        stands=of(3, 1),
        allowed=(of(7, 4), of(7, 2), of(4, 1)),
        refused=(of(6, 4), of(3, 6)),
    ),
    Raises(
        key="after-four-ones",
        title="What four ones leave the next one",
        dice_in_play=20,
        stands=of(4, 1),
        allowed=(of(5, 1), of(9, 5)),
        refused=(of(8, 5),),
    ),
    Raises(
        key="two-sixes",
        title="Two dice in play, and two sixes stand",
        dice_in_play=2,
        stands=of(2, 6),
        allowed=(of(1, 1), of(2, 1)),
        refused=(of(2, 5),),
    ),
    Raises(
        key="one-one",
        title="Then one one",
        dice_in_play=2,
        stands=of(1, 1),
        allowed=(of(2, 1),),
        refused=(of(2, 6),),
    ),
    Raises(
        key="two-ones",
        title="Then two ones",
        dice_in_play=2,
        stands=of(2, 1),
        refused=(of(2, 6),),
        none_left=True,
    ),
    Raises(
        key="open-aces",
        title="Opening, where nobody opens on ones",
        dice_in_play=20,
        stands=None,
        allowed=(of(1, 2), of(4, 6)),
        refused=(of(2, 1),),
    ),
    Raises(
        key="open-on-ones",
        title="Opening, where ones may open",
        options={"open_on_ones": True},
        dice_in_play=20,
        stands=None,
        allowed=(of(2, 1), of(1, 2)),
    ),
    Raises(
        key="wild",
        title="Ones are never bid",
        options={"ones": "wild"},
        dice_in_play=20,
        stands=of(3, 6),
        allowed=(of(4, 2),),
        refused=(of(9, 1),),
    ),
    Raises(
        key="low",
        title="Ones are the lowest face",
        options={"ones": "low"},
        dice_in_play=20,
        stands=of(3, 1),
        allowed=(of(3, 2), of(4, 1)),
        refused=(of(2, 6),),
    ),
    Raises(
        key="straight",
        title="Ones are a face like the others",
        options={"ones": "straight"},
        dice_in_play=20,
        stands=of(3, 6),
        allowed=(of(4, 1), of(4, 2)),
        refused=(of(3, 1),),
    ),
    Raises(
        key="palifico-raises",
        title="The face stays",
        options={"palifico": True},
        dice_in_play=8,
        palifico=True,
        stands=of(2, 4),
        allowed=(of(3, 4), of(5, 4)),
        refused=(of(3, 5), of(2, 6), of(1, 1)),
    ),
    Raises(
        key="palifico-opening",
        title="Ones may open a palifico round",
        options={"palifico": True},
        dice_in_play=8,
        palifico=True,
        stands=None,
        allowed=(of(1, 1), of(2, 6)),
    ),
    Raises(
        key="sum-raises",
        title="Every total is higher",
        options=SUM,
        dice_in_play=6,
        stands=total(20),
        allowed=(total(21), total(36)),
        refused=(total(20), total(37)),
    ),
)

WEIGHINGS = (
    Weighing(key="eight-fours", title="Eight fours", hand="1446", dice_in_play=23, bids=(of(8, 4),)),
    Weighing(
        key="first-game",
        title="Twenty dice, and five of them are yours",
        hand="14466",
        dice_in_play=20,
        bids=(of(6, 4), of(7, 4), of(8, 4), of(9, 4), of(10, 4)),
    ),
    Weighing(
        key="empty-handed",
        title="The same bids, without a four or a one",
        hand="23556",
        dice_in_play=20,
        bids=(of(6, 4), of(7, 4), of(8, 4)),
    ),
    Weighing(
        key="over-to-ones",
        title="Seven fours stand: two ways on",
        hand="11256",
        dice_in_play=20,
        bids=(of(7, 5), of(4, 1)),
    ),
    Weighing(
        key="two-dice",
        title="One die against one",
        hand="4",
        dice_in_play=2,
        bids=(of(1, 4), of(1, 6), of(1, 1), of(2, 4)),
    ),
    Weighing(
        key="plain-fours",
        title="The same hand, where ones are plain",
        options={"ones": "straight"},
        hand="1446",
        dice_in_play=23,
        bids=(of(5, 4), of(6, 4), of(8, 4)),
    ),
    Weighing(
        key="palifico-fours",
        title="The same hand in a palifico round",
        options={"palifico": True},
        hand="1446",
        dice_in_play=14,
        palifico=True,
        bids=(of(3, 4), of(4, 4), of(5, 4)),
    ),
    Weighing(
        key="a-total",
        title="A total",
        options=SUM,
        hand="2366",
        dice_in_play=12,
        bids=(total(40), total(45), total(50)),
    ),
)

EXAMPLES: Mapping[str, Example] = {
    example.key.replace("-", "_"): example for example in (*ROUNDS, *RAISES, *WEIGHINGS)
}
"""Every example under the name that templates have for it."""
