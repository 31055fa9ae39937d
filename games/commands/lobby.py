"""Before a match: sitting down and standing up, computers, invites, starting, closing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Player
from accounts.queries import player_document
from games import access, invites, live
from games.commands import play
from games.computers import registry
from games.engine.dice import check_seed
from games.models import Event, Seat, Table
from games.store.reading import load, lock
from games.store.rows import EventRow, Loaded
from games.store.writing import insert_events

MOST_SEATINGS = 10
MOST_VERSIONS = 300
"""Beyond these no computer comes to a table that has not started: every coming is a version for ever."""


class LobbyRefused(Exception):
    """Something that the rules of tables do not allow; `field` is what to mend."""

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


def check_may_rank(player: Player, *, field: str | None = None) -> None:
    """Only people with an account sit at ranked tables."""
    if player.kind == "bot":
        raise LobbyRefused("no_bots", "Bots do not sit at ranked tables: those are for people.", field=field)
    if player.user_id is None:
        raise LobbyRefused("account_needed", "Ranked tables are for people with an account.", field=field)


class Taken(Exception):
    """The seat is taken, or this person sits at the table already."""

    code = "taken"

    def __init__(self, message: str, version: int) -> None:
        super().__init__(message)
        self.message = message
        self.version = version


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputerWanted:
    """A computer asked for: its level, and its character or any."""

    level: str
    character: str | None = None


def sit(
    *,
    table_id: str,
    player: Player,
    seat: int | None,
    client_seed: str,
    invite: str | None,
    now: datetime,
) -> Loaded:
    """Sit down on this seat, or on the first that is free; the match begins when the last one is taken."""
    with transaction.atomic():
        table = _locked(table_id)
        sits = any(held.player_id == player.id for held in table.seats)
        if invite is None or not invites.opens(invite, table_id):
            access.check_sees(table.row, player.id, sits=sits)
        if sits:
            raise Taken("You sit at this table already.", table.row.version)
        number = _free_seat(table, seat)
        _check_patience(table, player)
        if table.row.mode == "ranked":
            check_may_rank(player)
        Seat.objects.filter(table_id=table_id, number=number).update(
            player=player, client_seed=check_seed(client_seed), bank=table.row.clock.bank
        )
        happened = [("sat", number, {"player": player_document(player)})]
        return begin_where_full(record(table_id, happened, now=now), now=now)


def add_computer(
    *, table_id: str, player_id: str, wanted: ComputerWanted, seat: int | None, now: datetime
) -> Loaded:
    """Let the host put a computer on an empty seat."""
    with transaction.atomic():
        table = _locked(table_id, player_id, host=True)
        _check_open(table)
        if table.row.version >= MOST_VERSIONS:
            raise LobbyRefused("too_restless", "So much came and went at this table that it cannot go on.")
        number = _free_seat(table, seat)
        if table.row.mode == "ranked":
            raise LobbyRefused("no_computers", "Ranked tables have no computers.")
        used = {held.character for held in table.seats}
        character = character_for(wanted, used)
        Seat.objects.filter(table_id=table_id, number=number).update(level=wanted.level, character=character)
        happened = [("computer", number, {"level": wanted.level, "character": character})]
        return begin_where_full(record(table_id, happened, now=now), now=now)


def free_seat(*, table_id: str, player_id: str, seat: int, now: datetime) -> Loaded:
    """Let the host free a seat before the start; a seat that is free already stays so."""
    with transaction.atomic():
        table = _locked(table_id, player_id)
        if all(held.number != seat for held in table.seats):
            raise access.NothingThere("This table has no such seat.")
        access.check_host(table.row, player_id)
        _check_open(table)
        held = table.seat(seat)
        if not held.taken:
            return table
        return _empty(table, seat, ("freed", seat, {"player": held.player_id}), now=now)


def leave(*, table_id: str, player_id: str, now: datetime, only_before_start: bool = False) -> Loaded:
    """Leave a table: before the start the seat is free again, afterwards the match's rules decide.

    With `only_before_start` it is refused afterwards: who meant to free a seat shall not lose a match.
    """
    with transaction.atomic():
        table = _locked(table_id, player_id)
        held = [seat for seat in table.seats if seat.player_id == player_id]
        if not held:
            raise access.NotYours("You hold no seat at this table.")
        number = held[0].number
        if table.row.status == "open":
            return _empty(table, number, ("stood", number, {"player": player_id}), now=now)
        if only_before_start:
            _check_open(table)
        if table.row.mode != "practice" and held[0].left is not None:
            return table
        return play.leave_match(table, number, now=now)


def start(*, table_id: str, player_id: str, now: datetime) -> Loaded:
    """Let the host begin the match with the seats that are taken; the others are dropped."""
    with transaction.atomic():
        table = _locked(table_id, player_id, host=True)
        _check_open(table)
        if table.row.mode == "ranked":
            raise LobbyRefused("ranked_waits", "A ranked match begins when every seat is taken.")
        if sum(seat.taken for seat in table.seats) < 2:
            raise LobbyRefused("too_few", "A match needs at least two seats that are taken.")
        empty = [seat.number for seat in table.seats if not seat.taken]
        Seat.objects.filter(table_id=table_id, number__in=empty).delete()
        return play.begin(load(table.row), now=now)


def close(*, table_id: str, player_id: str) -> None:
    """Let the host close a table that has not started: it is gone."""
    with transaction.atomic():
        table = _locked(table_id, player_id, host=True)
        _check_open(table)
        Table.objects.filter(pk=table_id).delete()
        live.announce(table_id, table.row.version + 1)


def invite(*, table_id: str, player_id: str) -> str:
    """Give the host of a private table what lets others sit down there."""
    with transaction.atomic():
        table = _locked(table_id, player_id, host=True)
        _check_open(table)
        if table.row.visibility != "private":
            raise LobbyRefused(
                "not_private", "Anybody who knows this table may sit down: no invite is needed."
            )
        return invites.invite_to(table_id)


def _locked(table_id: str, player_id: str | None = None, *, host: bool = False) -> Loaded:
    """The table under its lock, for who may see it; with `host` for its host only."""
    row = lock(table_id)
    if row is None:
        raise access.NothingThere
    table = load(row)
    if player_id is not None:
        sits = any(held.player_id == player_id for held in table.seats)
        access.check_sees(row, player_id, sits=sits)
    if host and player_id is not None:
        access.check_host(row, player_id)
    return table


def _check_open(table: Loaded) -> None:
    if table.row.status != "open":
        raise LobbyRefused("started", "This match has begun.")


def _free_seat(table: Loaded, named: int | None) -> int:
    """The seat to sit on, where it is free."""
    free = [seat.number for seat in table.seats if not seat.taken]
    if named is None:
        if not free:
            raise Taken("No seat is free at this table.", table.row.version)
        return free[0]
    if named in free:
        return named
    if any(seat.number == named for seat in table.seats):
        raise Taken(f"Seat {named} is taken.", table.row.version)
    _check_open(table)
    raise LobbyRefused(
        "no_such_seat", f"The seats of this table are 0 to {table.row.rules.seats - 1}.", field="seat"
    )


def _check_patience(table: Loaded, player: Player) -> None:
    """Every seating is a version for ever: nobody makes a hundred of them at one table."""
    seatings = Event.objects.filter(table_id=table.row.id, kind="sat", facts__contains=player.id)
    if seatings.count() >= MOST_SEATINGS:
        raise LobbyRefused("sat_too_often", f"You sat down at this table {MOST_SEATINGS} times already.")


def record(
    table_id: str, happened: Iterable[tuple[str, int | None, Mapping[str, Any]]], *, now: datetime
) -> Loaded:
    """Write what happened at an open table as the next versions, and load the table anew."""
    version, updated_at = Table.objects.values_list("version", "updated_at").get(pk=table_id)
    now = max(now, updated_at)  # though a clock was set back
    events = [
        EventRow(version=at, kind=kind, seat=seat, at=now, status="open", number=0, facts=facts)
        for at, (kind, seat, facts) in enumerate(happened, version + 1)
    ]
    insert_events(table_id, events)
    Table.objects.filter(pk=table_id).update(version=events[-1].version, updated_at=now)
    live.announce(table_id, events[-1].version)
    return _locked(table_id)


def begin_where_full(table: Loaded, *, now: datetime) -> Loaded:
    """Begin the match where every seat is taken."""
    if all(seat.taken for seat in table.seats):
        return play.begin(table, now=now)
    return table


def _empty(
    table: Loaded, number: int, happened: tuple[str, int, Mapping[str, Any]], *, now: datetime
) -> Loaded:
    Seat.objects.filter(table_id=table.row.id, number=number).update(
        player=None, level="", character="", client_seed="", bank=None
    )
    return record(table.row.id, [happened], now=now)


def character_for(wanted: ComputerWanted, used: Iterable[str | None]) -> str:
    """The character asked for, or the first that does not sit at the table yet."""
    taken = set(used)
    character = wanted.character or next(name for name in registry.CHARACTERS if name not in taken)
    registry.computer(wanted.level, character)
    if character in taken:
        raise LobbyRefused(
            "character_taken",
            f"{registry.CHARACTERS[character]} sits at this table already.",
            field="character",
        )
    return character
