"""Random whole matches over every option, with people who leave and run out of time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.engine import transition
from games.engine.actions import Abandon, Act, Action, Leave, RevealOver, TimeOut
from games.engine.dice import Hand
from games.engine.facts import Fact
from games.engine.moves import Bid, BidRanges, Call, Move, NextRound, legal_bids
from games.engine.rules import OPTIONS, Choice, Rules, RulesRefused
from games.engine.state import Pace, Seat, State

AT = "2026-01-01T12:00:00.000Z"


def _every_combination() -> list[Rules]:
    values = [
        option.values if isinstance(option, Choice) else range(option.lowest, option.highest + 1)
        for option in OPTIONS.values()
    ]
    found = []
    for chosen in product(*values):
        try:
            named: dict[str, Any] = dict(zip(OPTIONS, chosen, strict=True))
            found.append(Rules(**named))
        except RulesRefused:
            continue
    return found


ALL_RULES = _every_combination()


class ShakenDice:
    """A chance that rolls with a generator of its own."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"dice {seed}")

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        return {seat: tuple(self._rng.randint(1, 6) for _ in range(count)) for seat, count in dice.items()}

    def secret(self, number: int) -> str:
        return f"{number:064x}"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Everything that a random match depends on."""

    rules: Rules
    pace: Pace = "slow"
    numbers: tuple[int, ...]
    computers: tuple[int, ...] = ()
    round_limit: int = 999
    restless: bool = False  # people leave and run out of time
    seed: int = 0


@dataclass(frozen=True)
class Step:
    """One step of a match: what was, what was done, what came of it."""

    before: State
    action: Action
    after: State
    facts: tuple[Fact, ...] = field(repr=False)


def settings_of_matches(*, restless: bool | None = None) -> st.SearchStrategy[Setting]:
    """A strategy: any options, any seats taken, any computers, any way of starting rounds.

    Drawn through one seed, so that six seats with five dice come up as often as two with one.
    """
    return st.integers(0, 2**40).map(lambda seed: _setting(seed, restless))


def _setting(seed: int, restless: bool | None) -> Setting:
    rng = Random(f"setting {seed}")
    rules = rng.choice(ALL_RULES)
    taken = (
        range(rules.seats)
        if rng.random() < 0.7
        else rng.sample(range(rules.seats), rng.randint(2, rules.seats))
    )
    share = rng.random() ** 2
    computers = [seat for seat in sorted(taken) if rng.random() < share]
    pace: Pace = rng.choice(("slow", "live", "practice"))
    return Setting(
        rules=rules,
        pace=pace,
        numbers=tuple(sorted(taken)),
        # The owner of a practice table sits at the first seat at least.
        computers=tuple(
            computers if pace != "practice" else [seat for seat in computers if seat != min(taken)]
        ),
        round_limit=3 if rng.random() < 0.1 else 999,
        restless=rng.random() < 0.5 if restless is None else restless,
        seed=seed,
    )


def opened(setting: Setting) -> State:
    """The match before its start."""
    seats = tuple(Seat(number=number, computer=number in setting.computers) for number in setting.numbers)
    return State(rules=setting.rules, pace=setting.pace, seats=seats, round_limit=setting.round_limit)


def play(setting: Setting) -> Iterator[Step]:
    """Play the match to its end, one random step after another, beginning with the first bid."""
    rng = Random(setting.seed)
    chance = ShakenDice(setting.seed)
    state, _ = transition.start(opened(setting), opener=rng.choice(setting.numbers), chance=chance)
    while state.status != "finished":
        action = random_action(state, rng, restless=setting.restless)
        after, facts = transition.apply(state, action, at=AT, chance=chance)
        yield Step(state, action, after, facts)
        state = after


def random_action(state: State, rng: Random, *, restless: bool = False) -> Action:
    """Something that may well be done now."""
    if restless and rng.random() < 0.06:
        return _something_restless(state, rng)
    if state.status == "revealed":
        if state.pace != "practice" and rng.random() < 0.1:
            return RevealOver()
        return Act(seat=rng.choice(sorted(state.pressers - state.ready)), move=NextRound())
    assert state.turn is not None
    absent = state.seat(state.turn).strikes > 0 and rng.random() < 0.7
    return Act(seat=state.turn, move=random_move(state, rng), auto=absent)


def _something_restless(state: State, rng: Random) -> Action:
    seat = rng.choice(state.seats).number
    if state.pace == "practice":
        return Abandon(seat) if rng.random() < 0.2 else random_action(state, rng)
    if state.status == "bidding" and rng.random() < 0.6:
        return TimeOut()
    return Leave(seat)


def random_move(state: State, rng: Random) -> Move:
    """A legal bid, rather a low one, or a call."""
    ranges = ranges_of(state)
    assert state.round is not None
    if state.round.bids and (not ranges or rng.random() < 0.3):
        return Call(rng.choice(["liar"] if state.rules.exact == "off" else ["liar", "exact"]))
    key = rng.choice(sorted(ranges))
    lowest, highest = ranges[key]
    amount = min(highest, lowest + int(rng.expovariate(0.7 if key != "total" else 0.1)))
    return Bid(total=amount) if key == "total" else Bid(quantity=amount, face=int(key))


def ranges_of(state: State) -> BidRanges:
    """What the seat to move may bid."""
    assert state.round is not None
    standing = state.round.standing
    return legal_bids(
        state.rules,
        dice_in_play=state.dice_in_play,
        palifico=state.round.palifico,
        standing=standing.bid if standing else None,
    )
