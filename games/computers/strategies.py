"""What every level plays at a state of two players, as chances: to be measured from outside."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from games.computers import endgame
from games.computers.endgame import Duel, Mix
from games.computers.ladder import FACES, ladder, may_open
from games.computers.odds import chance_true
from games.engine.moves import Bid, Call, legal_bids
from games.engine.rules import Rules, rules_from

PlainMove: TypeAlias = tuple[Literal["bid"], int, int | None] | Literal["liar", "exact"]
"""`("bid", quantity, face)`, or with sum bidding `("bid", total, None)`; `"liar"`; `"exact"`."""

Strategy: TypeAlias = dict[PlainMove, float]
Mixer: TypeAlias = Callable[[Duel], Mix]
"""What a level plays at a decision of two players: every move with its chance, together one."""


class NoSuchState(ValueError):
    """The state that was asked for cannot come up; the message says why."""

    code = "no_such_state"


def likeliest(duel: Duel) -> Mix:
    """Plain counting: call what is likely false, else make the likeliest raise."""
    standing = duel.standing
    raises = _lowest_raises(duel)
    if standing is not None and (not raises or _chance(duel, standing) < 0.5):
        return {Call("liar"): 1.0}
    return {max(raises, key=lambda bid: _chance(duel, bid)): 1.0}


def hard(duel: Duel) -> Mix:
    """The equilibrium where a table knows it."""
    return endgame.mix(duel) or likeliest(duel)


MIXERS: Mapping[str, Mixer] = {"easy": likeliest, "normal": likeliest, "hard": hard}
"""Each level's play between two players. A computer that sits at a table draws from the same mix."""


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
    `opener` says whether this hand opened the round. Raises `NoSuchState` where that cannot come up.
    """
    if level not in MIXERS:
        raise NoSuchState(f"A level is one of {', '.join(MIXERS)}.")
    duel = _duel(_rules(frozenset(rules.items())), tuple(hand), opponent_dice, bids, opener)
    return {_plain(move): chance for move, chance in MIXERS[level](duel).items()}


@lru_cache(maxsize=64)
def _rules(named: frozenset[tuple[str, object]]) -> Rules:
    return rules_from("standard", dict(named))


def _duel(rules: Rules, hand: tuple[int, ...], theirs: int, bids: Sequence[Any], opener: bool) -> Duel:
    if not all(face in FACES for face in hand):
        raise NoSuchState("A hand is a tuple of faces from 1 to 6.")
    if not (1 <= len(hand) <= rules.starting_dice and 1 <= theirs <= rules.starting_dice):
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
    return Duel(rules=rules, hand=hand, theirs=theirs, bids=tuple(bid for _, bid in known))


@cache
def _rungs(rules: Rules, dice_in_play: int) -> Mapping[tuple[int, int | None], tuple[int, Bid]]:
    return {_numbers_of(bid): (rung, bid) for rung, bid in enumerate(ladder(rules, dice_in_play))}


def _numbers_of(bid: Bid) -> tuple[int, int | None]:
    return (bid.total, None) if bid.total is not None else bid.parts


def _plain(move: Bid | Call) -> PlainMove:
    return move.type if isinstance(move, Call) else ("bid", *_numbers_of(move))


def _lowest_raises(duel: Duel) -> list[Bid]:
    ranges = legal_bids(duel.rules, dice_in_play=duel.dice_in_play, palifico=False, standing=duel.standing)
    if "total" in ranges:
        return [Bid(total=ranges["total"][0])]
    return [Bid(quantity=lowest, face=int(face)) for face, (lowest, _) in ranges.items()]


def _chance(duel: Duel, bid: Bid) -> float:
    return chance_true(duel.rules, bid, hand=duel.hand, dice_in_play=duel.dice_in_play, palifico=False)
