"""The documents that these tests look at: matches of every kind, built once, handed out as copies."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

from games.engine.actions import Act, Action
from games.engine.moves import Bid, Call
from games.engine.rules import Rules
from games.engine.state import State
from tests.engine.random_matches import ALL_RULES, Setting, random_action
from tests.verify.building import Document, build, counting

HOW_MANY = 150


@cache
def _texts() -> tuple[str, ...]:
    return tuple(json.dumps(build(_setting(seed))) for seed in range(HOW_MANY))


def _setting(seed: int) -> Setting:
    rng = Random(f"sample {seed}")
    rules = rng.choice(ALL_RULES)
    numbers = range(rules.seats) if rng.random() < 0.7 else rng.sample(range(rules.seats), 2)
    setting = Setting(
        rules=rules,
        pace=rng.choice(("live", "slow", "practice")),
        numbers=tuple(sorted(numbers)),
        restless=rng.random() < 0.6,
        seed=seed,
    )
    share = rng.choice((0, 0.3, 0.7))
    machines = tuple(seat for seat in setting.numbers[1:] if rng.random() < share)
    return replace(setting, computers=machines)


def documents() -> Iterator[Document]:
    """Every sample, as a document of one's own."""
    for text in _texts():
        yield json.loads(text)


def a_document(suits: Callable[[Document], bool] = lambda document: True) -> Document:
    """The first sample that suits."""
    return next(document for document in documents() if suits(document))


@cache
def _club_text(pace: str) -> str:
    setting = Setting(rules=Rules(seats=6), pace=pace, numbers=tuple(range(6)), seed=11)  # type: ignore[arg-type]
    return json.dumps(build(setting, counting))


def a_club_match(pace: str = "live") -> Document:
    """Six people under the default rules, who bid what is likely."""
    document: Document = json.loads(_club_text(pace))
    return document


@cache
def _draw_text() -> str:
    rules = Rules(seats=2, starting_dice=1, ones="straight", exact="regain")
    return json.dumps(build(Setting(rules=rules, numbers=(0, 1), computers=(0, 1), seed=5), _nobody_loses))


def a_draw() -> Document:
    """999 rounds in which every bid is exactly right and called so: nothing changes."""
    document: Document = json.loads(_draw_text())
    return document


def _nobody_loses(state: State, rng: Random) -> Action:
    round = state.round
    if round is None:
        return random_action(state, rng)
    if round.bids:
        return Act(seat=round.turn, move=Call("exact"))
    face = round.hands[round.turn][0]
    quantity = sum(hand.count(face) for hand in round.hands.values())
    return Act(seat=round.turn, move=Bid(quantity=quantity, face=face))
