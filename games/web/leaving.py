"""Getting up from a table, and sitting down at one like it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games import limits
from games.access import NothingThere, NotYours
from games.commands import lobby, opening
from games.commands.lobby import ComputerWanted
from games.commands.opening import TableWanted
from games.queries import table as tables
from games.web.acting import REFUSALS, count_change, door, now, slowed, somebody
from games.web.pressing import to_its_table
from games.web.visit import player_of


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, table_id: str) -> HttpResponse:
    """Ask whether somebody means to leave, and say what follows; or let them."""
    player = player_of(request)
    try:
        document = tables.table_view(table_id, player.id if player else None).document or {}
    except NothingThere as error:
        raise Http404 from error
    if player is None or document["viewer"]["role"] == "spectator":
        messages.error(request, "You hold no seat at this table.", extra_tags="wrong")
        return redirect("table", table_id)
    if request.method != "POST":
        people = [
            seat for seat in document["seats"] if seat["player"] and seat["dice"] and not seat["substitute"]
        ]
        context = {"doc": document, "where": document["name"], "forfeits": len(people) == 2}
        return render(request, "games/leave.html", context)
    try:
        count_change(request)
        lobby.leave(table_id=table_id, player_id=player.id, now=now())
    except limits.SlowDown as error:
        return slowed(render(request, "games/slow_down.html"), error)
    except NotYours as error:
        messages.error(request, error.message, extra_tags="wrong")
    return redirect("table", table_id)


@door
def again(request: HttpRequest, table_id: str) -> HttpResponse:
    """Make a table with the same rules, pace and computers as one that is over; its people may join."""
    player = player_of(request)
    try:
        document = tables.table_view(table_id, player.id if player else None).document or {}
    except NothingThere as error:
        raise Http404 from error
    limits.count_table(request, player.id if player else None)
    at = now()
    somebody_here = somebody(request, now=at)
    wanted = TableWanted(
        name=document["name"],
        rules=document["rules"] if document["mode"] != "ranked" else {"seats": document["rules"]["seats"]},
        mode=document["mode"],
        clock=document["clock"],
        visibility=document["visibility"],
        tells=document.get("tells", True),
        computers=[
            ComputerWanted(level=seat["player"]["level"], character=seat["player"]["character"])
            for seat in document["seats"]
            if seat["player"] and seat["player"]["kind"] == "computer"
        ],
    )

    def opened() -> str:
        plan = opening.plan(somebody_here, wanted)
        return opening.open_table(player=somebody_here, plan=plan, now=at).row.id

    try:
        return to_its_table(request, somebody_here, opened, now=at)
    except REFUSALS as error:
        messages.error(request, str(error), extra_tags="wrong")
        return redirect("table", table_id)
