"""Checking after each reveal that the dice and the opener were fixed before anyone sat down."""

from __future__ import annotations

from typing import Any

from tests.model import fair_dice
from tests.model.match import host_opener
from tests.outside.game import Game
from tests.outside.summary import Difference


def check_round(game: Game, number: int) -> None:
    """Check the chain up to this round, its dice, and in round 1 the opener."""
    secrets = [game.reveals[each]["secret"] for each in range(1, number + 1) if each in game.reveals]
    if len(secrets) == number and not fair_dice.chain_holds(game.first_view["commitment"], secrets):
        raise Difference(f"the chain of secrets breaks by round {number}", got=secrets)
    reveal = game.reveals[number]
    seeds = [game.seeds[seat] for seat in game.match.seats]
    for seat, hand in reveal["hands"].items():
        rolled = fair_dice.roll(game.id, number, int(seat), len(hand), reveal["secret"], seeds)
        if rolled != hand:
            raise Difference(f"the dice of seat {seat} in round {number}", expected=rolled, got=hand)
    if number == 1:
        _opener(game, reveal, seeds)


def _opener(game: Game, reveal: dict[str, Any], seeds: list[str]) -> None:
    expected = host_opener(game.plan.rules, hosts_seats(game))
    if expected is None:
        expected = fair_dice.drawn_opener(game.id, game.match.seats, reveal["secret"], seeds)
    if reveal["opener"] != expected:
        raise Difference("the opener of round 1", expected=expected, got=reveal["opener"])


def hosts_seats(game: Game) -> list[int]:
    """Where the host sat when the match started."""
    if game.plan.practice:
        return game.owners_seats()
    return [seat for seat, who in game.people.items() if who == game.host]
