"""Tables: finding, making and joining them."""

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Player
from games.api.answers import absolute, answer, answer_once, now, page
from games.api.auth import player_needed, player_of
from games.api.parsing import Body, flag_of_query, one_of_query
from games.api.schema import calls
from games.api.throttles import slow_down_tables, writing_player
from games.commands import lobby, opening
from games.commands.lobby import ComputerWanted
from games.commands.opening import TableWanted
from games.engine.rules import DEFAULTS, OPTIONS, PRESETS
from games.queries import lists
from games.queries.table import view_of

if TYPE_CHECKING:
    from games.store.rows import Loaded


@calls.list_tables
@calls.open_table
@api_view(["GET", "HEAD", "POST"])
def tables(request: Request) -> HttpResponse:
    """List tables, latest activity first; or make one."""
    if request.method != "POST":
        return _list(request)
    player = writing_player(request)
    return answer_once(request, player, lambda: _open(request, player))


@calls.list_presets
@api_view(["GET", "HEAD"])
def presets(request: Request) -> Response:
    """The presets with all their options, and what each option may be."""
    return answer(
        {
            "presets": {name: {**DEFAULTS, **values} for name, values in PRESETS.items()},
            "options": {name: option.document() for name, option in OPTIONS.items()},
        }
    )


@calls.sit
@api_view(["POST"])
def seats(request: Request, table_id: str) -> Response:
    """Sit down."""
    player = writing_player(request)
    body = Body(request.data)
    table = lobby.sit(
        table_id=table_id,
        player=player,
        seat=body.maybe_whole("seat"),
        client_seed=body.maybe_text("client_seed") or "",
        invite=body.maybe_text("invite"),
        now=now(),
    )
    return _view(table, player)


@calls.free_seat
@api_view(["DELETE"])
def seat(request: Request, table_id: str, number: str) -> Response:
    """Free a seat before the start, as the host."""
    player = writing_player(request)
    named = int(number) if number.isascii() and number.isdigit() and len(number) == 1 else -1
    return _view(lobby.free_seat(table_id=table_id, player_id=player.id, seat=named, now=now()), player)


@calls.leave
@api_view(["DELETE"])
def own_seat(request: Request, table_id: str) -> Response:
    """Leave one's own seat."""
    player = writing_player(request)
    return _view(lobby.leave(table_id=table_id, player_id=player.id, now=now()), player)


@calls.add_computer
@api_view(["POST"])
def computers(request: Request, table_id: str) -> Response:
    """Put a computer on an empty seat, as the host."""
    player = writing_player(request)
    body = Body(request.data)
    table = lobby.add_computer(
        table_id=table_id,
        player_id=player.id,
        wanted=_computer(body),
        seat=body.maybe_whole("seat"),
        now=now(),
    )
    return _view(table, player)


@calls.start
@api_view(["POST"])
def start(request: Request, table_id: str) -> Response:
    """Start with the seats that are taken, as the host."""
    player = writing_player(request)
    Body(request.data)
    return _view(lobby.start(table_id=table_id, player_id=player.id, now=now()), player)


@calls.invite
@api_view(["POST"])
def invites(request: Request, table_id: str) -> Response:
    """Get an invite to a private table, as its host."""
    player = writing_player(request)
    Body(request.data)
    invite = lobby.invite(table_id=table_id, player_id=player.id)
    url = absolute(request, f"/tables/{table_id}?invite={invite}")
    return answer({"invite": invite, "url": url}, status=201)


def close(request: Request, table_id: str) -> Response:
    """Close a table that has not started, as the host."""
    player = writing_player(request)
    lobby.close(table_id=table_id, player_id=player.id)
    return answer(None, status=204)


def _list(request: Request) -> Response:
    player = player_of(request)
    query = request.query_params
    if cursor := query.get("cursor"):
        lists.read_cursor(cursor)  # malformed comes before words that are not known
    mine = flag_of_query("mine", query.get("mine"))
    if mine:
        player = player_needed(request)
    found = lists.tables(
        player.id if player else None,
        status=one_of_query("status", query.get("status"), lists.STATUSES),
        mode=one_of_query("mode", query.get("mode"), opening.MODES),
        mine=mine,
        cursor=query.get("cursor") or None,
    )
    return page(request, found.results, found.cursor)


def _open(request: Request, player: Player) -> Response:
    wanted = _table_wanted(Body(request.data))
    plan = opening.plan(player, wanted)
    slow_down_tables(request)
    table = opening.open_table(player=player, plan=plan, now=now())
    return answer(view_of(table, player.id), status=201)


def _table_wanted(body: Body) -> TableWanted:
    """What is asked for, as it was written; whether it makes sense, `opening.plan` says."""
    clock = body.maybe_object("clock")
    return TableWanted(
        name=body.maybe_text("name"),
        preset=body.maybe_text("preset"),
        rules=body.raw("rules"),
        mode=body.maybe_text("mode"),
        clock=None if clock is None else _clock(clock),
        visibility=body.maybe_text("visibility"),
        computers=[_computer(wanted) for wanted in body.objects("computers")],
        client_seed=body.maybe_text("client_seed") or "",
        sit=body.flag("sit", default=True),
        tells=body.flag("tells", default=True),
    )


def _clock(body: Body) -> dict[str, Any]:
    kind = body.text("kind")
    if kind == "live":
        return {"kind": kind, "pace": body.text("pace")}
    if kind == "slow":
        bank = body.maybe_whole("bank_seconds")
        return {"kind": kind, "turn_seconds": body.whole("turn_seconds"), "bank_seconds": bank or 0}
    return {"kind": kind}


def _computer(body: Body) -> ComputerWanted:
    return ComputerWanted(level=body.text("level"), character=body.maybe_text("character"))


def _view(table: "Loaded", player: Player) -> Response:
    return answer(view_of(table, player.id))
