"""Opening a table: what was asked for, checked as a whole, becomes rows."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Player
from accounts.names import fit_name
from accounts.queries import player_document
from games import sealing
from games.clocks import SLOW, UNLIMITED, Clock
from games.commands.lobby import (
    ComputerWanted,
    LobbyRefused,
    begin_where_full,
    character_for,
    check_may_rank,
    record,
)
from games.engine.dice import check_seed, commitment_of
from games.engine.rules import DEFAULTS, PRESETS, Rules, RulesRefused, rules_from
from games.models import TABLE_NAME_LENGTH, Seat, Table
from games.store.rows import Loaded

MODES = ("casual", "ranked", "practice")
VISIBILITIES = ("public", "unlisted", "private")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWanted:
    """What somebody asks a new table to be; what is None takes its default."""

    name: str | None = None
    preset: str | None = None
    rules: object = None  # an object of options
    mode: str | None = None
    clock: Mapping[str, Any] | None = None  # the fields of a `Clock`
    visibility: str | None = None
    computers: Sequence[ComputerWanted] = ()
    client_seed: str = ""
    sit: bool = True
    tells: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A table that may be made as it stands here."""

    name: str
    rules: Rules
    mode: str
    clock: Clock
    visibility: str
    computers: Sequence[ComputerWanted]
    client_seed: str
    sit: bool
    tells: bool = True


def open_table(*, player: Player, plan: Plan, now: datetime) -> Loaded:
    """Make a table as planned; the match begins at once where every seat is taken."""
    table = new_table(player=player, plan=plan, now=now)
    seats = _seats_of(table, plan, player)
    with transaction.atomic():
        return begin_where_full(seat_all(table, seats, player=player, now=now), now=now)


def new_table(*, player: Player, plan: Plan, now: datetime) -> Table:
    """A table as planned, with a chain of secrets of its own, that is in no row yet."""
    chain_end = secrets.token_bytes(32)
    table = Table(
        name=plan.name,
        mode=plan.mode,
        visibility=plan.visibility,
        rules=plan.rules.document(),
        clock=plan.clock.document(),
        live=plan.clock.kind == "live",
        commitment=commitment_of(chain_end),
        host=player,
        tells=plan.tells,
        created_at=now,
        updated_at=now,
    )
    table.sealed_chain = sealing.seal(chain_end, place=sealing.chain_place(table.id))
    return table


def seat_all(table: Table, seats: Sequence[Seat], *, player: Player, now: datetime) -> Loaded:
    """Write a new table with its seats, and who sits on them at once; called in a transaction."""
    happened = [("created", None, {}), *(_taking(seat, player) for seat in seats if _taken(seat))]
    table.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    return record(table.id, happened, now=now)


def plan(player: Player, wanted: TableWanted) -> Plan:
    """Check what was asked for as a whole.

    Raises `LobbyRefused`, or what refuses a rule, a clock, a seed, a name or a computer.
    """
    mode = _one_of("mode", wanted.mode or "casual", MODES)
    if not isinstance(wanted.rules, Mapping | None):
        raise RulesRefused("rules", "rules is an object of options.")
    rules = rules_from(_one_of("preset", wanted.preset or "standard", PRESETS), wanted.rules or {})
    clock = Clock(**wanted.clock) if wanted.clock else None
    _check_room(rules, wanted)
    name = f"{player.name}’s table" if wanted.name is None else fit_name(wanted.name, most=TABLE_NAME_LENGTH)
    made = Plan(
        name=name,
        rules=rules,
        mode=mode,
        clock=clock or (UNLIMITED if mode == "practice" else SLOW),
        visibility=_one_of("visibility", wanted.visibility or "public", VISIBILITIES),
        computers=_with_characters(wanted.computers),
        client_seed=check_seed(wanted.client_seed),
        sit=wanted.sit,
        tells=wanted.tells,
    )
    if mode == "ranked":
        _check_ranked(made, player)
    if mode == "practice":
        _check_practice(made)
    return made


def _check_room(rules: Rules, wanted: TableWanted) -> None:
    if len(wanted.computers) > rules.seats - (1 if wanted.sit else 0):
        yours = ", and you want to sit on one of them" if wanted.sit else ""
        raise LobbyRefused("too_many_computers", f"There are {rules.seats} seats{yours}.", field="computers")


def _check_ranked(plan: Plan, player: Player) -> None:
    """What every ranked table has (rules, 7.6)."""
    check_may_rank(player, field="mode")
    for name, value in plan.rules.document().items():
        if name != "seats" and value != DEFAULTS[name]:
            raise LobbyRefused("ranked_rules", f"Ranked tables play {name} as it is by default.", field=name)
    if plan.computers:
        raise LobbyRefused("no_computers", "Ranked tables have no computers.", field="computers")
    if not plan.clock.fits_ranked:
        raise LobbyRefused(
            "ranked_clock",
            "A ranked table is live at Normal pace, or slow with one, two or three days a turn and no bank.",
            field="clock",
        )


def _check_practice(plan: Plan) -> None:
    if not plan.sit:
        raise LobbyRefused("owner_sits", "The owner of a practice table sits at it.", field="sit")
    if plan.clock.kind != "none":
        raise LobbyRefused("no_clock", "Practice tables have no clock.", field="clock")


def _one_of(field: str, value: str, allowed: Iterable[str]) -> str:
    if value not in allowed:
        raise LobbyRefused(f"unknown_{field}", f"{field} is one of {', '.join(allowed)}.", field=field)
    return value


def _with_characters(wanted: Iterable[ComputerWanted]) -> list[ComputerWanted]:
    chosen: list[ComputerWanted] = []
    for computer in wanted:
        character = character_for(computer, {other.character for other in chosen})
        chosen.append(ComputerWanted(level=computer.level, character=character))
    return chosen


def _seats_of(table: Table, plan: Plan, player: Player) -> list[Seat]:
    seats = [
        Seat(table=table, number=number, dice=plan.rules.starting_dice) for number in range(plan.rules.seats)
    ]
    mine = 1 if plan.sit else 0
    for seat, computer in zip(seats[mine:], plan.computers, strict=False):
        seat.level, seat.character = computer.level, computer.character or ""
    practice = plan.mode == "practice"
    for seat in seats if practice else seats[:mine]:
        if not seat.level:
            seat.player, seat.client_seed, seat.practice = player, plan.client_seed, practice
            seat.bank = plan.clock.bank
    return seats


def _taken(seat: Seat) -> bool:
    return seat.player_id is not None or seat.level != ""


def _taking(seat: Seat, player: Player) -> tuple[str, int, dict[str, Any]]:
    if seat.level:
        return "computer", seat.number, {"level": seat.level, "character": seat.character}
    return "sat", seat.number, {"player": player_document(player)}
