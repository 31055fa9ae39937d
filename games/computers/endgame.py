"""Equilibrium play for two seats: what the shipped tables say, and what a match is worth from here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeAlias

from games.computers.endgame_tables import FOLDER, WHOLE, Table, read_table
from games.computers.ladder import hands_of, ladder
from games.engine.dice import Hand
from games.engine.moves import Bid, Call
from games.engine.rules import Rules

Mix: TypeAlias = Mapping[Bid | Call, float]
"""Moves, each with the chance that it is played; together they make one."""

TABLES_AT_HAND = 8
"""How many tables are kept in memory: the largest takes a few megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A decision in an ordinary round of two seats, as the seat that is to move sees it."""

    rules: Rules
    hand: Hand = field(repr=False)
    theirs: int  # how many dice the other seat has
    bids: tuple[Bid, ...]  # of this round, oldest first

    @property
    def opener(self) -> bool:
        """Did the seat that is to move open the round?"""
        return len(self.bids) % 2 == 0

    @property
    def dice_in_play(self) -> int:
        return len(self.hand) + self.theirs

    @property
    def standing(self) -> Bid | None:
        return self.bids[-1] if self.bids else None


def mix(duel: Duel) -> Mix | None:
    """How an equilibrium plays here; None where no table is shipped or its own play would never have led."""
    dice = (len(duel.hand), duel.theirs) if duel.opener else (duel.theirs, len(duel.hand))
    table = table_of(folder_of(duel.rules), *dice)
    if table is None:
        return None
    numbers, moves = _rungs_and_moves(duel.rules, duel.dice_in_play)
    rungs = [numbers[bid] for bid in duel.bids]
    first = rungs[-1] + 1 if rungs else 0
    hand = _hand_numbers(len(duel.hand))[tuple(sorted(duel.hand))]
    found = table.mix(0 if duel.opener else 1, rungs, hand)
    return {moves[first + move]: share / WHOLE for move, share in found} or None


def value(rules: Rules, *, mine: int, theirs: int, i_open: bool) -> float | None:
    """My chance to win the match before a round of two seats, both playing well; None where unknown."""
    if not mine or not theirs:
        return 1.0 if mine else 0.0
    opener, other = (mine, theirs) if i_open else (theirs, mine)
    found = _values(folder_of(rules)).get(f"{opener}v{other}")
    if found is None:
        return None
    return found if i_open else 1 - found


@cache
def folder_of(rules: Rules) -> str:
    """Where the tables of these options lie; what makes no difference between two seats is left out."""
    ones = "sum" if rules.sums else rules.ones + ("-open" if rules.open_on_ones else "")
    cap = f"-{rules.starting_dice}" if rules.exact == "regain" else ""
    return f"{ones}-{rules.exact}{cap}"


@lru_cache(maxsize=TABLES_AT_HAND)
def table_of(folder: str, opener: int, other: int) -> Table | None:
    """The table of a round that a seat with so many dice opens, or None where none is shipped."""
    path = FOLDER / folder / f"{opener}v{other}.table"
    return read_table(path.read_bytes()) if path.exists() else None


@cache
def _values(folder: str) -> Mapping[str, float]:
    path = FOLDER / folder / "values.json"
    values: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}
    return values


@cache
def _rungs_and_moves(rules: Rules, dice_in_play: int) -> tuple[Mapping[Bid, int], tuple[Bid | Call, ...]]:
    """The rung of every bid, and every move: the rungs from the lowest on, then the calls."""
    rungs = ladder(rules, dice_in_play)
    numbers = {bid: number for number, bid in enumerate(rungs)}
    return numbers, (*rungs, Call("liar"), Call("exact"))


@cache
def _hand_numbers(dice: int) -> Mapping[Hand, int]:
    return {hand: number for number, hand in enumerate(hands_of(dice))}
