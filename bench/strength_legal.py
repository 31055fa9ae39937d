"""Random matches over all options between computers of every level and style: is every move legal?"""

from random import Random

from bench.strength_matches import AT, DealtDice
from games.computers.registry import CHARACTERS, LEVELS, computer
from games.engine import transition
from games.engine.actions import Act
from games.engine.rules import Rules
from games.engine.state import Seat, State
from games.engine.view import Viewer, view_for
from tests.engine.random_matches import ALL_RULES


def play_random_matches(matches: int, *, first: int = 0) -> int:
    """Play so many, and return the number of moves; the engine raises at a move that is not legal."""
    return sum(_play(Random(f"legal {number}"), ALL_RULES) for number in range(first, first + matches))


def _play(rng: Random, every: list[Rules]) -> int:
    rules = rng.choice(every)
    players = [computer(rng.choice(LEVELS), rng.choice(list(CHARACTERS))) for _ in range(rules.seats)]
    seats = tuple(Seat(number=number, computer=True) for number in range(rules.seats))
    state = State(rules=rules, pace="slow", seats=seats)
    chance = DealtDice(f"legal {rng.random()}")
    state, _ = transition.start(state, opener=rng.randrange(rules.seats), chance=chance)
    moves = 0
    while state.turn is not None:
        view = view_for(state, Viewer("player", state.turn))
        move = players[state.turn].choose(view, rng)
        state, facts = transition.apply(state, Act(seat=state.turn, move=move), at=AT, chance=chance)
        if not facts:
            raise AssertionError(f"{move} did nothing")
        moves += 1
    if state.result is None:
        raise AssertionError("a match of computers came to no end")
    return moves
