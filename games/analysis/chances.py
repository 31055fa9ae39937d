"""The chances to win a match as its rounds went: before each round, after the last, and at the end."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from games.computers.worth import Standing, chance_to_win
from games.engine.rules import Rules

Document: TypeAlias = Mapping[str, Any]
Chances: TypeAlias = dict[int, float]
"""By seat; those of all seats of a match come to one."""


def chances_before(rules: Rules, reveal: Document, seats: Iterable[int]) -> Chances:
    """Everybody's chance to win the match when this round was about to begin."""
    dice = {int(seat): len(hand) for seat, hand in reveal["hands"].items()}
    return _chances(rules, Standing(dict(sorted(dice.items())), reveal["opener"]), seats)


def chances_after(rules: Rules, reveal: Document, seats: Iterable[int]) -> Chances:
    """The same once this round was called."""
    changes = reveal["changes"]
    dice = {int(seat): len(hand) + changes.get(seat, 0) for seat, hand in reveal["hands"].items()}
    left = {seat: held for seat, held in sorted(dice.items()) if held > 0}
    opener = reveal["next_opener"]
    return _chances(rules, Standing(left, min(left) if opener is None else opener), seats)


def chances_at_the_end(result: Document | None, seats: Iterable[int]) -> Chances | None:
    """One for the winner, or shared among those who drew; None where the match has no result."""
    if result is None:
        return None
    if result["winner"] is not None:
        first = [result["winner"]]
    else:
        first = [int(seat) for seat, place in result["places"].items() if place == 1]
    return {seat: 1 / len(first) if seat in first else 0.0 for seat in seats}


def _chances(rules: Rules, standing: Standing, seats: Iterable[int]) -> Chances:
    return {seat: chance_to_win(rules, standing, seat) for seat in seats}
