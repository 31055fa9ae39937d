"""The one function that anybody outside may ask what a level plays."""

import subprocess
import sys
from random import Random

import pytest

from games.computers import strategy
from games.computers.ladder import ladder, may_open
from games.computers.levels import LEVELS
from games.computers.strategies import NoSuchState
from games.engine.moves import Bid, legal_bids
from games.engine.rules import Rules, RulesRefused
from tests.solving.kinds import EVERY_RULES

ACES = {"ones": "aces", "exact": "off"}


def plain(bid: Bid) -> tuple[int, int | None]:
    return (bid.total, None) if bid.total is not None else bid.parts


def some_history(rules: Rules, dice: int, rng: Random) -> list[Bid]:
    bids = sorted(rng.sample(ladder(rules, dice), rng.randrange(6)), key=ladder(rules, dice).index)
    while bids and not may_open(rules, bids[0]):
        bids.pop(0)
    return bids


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", EVERY_RULES)
def test_every_level_plays_legal_moves_whose_chances_add_up_to_one(level: str, rules: Rules) -> None:
    rng = Random(7)
    for _ in range(60):
        mine, theirs = rng.randint(1, 5), rng.randint(1, 5)
        bids = some_history(rules, mine + theirs, rng)
        hand = tuple(rng.randint(1, 6) for _ in range(mine))

        mix = strategy(level, rules.document(), hand, theirs, list(map(plain, bids)), len(bids) % 2 == 0)

        assert sum(mix.values()) == pytest.approx(1)
        assert min(mix.values()) >= 0
        for move in mix:
            assert move in legal_moves(rules, mine + theirs, bids)


def legal_moves(rules: Rules, dice: int, bids: list[Bid]) -> set[object]:
    standing = bids[-1] if bids else None
    ranges = legal_bids(rules, dice_in_play=dice, palifico=False, standing=standing)
    moves: set[object] = {
        ("bid", amount, None if face == "total" else int(face))
        for face, (lowest, highest) in ranges.items()
        for amount in range(lowest, highest + 1)
    }
    if standing:
        moves.add("liar")
        if rules.exact != "off":
            moves.add("exact")
    return moves


def test_the_order_of_the_dice_makes_no_difference() -> None:
    assert strategy("hard", ACES, (5, 2), 1, [], True) == strategy("hard", ACES, (2, 5), 1, [], True)


def test_options_left_out_have_their_defaults() -> None:
    assert strategy("hard", {}, (3,), 1, [(1, 3)], False) == strategy(
        "hard", {"ones": "aces", "exact": "others_lose", "seats": 2}, (3,), 1, [(1, 3)], False
    )


def test_hard_bluffs_so_that_its_opening_does_not_tell_its_die() -> None:
    openings = [strategy("hard", ACES, (face,), 1, [], True) for face in range(2, 7)]

    assert all(len(mix) > 1 for mix in openings)


@pytest.mark.parametrize(
    ("hand", "theirs", "bids", "opener"),
    [
        ((7,), 1, [], True),
        ((), 1, [], True),
        ((3,), 6, [], True),
        ((3,), 1, [(1, 3)], True),
        ((3,), 1, [], False),
        ((3,), 1, [(3, 3)], False),
        ((3,), 1, [(1, 1)], False),
        ((3,), 1, [(1, 4), (1, 3)], True),
    ],
    ids=[
        "no such face",
        "no dice",
        "too many dice",
        "the other opened",
        "the other is to open",
        "more than there are dice",
        "opened on ones",
        "not a raise",
    ],
)
def test_a_state_that_cannot_come_up_is_refused(
    hand: tuple[int, ...], theirs: int, bids: list[tuple[int, int]], opener: bool
) -> None:
    with pytest.raises(NoSuchState):
        strategy("hard", ACES, hand, theirs, bids, opener)


@pytest.mark.parametrize(("hand", "theirs"), [((3.0,), 1), ((True,), 1), ((3,), 1.0), ((3,), True)])
def test_what_is_no_whole_number_is_no_die(hand: tuple[int, ...], theirs: int) -> None:
    with pytest.raises(NoSuchState):
        strategy("hard", ACES, hand, theirs, [], True)


def test_true_is_no_number_of_dice_though_it_was_asked_for_one_before() -> None:
    strategy("hard", {"starting_dice": 1}, (3,), 1, [], True)

    with pytest.raises(RulesRefused):
        strategy("hard", {"starting_dice": True}, (3,), 1, [], True)


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(NoSuchState, match="level"):
        strategy("genius", ACES, (3,), 1, [], True)


def test_asking_needs_neither_django_nor_numbers_of_others() -> None:
    asks = (
        "import sys; from games.computers import strategy; strategy('hard', {}, (3,), 1, [], True); "
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)

    assert "games" in run.stdout.split()
    assert not {"django", "numpy", "random", "secrets"} & set(run.stdout.split())
