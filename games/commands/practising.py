"""Practise from here: a past round opens again as a practice table, with the same hands."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.db import transaction

from accounts.models import Player
from games.clocks import UNLIMITED
from games.commands import play
from games.commands.opening import Plan, new_table, seat_all
from games.computers import registry
from games.engine.rules import rules_of
from games.models import TABLE_NAME_LENGTH, Given, Seat, Table
from games.store.rows import Loaded

Document: TypeAlias = Mapping[str, Any]


def practise(*, player: Player, table: Document, reveal: Document, now: datetime) -> Loaded:
    """Make a practice table of this player's from a round that was revealed, as their view of it shows.

    Its first round has the same seats, hands, opener and rules; computers sit where they sat, and every other
    seat is the player's. From the second round on the new table rolls dice of its own.
    """
    hands = {int(seat): tuple(hand) for seat, hand in reveal["hands"].items()}
    plan = _plan(table, reveal)
    made = new_table(player=player, plan=plan, now=now)
    seats = _seats(made, table, reveal, player)
    beginning = play.Beginning(hands=hands, opener=reveal["opener"], palifico=reveal["palifico"])
    with transaction.atomic():
        loaded = seat_all(made, seats, player=player, now=now)
        Given.objects.create(
            table=made,
            of_table=table["id"],
            of_round=reveal["number"],
            dice={str(seat): len(hand) for seat, hand in hands.items()},
            palifico=reveal["palifico"],
        )
        return play.begin_given(loaded, beginning, now=now)


def _plan(table: Document, reveal: Document) -> Plan:
    ending = f", round {reveal['number']}"
    return Plan(
        name=table["name"][: TABLE_NAME_LENGTH - len(ending)].rstrip() + ending,
        rules=rules_of(table),
        mode="practice",
        clock=UNLIMITED,
        # Whoever has its address may watch; of a private match nobody else hears anything.
        visibility="private" if table["visibility"] == "private" else "unlisted",
        computers=(),
        client_seed="",
        sit=True,
    )


def _seats(made: Table, table: Document, reveal: Document, player: Player) -> list[Seat]:
    """The seats that were in: computers where they sat first-hand, the player on every other."""
    sat = {seat["seat"]: seat["player"] for seat in table["seats"] if str(seat["seat"]) in reveal["hands"]}
    machines = {number: who for number, who in sat.items() if _plays_here(who)}
    if len(machines) == len(sat):
        del machines[reveal["opener"]]  # somebody has to practise
    seats = []
    for number in sorted(sat):
        seat = Seat(table=made, number=number, dice=len(reveal["hands"][str(number)]))
        if number in machines:
            seat.level, seat.character = machines[number]["level"], machines[number]["character"]
        else:
            seat.player, seat.practice = player, True
        seats.append(seat)
    return seats


def _plays_here(who: Document) -> bool:
    """Is this a computer that this version knows? An archive may be of any."""
    return (
        who["kind"] == "computer"
        and who["level"] in registry.LEVELS
        and who["character"] in registry.CHARACTERS
    )
