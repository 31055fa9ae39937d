"""Who may see a table, hold a seat of it or run it: asked first by every command and every query."""

from collections.abc import Iterable
from typing import Protocol

from games.engine.view import SPECTATOR, Viewer


class NothingThere(Exception):
    """There is no such thing, or nothing that this person may see."""

    code = "not_found"

    def __init__(self, message: str = "There is nothing here that you may see.") -> None:
        super().__init__(message)
        self.message = message


class NotYours(Exception):
    """The thing is there, and only somebody else may do this with it."""

    code = "forbidden"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SeatNeeded(Exception):
    """On a practice table an owner must say which seat they act for."""

    code = "seat_needed"

    def __init__(self) -> None:
        super().__init__("On a practice table an action names the seat it is for.")
        self.message = str(self)


class TableFacts(Protocol):
    """What must be known of a table to judge who one is there."""

    @property
    def mode(self) -> str: ...
    @property
    def visibility(self) -> str: ...
    @property
    def host_id(self) -> str: ...


class SeatFacts(Protocol):
    """What must be known of a seat to judge whose it is."""

    @property
    def number(self) -> int: ...
    @property
    def player_id(self) -> str | None: ...
    @property
    def left(self) -> int | None: ...


def check_sees(table: TableFacts, player_id: str | None, *, sits: bool) -> None:
    """Let pass who may see the table; a private one is there for its host and those who sat with it."""
    if table.visibility == "private" and not sits and (player_id is None or player_id != table.host_id):
        raise NothingThere


def check_host(table: TableFacts, player_id: str) -> None:
    """Let pass the host."""
    if table.host_id != player_id:
        raise NotYours("Only the host of this table may do that.")


def owns(table: TableFacts, player_id: str | None) -> bool:
    """Is this the owner of a practice table?"""
    return player_id is not None and table.mode == "practice" and table.host_id == player_id


def viewer_of(
    table: TableFacts, seats: Iterable[SeatFacts], player_id: str | None, *, through: int | None = None
) -> Viewer:
    """Who this is at the table; `through` is the seat an owner of a practice table looks through."""
    seats = list(seats)
    if through is not None:
        if not owns(table, player_id) or all(seat.number != through for seat in seats):
            raise NotYours("Only the owner of a practice table looks through its seats.")
        return Viewer("owner", through)
    if owns(table, player_id):
        return Viewer("owner")
    seat = seat_of(seats, player_id)
    return SPECTATOR if seat is None else Viewer("player", seat)


def seat_of(seats: Iterable[SeatFacts], player_id: str | None) -> int | None:
    """The seat that this person holds; who left holds none."""
    if player_id is None:
        return None
    return next((seat.number for seat in seats if seat.player_id == player_id and seat.left is None), None)


def acting_seat(table: TableFacts, seats: Iterable[SeatFacts], player_id: str, *, named: int | None) -> int:
    """The seat this person acts for: their own, or on a practice table the one of theirs that is named."""
    if table.mode == "practice":
        if named is None and owns(table, player_id):
            raise SeatNeeded
        mine = {seat.number for seat in seats if seat.player_id == player_id and seat.left is None}
        if named in mine:
            return named
        raise NotYours("You hold no such seat at this practice table.")
    seat = seat_of(seats, player_id)
    if seat is None:
        raise NotYours("You hold no seat at this table.")
    return seat
