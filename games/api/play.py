"""One table: its view, acting, its past rounds and its archive."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Player
from games.access import NothingThere
from games.api import lobby
from games.api.answers import BRIEF, answer, answer_once, minimal, now, page
from games.api.auth import player_of
from games.api.parsing import Body, Malformed, whole_of_query
from games.api.rendering import PRIVATE
from games.api.schema import calls
from games.api.throttles import writing_player
from games.commands import play
from games.engine.dice import ROUND_LIMIT
from games.engine.moves import Bid, Call, Move, NextRound
from games.queries import table as tables
from games.queries.lists import BadCursor

if TYPE_CHECKING:
    from games.store.rows import Loaded

ACTIONS = ("bid", "liar", "exact", "next_round")


@calls.look
@calls.close_table
@api_view(["GET", "HEAD", "DELETE"])
def table(request: Request, table_id: str) -> HttpResponse:
    """The view of a table for whoever asks; or close it, as the host, before it starts."""
    if request.method == "DELETE":
        return lobby.close(request, table_id)
    player = player_of(request)
    through = request.query_params.get("as")
    seen = tables.table_view(
        table_id,
        player.id if player else None,
        through=None if through is None else whole_of_query("as", through),
        has=_tags(request.META.get("HTTP_IF_NONE_MATCH", "")),
    )
    headers = {"ETag": seen.etag}
    if seen.document is None:
        return HttpResponse(status=304, headers={**PRIVATE, **headers})
    return answer(seen.document, headers=headers)


@calls.act
@api_view(["POST"])
def actions(request: Request, table_id: str) -> HttpResponse:
    """Bid, call, or go on to the next round."""
    player = writing_player(request)
    return answer_once(request, player, lambda: _answer_action(request, player, table_id))


@calls.list_rounds
@api_view(["GET", "HEAD"])
def rounds(request: Request, table_id: str) -> Response:
    """The reveals of finished rounds, oldest first."""
    player = player_of(request)
    cursor = request.query_params.get("cursor")
    after = 0 if not cursor else _round_number(cursor)
    if after is None:
        raise BadCursor
    reveals, following = tables.rounds(table_id, player.id if player else None, after=after)
    return page(request, reveals, following)


@calls.one_round
@api_view(["GET", "HEAD"])
def round_(request: Request, table_id: str, number: str) -> Response:
    """The reveal of one finished round."""
    player = player_of(request)
    player_id = player.id if player else None
    wanted = _round_number(number)
    if wanted is None:
        tables.visible_row(table_id, player_id)
        raise NothingThere("There is no such round.")
    return answer(tables.round_of(table_id, player_id, wanted))


@calls.archive
@api_view(["GET", "HEAD"])
def archive(request: Request, table_id: str) -> Response:
    """The finished match as one document."""
    player = player_of(request)
    return answer(tables.archive(table_id, player.id if player else None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a body asks for: a move, the version that it answers, and on a practice table for which seat."""

    move: Move
    seen: int
    seat: int | None


def action_in(body: Body) -> Action:
    """The action that a body writes, or `Malformed`."""
    seat = body.raw("seat")  # of a practice table; any other ignores it, whatever it is
    return Action(move=_move(body), seen=body.whole("version"), seat=seat if type(seat) is int else None)


def act(
    action: Action, *, table_id: str, player_id: str, brief: bool, known: "Loaded | None" = None
) -> dict[str, Any]:
    """Do it, and return what there is to answer: the new view, or no more than the version.

    `known` is the table, where it was read just now, or is known with a proof, without which `Unproven` is
    raised.
    """
    table, acted = play.act(
        table_id=table_id,
        player_id=player_id,
        seat=action.seat,
        move=action.move,
        seen=action.seen,
        now=now(),
        known=known,
    )
    if brief:
        return {"id": table.row.id, "version": table.row.version}
    return tables.view_of(table, player_id, through=acted if table.row.mode == "practice" else None)


def _answer_action(request: Request, player: Player, table_id: str) -> Response:
    action, brief = action_in(Body(request.data)), minimal(request.META)
    document = act(action, table_id=table_id, player_id=player.id, brief=brief)
    return answer(document, headers=BRIEF if brief else None)


def _move(body: Body) -> Move:
    kind = body.text("type")
    if kind == "bid":
        return _bid(body)
    if kind in ("liar", "exact"):
        return Call("liar" if kind == "liar" else "exact")
    if kind == "next_round":
        return NextRound()
    raise Malformed(f"type is one of {', '.join(ACTIONS)}.", field="type")


def _bid(body: Body) -> Bid:
    """A bid as it was written; whether its kind fits the table, the rules decide."""
    if not body.has("total"):
        return Bid(quantity=body.whole("quantity"), face=body.whole("face"))
    if body.has("quantity") or body.has("face"):
        raise Malformed("A bid is a quantity and a face, or a total; not both.", field="total")
    return Bid(total=body.whole("total"))


def _round_number(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        return None
    return int(text) if 1 <= int(text) <= ROUND_LIMIT else None


def _tags(header: str) -> frozenset[str]:
    return frozenset(tag.strip().removeprefix("W/") for tag in header.split(","))
