"""Moves: the one way a match goes on, for a person, a computer and the clock alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter

import structlog
from django.conf import settings
from django.db import transaction

from games import access, clocks, live
from games.engine import transition
from games.engine.actions import Abandon, Act, Action, Leave
from games.engine.dice import FairDice, Hand
from games.engine.facts import BidMade, Called, Fact, TimedOut, written
from games.engine.moves import Call, Move, NextRound
from games.engine.state import Position, State
from games.store.reading import Busy, read
from games.store.rows import EVERY_SEAT, Loaded, TableRow, Times
from games.store.writing import Overtaken, save

_ATTEMPTS = 20
"""Several people may press Next round at once; whoever answers a version that is gone is told so at once."""

_log = structlog.get_logger("games.moves")


class Stale(Exception):
    """The answer is to another version than the current one, which is `version`."""

    code = "stale"

    def __init__(self, version: int) -> None:
        super().__init__("This table moved on: look again before you act.")
        self.message = str(self)
        self.version = version


class Unproven(Exception):
    """The table is not as it was remembered, or it is somebody else who acts: the rows are to be asked."""


class NotStarted(Exception):
    """The match has not begun: nobody can act yet."""

    code = "not_started"

    def __init__(self) -> None:
        super().__init__("This match has not begun: it starts when its seats are taken.")
        self.message = str(self)


@dataclass(frozen=True, slots=True)
class _LazyDice:
    """The table's fair dice, unsealed only when a step needs them."""

    table: Loaded

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        return self._fair().hands(number, dice)

    def secret(self, number: int) -> str:
        return self._fair().secret(number)

    def _fair(self) -> FairDice:
        return self.table.fair_dice()


def act(
    *,
    table_id: str,
    player_id: str,
    seat: int | None,
    move: Move,
    seen: int,
    now: datetime,
    known: Loaded | None = None,
) -> tuple[Loaded, int]:
    """Make a person's move, if the table is still the one they answered; return it and their seat.

    `seat` matters on a practice table only. `known` is the table, where it was read just now, or is known
    with a proof. Nothing is locked: whoever is overtaken looks again. Raises `NothingThere`, `NotYours`,
    `SeatNeeded`, `Stale`, `NotStarted`, `Busy` and the engine's `IllegalMove`, and where the table came with
    a proof, `Unproven`; a refused move changes nothing.
    """
    table = known or read(table_id)
    for _ in range(_ATTEMPTS):
        if table is None:
            raise access.NothingThere
        number = _seat_to_act(table, player_id, move, named=seat, seen=seen)
        try:
            return advance(with_what_it_needs(table, move), Act(seat=number, move=move), now=now), number
        except Overtaken:
            if table.proof is not None:
                raise Unproven from None
            table = read(table_id)
    raise Busy


def _seat_to_act(table: Loaded, player_id: str, move: Move, *, named: int | None, seen: int) -> int:
    """The seat of whoever may make this move now, as far as that is not for the rules to say."""
    sits = any(held.player_id == player_id for held in table.seats)
    access.check_sees(table.row, player_id, sits=sits)
    number = access.acting_seat(table.row, table.seats, player_id, named=named)
    _check_version(table, move, seen)
    if table.row.status == "open":
        raise NotStarted
    return number


