"""Opening a table: the form with every choice, and a match against three computers with one press."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.commands import prefer
from accounts.models import Player
from accounts.names import NameRefused, guest_name
from games import limits
from games.commands import opening
from games.commands.lobby import ComputerWanted
from games.commands.opening import TableWanted
from games.web.acting import REFUSALS, count_change, door, now, slowed, somebody
from games.web.forms import SitForm
from games.web.new_table import NewTable
from games.web.pressing import to_its_table
from games.web.visit import player_of, preferences, private

COMPUTERS = (("quill", "easy"), ("marl", "easy"), ("wick", "normal"))
"""Whom a newcomer meets: mostly easy, so that a first match can be won."""

PLAY_NOW = TableWanted(
    name="Three computers",
    preset="standard",
    # Nobody who reads the rules meanwhile is hurried, and nobody's telephone call costs a die.
    clock={"kind": "none"},
    # The list of tables to watch is for matches among people; the link can still be shared.
    visibility="unlisted",
    computers=[ComputerWanted(level=level, character=character) for character, level in COMPUTERS],
)


@door
def play_now(request: HttpRequest) -> HttpResponse:
    """Begin a match against three computers; somebody new becomes a guest without a word."""
    form = SitForm(request.POST, player=player_of(request))
    seed = form.cleaned_data["client_seed"] if form.is_valid() else ""
    limits.count_table(request, _player_id(request))
    at = now()
    player = somebody(request, now=at)
    wanted = TableWanted(
        **{name: getattr(PLAY_NOW, name) for name in PLAY_NOW.__slots__} | {"client_seed": seed}
    )
    return to_its_table(request, player, lambda: _opened(player, wanted, at), now=at)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form of a new table, filled in as the last one was; or the table."""
    player = player_of(request)
    if request.method != "POST":
        return _page(request, NewTable(player=player, initial=_as_last_time(request, player)))
    form = NewTable(request.POST, player=player)
    try:
        count_change(request)
        return _open(request, form, player)
    except limits.SlowDown as error:
        form.add_error(None, "You opened many tables in a short time. Wait a moment, then send it again.")
        return slowed(_page(request, form), error)


def _open(request: HttpRequest, form: NewTable, player: Player | None) -> HttpResponse:
    # Who is nobody yet gets their name now, and becomes a guest once everything else is right.
    name = None if player or not form.is_valid() else form.cleaned_data.get("own_name") or guest_name()
    if not _possible(form, player or Player(name=name or "You")):
        return _page(request, form, status=422)
    limits.count_table(request, player.id if player else None)
    at = now()
    host = somebody(request, name=name, now=at)
    # As whoever sent the same form a moment ago, they may have another name than was thought of just now.
    answer = to_its_table(request, host, lambda: _opened(host, form.wanted, at), now=at)
    prefer(player=host, wanted={"last_table": form.kept()})
    return answer


def _opened(player: Player, wanted: TableWanted, at: datetime) -> str:
    return opening.open_table(player=player, plan=opening.plan(player, wanted), now=at).row.id


def _possible(form: NewTable, player: Player) -> bool:
    """Can this table be made? Where not, the form says why."""
    if not form.is_valid():
        return False
    try:
        opening.plan(player, form.wanted)
    except REFUSALS as error:
        form.add_error(_field_of(error, form), str(error))
        return False
    return True


def _field_of(error: Exception, form: NewTable) -> str | None:
    """The field beside which a refusal belongs; None: above them all."""
    if isinstance(error, NameRefused):
        return "name"
    named = getattr(error, "option", None) or getattr(error, "field", None) or ""
    field = {"clock": "pace", "clock.turn_seconds": "turn", "clock.bank_seconds": "bank"}.get(named, named)
    return field if field in form.fields else None


def _as_last_time(request: HttpRequest, player: Player | None) -> dict[str, Any]:
    """What this player chose last, and over it what the address names; what is not known is left out."""
    kept = {**preferences(request).last_table, **request.GET.dict()} if player else request.GET.dict()
    blank = NewTable(player=player)
    defaults = {name: blank[name].value() for name in blank.fields}
    known = {name: value for name, value in kept.items() if name in blank.fields}
    tried = NewTable({**defaults, **known}, player=player)
    tried.is_valid()
    return {name: value for name, value in known.items() if name not in tried.errors}


def _page(request: HttpRequest, form: NewTable, *, status: int = 200) -> HttpResponse:
    return private(render(request, "games/new.html", {"form": form, "where": "New table"}, status=status))


def _player_id(request: HttpRequest) -> str | None:
    player = player_of(request)
    return player.id if player else None
