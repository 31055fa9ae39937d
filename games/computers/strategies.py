"""What every level plays at a state of two players, as chances: to be measured from outside."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from games.computers.hard import PLAIN
from games.computers.ladder import FACES, ladder, may_open
from games.computers.levels import MIXERS
from games.computers.situation import Situation, between_two
from games.engine.moves import Bid, Call
from games.engine.rules import Rules, rules_from

PlainMove: TypeAlias = tuple[Literal["bid"], int, int | None] | Literal["liar", "exact"]
"""`("bid", quantity, face)`, or with sum bidding `("bid", total, None)`; `"liar"`; `"exact"`."""

Strategy: TypeAlias = dict[PlainMove, float]


class NoSuchState(ValueError):
    """The state that was asked for cannot come up; the message says why."""

    code = "no_such_state"


def strategy(
    level: str,
    rules: Mapping[str, object],
    hand: Sequence[int],
    opponent_dice: int,
    bids: Sequence[tuple[int, int | None]],
    opener: bool,
) -> Strategy:
    """The mixed strategy of a level: every move that it may make here, with its chance.

    `rules` are options by name, those left out having their defaults; `hand` is the faces of one's own dice;
    `bids` are the round's bids so far as (quantity, face), oldest first, or with sum bidding (total, None);
    `opener` says whether this hand opened the round. A computer of this level draws its move from the same
    mix, but for its character's leanings. Raises `NoSuchState` where the state cannot come up.
    """
    if level not in MIXERS:
        raise NoSuchState(f"A level is one of {', '.join(MIXERS)}.")
    named = frozenset((name, type(value), value) for name, value in rules.items())  # True is not 1 here
    situation = _situation(_rules(named), tuple(hand), opponent_dice, bids, opener)
    return {_plain(move): chance for move, chance in MIXERS[level](situation, PLAIN).items()}


@lru_cache(maxsize=64)
def _rules(named: frozenset[tuple[str, type, object]]) -> Rules:
    return rules_from("standard", {name: value for name, _, value in named})


def _situation(
    rules: Rules, hand: tuple[int, ...], theirs: int, bids: Sequence[Any], opener: bool
) -> Situation:
    if not all(type(face) is int and face in FACES for face in hand):
        raise NoSuchState("A hand is a tuple of faces from 1 to 6.")
    most = rules.starting_dice
    if type(theirs) is not int or not (1 <= len(hand) <= most and 1 <= theirs <= most):
        raise NoSuchState(f"Both seats have from 1 to {rules.starting_dice} dice.")
    if (len(bids) % 2 == 0) != opener:
        raise NoSuchState("It is the other seat's turn: the opener moves after an even number of bids.")
    rungs = _rungs(rules, len(hand) + theirs)
    try:
        known = [rungs[tuple(bid)] for bid in bids]
    except KeyError as unknown:
        raise NoSuchState(f"{unknown.args[0]} is no bid with so many dice.") from None
    if any(below >= above for (below, _), (above, _) in pairwise(known)):
        raise NoSuchState("Every bid must outbid the one before it.")
    if known and not may_open(rules, known[0][1]):
        raise NoSuchState("Nobody opens on ones at this table.")
    return between_two(rules, hand, theirs, [bid for _, bid in known])


@cache
def _rungs(rules: Rules, dice_in_play: int) -> Mapping[tuple[int, int | None], tuple[int, Bid]]:
    return {_numbers_of(bid): (rung, bid) for rung, bid in enumerate(ladder(rules, dice_in_play))}


def _numbers_of(bid: Bid) -> tuple[int, int | None]:
    return (bid.total, None) if bid.total is not None else bid.parts


def _plain(move: Bid | Call) -> PlainMove:
    return move.type if isinstance(move, Call) else ("bid", *_numbers_of(move))
