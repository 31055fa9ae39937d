"""The shipped tables against exact values, and against the best opponent there can be."""

from sys import getsizeof

import pytest

from games.computers.endgame import TABLES_AT_HAND, value
from games.computers.endgame_tables import FOLDER, read_table
from games.engine.rules import Rules
from tests.solving.best_response import exploitable_by
from tests.solving.kinds import FULL, options_of

MEGABYTE = 1_000_000

# What the opener's chance to win the match is known to be.
OPENERS_CHANCES = [
    ("aces-off", 1, 1, 0.4722),
    ("aces-off", 2, 1, 0.8048),
    ("aces-off", 1, 2, 0.2020),
    ("aces-off", 2, 2, 0.5106),
    ("aces-others_lose", 1, 1, 0.5),
    ("aces-others_lose", 2, 1, 0.7778),
    ("aces-others_lose", 1, 2, 0.2326),
    ("aces-others_lose", 2, 2, 0.5021),
    ("straight-off", 1, 1, 4 / 9),
    ("straight-others_lose", 1, 1, 0.5),
]

# What a round of ±1 is known to be worth to the opener.
WORTHS_OF_ROUNDS = [
    ("aces-off", 2, 1, 0.2603),
    ("aces-off", 1, 2, -0.2344),
    ("straight-off", 2, 1, 0.2748),
    ("straight-off", 1, 2, -0.2716),
    ("aces-others_lose", 2, 1, 0.1113),
    ("aces-others_lose", 1, 2, -0.0695),
    ("straight-others_lose", 2, 1, 0.0695),
    ("straight-others_lose", 1, 2, -0.0555),
]


def rules_of(kind: str) -> Rules:
    return Rules(seats=2, **options_of(kind))  # type: ignore[arg-type]


def chance(kind: str, mine: int, theirs: int, *, i_open: bool = True) -> float:
    known = value(rules_of(kind), mine=mine, theirs=theirs, i_open=i_open)
    assert known is not None
    return known


@pytest.mark.parametrize(("kind", "mine", "theirs", "known"), OPENERS_CHANCES)
def test_a_match_is_worth_what_is_known(kind: str, mine: int, theirs: int, known: float) -> None:
    assert chance(kind, mine, theirs) == pytest.approx(known, abs=0.0015)


@pytest.mark.parametrize(("kind", "mine", "theirs", "known"), WORTHS_OF_ROUNDS)
def test_a_round_is_worth_what_is_known(kind: str, mine: int, theirs: int, known: float) -> None:
    won, lost = (1.0, chance(kind, 1, 1)) if mine == 2 else (1 - chance(kind, 1, 1), 0.0)

    worth = 2 * (chance(kind, mine, theirs) - lost) / (won - lost) - 1

    assert worth == pytest.approx(known, abs=0.0025)


def test_a_match_that_is_over_is_won_or_lost() -> None:
    assert chance("aces-off", 1, 0) == 1
    assert chance("aces-off", 0, 1) == 0
    assert chance("aces-off", 1, 2, i_open=False) == 1 - chance("aces-off", 2, 1)


@pytest.mark.parametrize("kind", FULL)
@pytest.mark.parametrize(
    ("opener", "other", "limit"), [(1, 1, 0.001), (2, 1, 0.003), (1, 2, 0.003)], ids=["1v1", "2v1", "1v2"]
)
def test_the_best_opponent_wins_next_to_nothing(kind: str, opener: int, other: int, limit: float) -> None:
    assert exploitable_by(options_of(kind), opener=opener, other=other) <= limit


@pytest.mark.parametrize(("kind", "limit"), [("sum-off", 0.001), ("sum-others_lose", 0.005)])
def test_with_sum_bidding_too_the_best_opponent_wins_little(kind: str, limit: float) -> None:
    assert exploitable_by(options_of(kind), opener=1, other=1) <= limit


def test_a_player_who_counts_is_found_to_be_readable() -> None:
    assert exploitable_by(options_of("aces-off"), opener=1, other=1, level="normal") > 0.1


def test_the_tables_are_small_in_the_repository_and_in_memory() -> None:
    files = list(FOLDER.glob("*/*.table"))
    tables = [read_table(file.read_bytes()) for file in files]
    sizes = [
        sum(getsizeof(part) for side in table.sides for part in (side.ends, side.moves, side.shares))
        for table in tables
    ]

    assert min(table.rungs for table in tables) >= 10
    assert sum(file.stat().st_size for file in files) < 12 * MEGABYTE
    assert sum(sorted(sizes)[-TABLES_AT_HAND:]) < 60 * MEGABYTE
