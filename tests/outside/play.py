"""One whole match, from the empty table to its archive."""

from __future__ import annotations

from random import Random

from tests.outside import act, ending, faults, follow, races, watch
from tests.outside.cast import Cast
from tests.outside.door import Door
from tests.outside.game import Game
from tests.outside.lobby import Lobby
from tests.outside.plan import Plan, a_plan


def a_match(door: Door, rng: Random, cast: Cast, *, practice: bool, bots: bool) -> None:
    """Make a random table, fill it and play it to its end."""
    plan = a_plan(rng, practice=practice, bots=bots)
    door.note(f"plan: {plan}")
    _count(door, plan)
    game = Lobby(door, rng, plan, cast).fill()
    play(game)


def _count(door: Door, plan: Plan) -> None:
    met = door.summary.met
    met.update([plan.mode, plan.visibility, f"{plan.clock['kind']} clock"])
    if plan.computers:
        met["computers"] += 1


def play(game: Game) -> None:
    """Play on until the match is over; after every step all eyes compare."""
    follow.settle(game)
    while game.match.status != "finished":
        watch.everyone(game)
        game.step += 1
        game.door.note(f"step {game.step}: {game.match.status}, round {game.match.round}")
        one_step(game)
        follow.settle(game)
    watch.everyone(game)
    ending.check(game)


def one_step(game: Game) -> None:
    """Do one thing: mostly a move or a press, sometimes what is rarer or forbidden."""
    roll = 1.0 if game.is_in_a_hurry() else game.rng.random()
    if roll < 0.15:
        faults.some(game)
    elif roll < 0.18:
        act.late_press(game)
    elif roll < 0.20:
        ending.rounds_so_far(game)
    elif roll < 0.21:
        ending.an_event(game)
    elif roll < _leaving_below(game):
        act.leave(game)
    elif roll < 0.33:
        races.any_race(game)
    elif game.match.status == "revealed":
        act.press(game)
    else:
        act.move(game)


def _leaving_below(game: Game) -> float:
    if game.plan.practice:
        return 0.213
    return 0.23 if game.rng.random() < 0.5 else 0.21
