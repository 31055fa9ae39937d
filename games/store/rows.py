"""What the rows of a table hold, as values; and how columns are written on either database."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import orjson
from django.db import connection

from games import sealing
from games.clocks import Clock
from games.engine.dice import FairDice
from games.engine.moves import Bid
from games.engine.rules import Rules
from games.engine.state import Pace, Result, Seat, State, Status


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableRow:
    """The row of a table."""

    id: str
    name: str
    mode: str
    visibility: str
    rules: Rules
    clock: Clock
    commitment: str
    sealed_chain: str
    host_id: str
    created_at: datetime
    version: int
    updated_at: datetime
    status: Status
    number: int
    turn: int | None
    awaited: frozenset[int]
    ready: frozenset[int]
    claims: tuple[int, ...]
    next_opener: int | None
    next_palifico: bool
    started_version: int | None
    revealed_version: int | None
    result: Result | None
    began_at: datetime | None
    due_at: datetime | None
    computer_due_at: datetime | None
    tells: bool  # may Easy computers look surprised at their own bids?

    @property
    def pace(self) -> Pace:
        """How the next round is started here."""
        if self.mode == "practice":
            return "practice"
        return "live" if self.clock.kind == "live" else "slow"

    def __repr__(self) -> str:
        return f"<TableRow {self.id} at version {self.version}>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SeatRow:
    """A seat, with who sits there and what the engine knows of it; the hand stays sealed."""

    number: int
    player_id: str | None
    player_name: str | None
    account: bool
    bot: bool
    level: str
    character: str
    client_seed: str
    bank: int | None
    seat: Seat
    sealed_hand: str | None = None

    @property
    def left(self) -> int | None:
        return self.seat.left

    @property
    def taken(self) -> bool:
        return self.player_id is not None or self.level != ""

    def __repr__(self) -> str:
        return f"<SeatRow {self.number}>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Proof:
    """Who bids at a table that was not read just now: the token, by its digest, that must be theirs still."""

    digest: str
    player_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A table with its seats and its match; hands stay sealed until they are `opened`.

    One that was not read just now has a proof, which must hold when a step from it is saved.
    """

    row: TableRow
    seats: tuple[SeatRow, ...]
    state: State
    proof: Proof | None = None

    def seat(self, number: int) -> SeatRow:
        """The seat with this number; `KeyError` where there is none."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    def opened(self, seats: Collection[int]) -> "Loaded":
        """The same table with the live hands of these seats unsealed."""
        round = self.state.round
        if round is None:
            return self
        hands = {
            seat.number: sealing.unseal_hand(
                seat.sealed_hand, place=sealing.hand_place(self.row.id, round.number, seat.number)
            )
            for seat in self.seats
            if seat.number in seats and seat.number not in round.hands and seat.sealed_hand is not None
        }
        if not hands:
            return self
        state = replace(self.state, round=replace(round, hands={**round.hands, **hands}))
        return replace(self, state=state)

    def fair_dice(self) -> FairDice:
        """The chance of this table, from its sealed chain and the seeds of everyone in the match."""
        return FairDice(
            table_id=self.row.id,
            chain_end=sealing.unseal(self.row.sealed_chain, place=sealing.chain_place(self.row.id)),
            seeds=[seat.client_seed for seat in self.seats],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """What happened to give a table this version."""

    version: int
    kind: str
    seat: int | None
    at: datetime
    status: str
    number: int
    ordinal: int | None = None
    bid: Bid | None = None
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """When the present turn or reveal began, when it ends, and when a computer has thought enough."""

    began_at: datetime | None = None
    due_at: datetime | None = None
    computer_due_at: datetime | None = None


EVERY_SEAT = frozenset(range(6))


def mask_of(numbers: Iterable[int]) -> int:
    """A set of seats as one bit each."""
    return sum(1 << number for number in set(numbers))


def numbers_of(mask: int) -> frozenset[int]:
    """The seats of a mask."""
    return frozenset(number for number in range(6) if mask >> number & 1)


def json_value(column: Any) -> Any:
    """The value of a JSON column, which either database may hand over as text."""
    return orjson.loads(column) if isinstance(column, str | bytes) else column


def json_column(value: Any) -> str | None:
    """A value for a JSON column."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def time_value(column: Any) -> datetime | None:
    """The instant in a column; SQLite hands over text in UTC."""
    if isinstance(column, str):
        column = datetime.fromisoformat(column)
    if column is None:
        return None
    instant: datetime = column
    if instant.tzinfo is UTC:
        return instant
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def time_column(instant: datetime | None) -> Any:
    """An instant for a column of this database."""
    return None if instant is None else connection.ops.adapt_datetimefield_value(instant)


def required_time(column: Any) -> datetime:
    """The instant in a column that is never empty."""
    instant = time_value(column)
    if instant is None:
        raise ValueError("this column is never empty")
    return instant


@lru_cache(maxsize=512)
def rules_value(text: str) -> Rules:
    """The rules that a column holds."""
    return Rules(**json.loads(text))


@lru_cache(maxsize=512)
def clock_value(text: str) -> Clock:
    """The clock that a column holds."""
    return Clock(**json.loads(text))


def result_value(column: Any) -> Result | None:
    """The result that a column holds."""
    document = json_value(column)
    if document is None:
        return None
    places = {int(seat): place for seat, place in document["places"].items()}
    return Result(winner=document["winner"], places=places, drawn=document["drawn"])