def leave_match(table: Loaded, seat: int, *, now: datetime) -> Loaded:
    """Let the person of a seat leave the match that has begun; called under the table's lock."""
    action: Action = Abandon(seat) if table.row.mode == "practice" else Leave(seat)
    return advance(table, action, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """A first round that is given, not rolled: its hands, who opens it, and under which rules."""

    hands: Mapping[int, Hand] = field(repr=False)
    opener: int
    palifico: bool


@dataclass(frozen=True, slots=True)
class _FirstHandsGiven:
    """Hands that are given for the first round; the fair dice of the table for every other."""

    given: Mapping[int, Hand] = field(repr=False)
    fair: FairDice

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        return self.given if number == 1 else self.fair.hands(number, dice)

    def secret(self, number: int) -> str:
        return self.fair.secret(number)


def begin_given(table: Loaded, beginning: Beginning, *, now: datetime) -> Loaded:
    """Begin the match of a practice table with hands that are given; called under its lock."""
    position = Position(
        dice={seat: len(hand) for seat, hand in beginning.hands.items()}, palifico=beginning.palifico
    )
    chance = _FirstHandsGiven(beginning.hands, table.fair_dice())
    state, facts = transition.start(table.state, opener=beginning.opener, chance=chance, position=position)
    return _write(table, state, facts, now=_not_back(table, now))


def begin(table: Loaded, *, now: datetime) -> Loaded:
    """Begin the match with the seats of this table; called under its lock."""
    dice = table.fair_dice()
    host_seats = [seat.number for seat in table.seats if seat.player_id == table.row.host_id]
    if table.row.rules.first_opener == "host" and host_seats:
        opener = min(host_seats)
    else:
        opener = dice.opener([seat.number for seat in table.seats])
    state, facts = transition.start(table.state, opener=opener, chance=dice)
    return _write(table, state, facts, now=_not_back(table, now))


def with_what_it_needs(table: Loaded, move: Move) -> Loaded:
    """Only a call needs to know what is under the cups."""
    return table.opened(EVERY_SEAT) if isinstance(move, Call) else table


def _check_version(table: Loaded, move: Move, seen: int) -> None:
    """Does the move answer the current version, or Next round any version since the latest reveal?"""
    current = oldest = table.row.version
    if isinstance(move, NextRound):
        oldest = table.row.revealed_version or table.row.started_version or current
    if not oldest <= seen <= current:
        raise Stale(current)


def advance(table: Loaded, action: Action, *, now: datetime) -> Loaded:
    """Take the one step every move takes: a person's, a computer's, the clock's.

    Raises `Overtaken` where the table has moved on since it was read, which its lock rules out. The time it
    took is written to the log once the transaction is committed.
    """
    began = perf_counter()
    now = _not_back(table, now)
    state, facts = transition.apply(table.state, action, at=clocks.stamp(now), chance=_LazyDice(table))
    if not facts:
        return table
    after = _write(table, state, facts, now=now)
    transaction.on_commit(partial(_log_facts, after.row, facts, began))
    return after


def _not_back(table: Loaded, now: datetime) -> datetime:
    """The time of the next version: none is before the one before it, though a clock was set back."""
    return max(now, table.row.updated_at)


def _log_facts(row: TableRow, facts: tuple[Fact, ...], began: float) -> None:
    """One line for every version: what everybody may know, and never a die."""
    took = round((perf_counter() - began) * 1000, 1)
    for version, fact in enumerate(facts, row.version - len(facts) + 1):
        _log.info("move", table=row.id, version=version, seat=fact.seat, kind=written(fact)[0], ms=took)


def _write(table: Loaded, state: State, facts: tuple[Fact, ...], *, now: datetime) -> Loaded:
    banks = _banks_after(table, facts, now=now)
    times = _times_after(table, state, banks, now=now)
    after = save(table, state, facts, times=times, banks=banks, now=now)
    live.announce(after.row.id, after.row.version)
    if times.computer_due_at is not None:
        wait = max(0.0, (times.computer_due_at - now).total_seconds())
        live.wake_computer(table.row.id, after=wait, awaited=bool(state.persons_in))
    if state.status == "finished" or after.row.revealed_version != table.row.revealed_version:
        live.archive_table(table.row.id)
    return after


def _banks_after(table: Loaded, facts: tuple[Fact, ...], *, now: datetime) -> dict[int, int | None]:
    """The time banks that this step drew on: that of the person who moved late, or did not move."""
    mover = table.state.turn
    began_at = table.row.began_at
    if mover is None or began_at is None or not isinstance(facts[0], BidMade | Called | TimedOut):
        return {}
    bank = table.seat(mover).bank
    left = clocks.bank_left(table.row.clock, began_at=began_at, now=now, bank=bank)
    return {} if left == bank else {mover: left}


def _times_after(table: Loaded, state: State, banks: Mapping[int, int | None], *, now: datetime) -> Times:
    if state.status == "finished":
        return Times()
    began_at = table.row.began_at
    if began_at is None or _what_is_awaited(state) != _what_is_awaited(table.state):
        began_at = now
    turn = state.turn
    bank = None if turn is None else banks.get(turn, table.seat(turn).bank)
    return Times(
        began_at=began_at,
        due_at=clocks.deadline(
            table.row.clock, revealing=state.status == "revealed", began_at=began_at, bank=bank
        ),
        computer_due_at=None if turn is None else _computer_due_at(state, turn, now=now),
    )


def _what_is_awaited(state: State) -> tuple[str, int, int]:
    """Which turn or reveal this is; the clock runs on while it stays the same."""
    return state.status, state.number, len(state.round.bids) if state.round else 0


def _computer_due_at(state: State, turn: int, *, now: datetime) -> datetime | None:
    if state.seat(turn).person:
        return None
    if not state.persons_in:
        return now  # nobody is left to wait for: the match is played out at once
    return now + timedelta(seconds=settings.COMPUTER_THINK_SECONDS)
