"""Whole matches of computers in one process, without rows: the same dice for whoever sits there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time

from bench.strength_players import Player
from games.computers.reading import believed
from games.computers.situation import drawn, situation_of
from games.engine import transition
from games.engine.actions import Act
from games.engine.dice import Hand
from games.engine.moves import amount_of, count_matching
from games.engine.rules import Rules
from games.engine.state import Seat, State
from games.engine.view import Viewer, view_for

AT = "2026-01-01T12:00:00.000Z"


@dataclass
class Observed:
    """What is noted of one player on the way."""

    seconds: list[tuple[int, float]] = field(default_factory=list)  # dice in play, and what the move took
    beliefs: list[tuple[float, bool]] = field(default_factory=list)  # that the bid is true; was it?


class DealtDice:
    """Dice that depend on deal, round and seat alone, so that a deal can be played again by others."""

    def __init__(self, deal: str) -> None:
        self._deal = deal

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        return {seat: self._hand(number, seat)[:count] for seat, count in dice.items()}

    def secret(self, number: int) -> str:
        return f"{number:064x}"

    def _hand(self, number: int, seat: int) -> Hand:
        rng = Random(f"{self._deal} {number} {seat}")
        return tuple(int(rng.random() * 6) + 1 for _ in range(5))


def winner_of(
    rules: Rules, players: Sequence[Player], deal: str, observed: Mapping[int, Observed] | None = None
) -> int | None:
    """The seat that wins a match of these players with the dice of this deal."""
    seats = tuple(Seat(number=number, computer=True) for number in range(len(players)))
    chance = DealtDice(deal)
    rng = Random(f"{deal} moves")
    opener = Random(f"{deal} opener").randrange(len(players))
    state, _ = transition.start(State(rules=rules, pace="slow", seats=seats), opener=opener, chance=chance)
    while state.status != "finished":
        state = _moved(state, players, rng, chance, observed or {})
    return state.result.winner if state.result else None


def _moved(
    state: State,
    players: Sequence[Player],
    rng: Random,
    chance: DealtDice,
    observed: Mapping[int, Observed],
) -> State:
    seat = state.turn
    if seat is None:
        raise ValueError("computers alone never wait between rounds")
    view = view_for(state, Viewer("player", seat))
    began = process_time()
    situation = situation_of(view)
    move = drawn(players[seat](situation), rng)
    if seat in observed:
        observed[seat].seconds.append((situation.dice_in_play, process_time() - began))
        if state.round is not None and situation.standing is not None:
            found = _is_true(state)
            observed[seat].beliefs.append((believed(situation, situation.standing), found))
    return transition.apply(state, Act(seat=seat, move=move), at=AT, chance=chance)[0]


def _is_true(state: State) -> bool:
    round = state.round
    if round is None or round.standing is None:
        return False
    bid = round.standing.bid
    return count_matching(state.rules, bid, round.hands.values(), palifico=round.palifico) >= amount_of(bid)


@dataclass(frozen=True)
class Share:
    """A share of matches won, with the half-width of its 95 % interval."""

    share: float
    half: float
    matches: int

    @property
    def low(self) -> float:
        return self.share - self.half

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ± {100 * self.half:.1f} %"


def wins_of(
    rules: Rules, one: Player, others: Player, *, deals: Iterator[str], observed: Observed | None = None
) -> list[float]:
    """For each deal, the share that one player wins among others of one kind, playing it from every seat."""
    return [_share_of_deal(rules, one, others, deal, observed) for deal in deals]


def _share_of_deal(rules: Rules, one: Player, others: Player, deal: str, observed: Observed | None) -> float:
    won = 0
    for seat in range(rules.seats):
        players = [others] * rules.seats
        players[seat] = one
        won += winner_of(rules, players, deal, {seat: observed} if observed else None) == seat
    return won / rules.seats


def share_from(wins: Sequence[float], seats: int) -> Share:
    """The share won, from the share of each deal: deals are independent, the matches of one are not."""
    mean = sum(wins) / len(wins)
    spread = sum((won - mean) ** 2 for won in wins) / max(1, len(wins) - 1)
    return Share(mean, 1.96 * (spread / len(wins)) ** 0.5, len(wins) * seats)
