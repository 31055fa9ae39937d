"""Simple players to measure the levels against: each is a rule that somebody might really follow."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from games.computers.counting import every_bid
from games.computers.levels import MIXERS, Mixer
from games.computers.odds import chance_true
from games.computers.registry import CHARACTERS, style_of
from games.computers.situation import Decision, Mix, Situation
from games.engine.moves import Bid, Call, amount_of

Player: TypeAlias = Callable[[Situation], Mix]

LIAR = Call("liar")


def uniform(situation: Situation) -> Mix:
    """Any legal move, each as likely as any other."""
    calls: list[Decision] = [LIAR] if situation.bids else []
    if situation.may_call_exact:
        calls.append(Call("exact"))
    return _evenly([*every_bid(situation.ranges), *calls])


def lowest_raise(situation: Situation) -> Mix:
    """Call what is likelier false, else raise as little as possible."""
    return _called_below_half(situation) or _evenly([_lowest(situation)])


def likeliest_raise(situation: Situation) -> Mix:
    """Call what is likelier false, else make the likeliest raise."""
    return _called_below_half(situation) or _evenly(_likeliest(situation))


def call_or_raise(situation: Situation) -> Mix:
    """Call where that is likelier right than the best raise, else make that raise."""
    standing = situation.standing
    if standing is not None:
        best = max((_chance(situation, bid) for bid in every_bid(situation.ranges)), default=0.0)
        if 1 - _chance(situation, standing) > best or not situation.ranges:
            return {LIAR: 1.0}
    return _evenly(_likeliest(situation))


def always_raise(situation: Situation) -> Mix:
    """Raise as little as possible, as long as there is a raise."""
    return _evenly([_lowest(situation)]) if situation.ranges else {LIAR: 1.0}


def never_bluff(situation: Situation) -> Mix:
    """Bid only what is likelier true than not, and the most of it; else call."""
    honest = [bid for bid in every_bid(situation.ranges) if _chance(situation, bid) >= 0.5]
    if not honest:
        return {LIAR: 1.0} if situation.bids else _evenly(_likeliest(situation))
    called = _called_below_half(situation)
    if called:
        return called
    return _evenly([min(honest, key=lambda bid: (_chance(situation, bid), amount_of(bid)))])


def _leaning(mixer: Mixer, character: str) -> Player:
    style = style_of(character)
    return lambda situation: mixer(situation, style)


SIMPLE: Mapping[str, Player] = {
    "uniform": uniform,
    "lowest raise": lowest_raise,
    "likeliest raise": likeliest_raise,
    "call or raise": call_or_raise,
    "always raise": always_raise,
    "never bluff": never_bluff,
}

PLAYERS: Mapping[str, Player] = {
    **{level: partial(mixer) for level, mixer in MIXERS.items()},
    **{
        f"{level} {character}": _leaning(mixer, character)
        for level, mixer in MIXERS.items()
        for character in CHARACTERS
    },
    **SIMPLE,
}
"""Everybody who can be asked to play, by name."""


def _called_below_half(situation: Situation) -> Mix | None:
    standing = situation.standing
    if standing is not None and (not situation.ranges or _chance(situation, standing) < 0.5):
        return {LIAR: 1.0}
    return None


def _likeliest(situation: Situation) -> Sequence[Bid]:
    chances = {bid: _chance(situation, bid) for bid in _lowest_of_each(situation)}
    best = max(chances.values())
    return [bid for bid, chance in chances.items() if chance == best]


def _lowest(situation: Situation) -> Bid:
    return min(_lowest_of_each(situation), key=lambda bid: (amount_of(bid), bid.face or 0))


def _lowest_of_each(situation: Situation) -> list[Bid]:
    return [
        Bid(total=lowest) if key == "total" else Bid(quantity=lowest, face=int(key))
        for key, (lowest, _) in situation.ranges.items()
    ]


def _chance(situation: Situation, bid: Bid) -> float:
    return chance_true(
        situation.rules,
        bid,
        hand=situation.hand,
        dice_in_play=situation.dice_in_play,
        palifico=situation.palifico,
    )


def _evenly(moves: Sequence[Decision]) -> Mix:
    return {move: 1 / len(moves) for move in moves}
