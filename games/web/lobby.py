"""A table before its match: who sits there, sitting down, computers, starting, closing, the invitation."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import Player
from games import invites
from games.access import NothingThere
from games.commands import lobby
from games.commands.lobby import LobbyRefused, Taken
from games.engine.words import number_words, sentence
from games.queries import table as tables
from games.web import guide, terms, words
from games.web.acting import REFUSALS, absolute, door, now, somebody
from games.web.computers import about
from games.web.forms import ComputerForm, SitForm
from games.web.visit import player_of, private

Document: TypeAlias = Mapping[str, Any]

FEWEST = 2


def waiting_room(
    request: HttpRequest,
    document: Document,
    *,
    sitting: SitForm | None = None,
    computer: ComputerForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """A table that has not started, for whoever sees it; the forms are those that were refused."""
    player = player_of(request)
    hosts = player is not None and document["host"] == player.id
    taken = sum(seat["player"] is not None for seat in document["seats"])
    context = {
        **_told(document),
        "free": len(document["seats"]) - taken,
        "hosts": hosts,
        "sitting": sitting or SitForm(player=player),
        "no_seat": _why_no_seat(document, player),
        "computer": computer or ComputerForm(),
        "no_start": _why_no_start(document, taken),
        "start_with": number_words(taken),
        "link": _link(request, document) if hosts or document["visibility"] != "private" else "",
    }
    return private(render(request, "games/open.html", context, status=status))


def _told(document: Document) -> dict[str, Any]:
    """What is told of such a table to everybody who sees it: who sits there, and what holds."""
    return {
        "table": document,
        "where": document["name"],
        "seats": _seats(document),
        "seat": document["viewer"]["seat"],
        "state": _state(document),
        "terms": terms.terms(document["rules"]),
        "sections": guide.sections_for(document["rules"], mode=document["mode"], clock=document["clock"]),
        "dice": document["rules"]["starting_dice"],
        "clock": terms.clock_line(document["clock"]),
        "ranked": document["mode"] == "ranked",
        "mode": terms.MODE_WORDS[document["mode"]],
        "visibility": terms.VISIBILITY_WORDS[document["visibility"]],
        "faces": terms.TELLS_WORDS[terms.written(document["tells"])],
    }


def invited(
    request: HttpRequest, table_id: str, *, sitting: SitForm | None = None, status: int = 200
) -> HttpResponse:
    """What an invitation to a private table opens; the table shows itself to who sits there."""
    invite = request.GET.get("invite") or request.POST.get("invite") or ""
    if not invites.opens(invite, table_id):
        raise Http404
    form = sitting or SitForm(player=player_of(request))
    context = {"table_id": table_id, "invite": invite, "sitting": form}
    return private(render(request, "games/invited.html", context, status=status))


@door
def sit(request: HttpRequest, table_id: str) -> HttpResponse:
    """Sit down, as whoever one is; somebody new becomes a guest."""
    player = player_of(request)
    document = _document(request, table_id)
    form = SitForm(request.POST, player=player)
    if document is None and not invites.opens(request.POST.get("invite", ""), table_id):
        raise Http404
    if not form.is_valid():
        if document is None:
            return invited(request, table_id, sitting=form, status=422)
        if document["status"] == "open":
            return waiting_room(request, document, sitting=form, status=422)
    if document is not None and (refused := _why_no_seat(document, player)):
        return _back(request, table_id, refused)
    return _sit(request, table_id, form)


def _sit(request: HttpRequest, table_id: str, form: SitForm) -> HttpResponse:
    chosen, at = form.cleaned_data, now()
    player = somebody(request, name=chosen.get("own_name"), now=at)
    try:
        lobby.sit(
            table_id=table_id,
            player=player,
            seat=chosen["seat"],
            client_seed=chosen["client_seed"],
            invite=chosen["invite"] or None,
            now=at,
        )
    except Taken as error:
        sits = "already" in error.message
        return _back(request, table_id, "" if sits else "That seat has just been taken.")
    except NothingThere:
        return _gone(request)
    except LobbyRefused as error:
        return _back(request, table_id, error.message)
    return redirect("table", table_id)


@door
def stand_up(request: HttpRequest, table_id: str) -> HttpResponse:
    """Leave a seat before the match; once it has begun, nobody leaves it by this."""
    player = player_of(request)
    if player is None:
        return _back(request, table_id, "You hold no seat at this table.")
    try:
        lobby.leave(table_id=table_id, player_id=player.id, now=now(), only_before_start=True)
    except NothingThere:
        return _gone(request)
    except REFUSALS as error:
        return _back(request, table_id, str(error))
    messages.info(request, "You left the table. Your seat is free again.")
    if _document(request, table_id) is None:
        return redirect("home")
    return redirect("table", table_id)


@door
def add_computer(request: HttpRequest, table_id: str) -> HttpResponse:
    """Put a computer on a free seat, as the host."""
    document = _for_host(request, table_id)
    form = ComputerForm(request.POST)
    if not form.is_valid():
        if document["status"] != "open":
            return _back(request, table_id, "This match has begun.")
        return waiting_room(request, document, computer=form, status=422)
    try:
        lobby.add_computer(
            table_id=table_id,
            player_id=_id(request),
            wanted=form.wanted,
            seat=form.cleaned_data["seat"],
            now=now(),
        )
    except Taken:
        return _back(request, table_id, "That seat has just been taken.")
    except REFUSALS as error:
        return _back(request, table_id, str(error))
    return redirect("table", table_id)


@door
def free_seat(request: HttpRequest, table_id: str) -> HttpResponse:
    """Free a seat, as the host."""
    _for_host(request, table_id)
    number = request.POST.get("seat", "")
    seat = int(number) if number.isascii() and number.isdigit() and len(number) == 1 else -1
    try:
        lobby.free_seat(table_id=table_id, player_id=_id(request), seat=seat, now=now())
    except REFUSALS as error:
        return _back(request, table_id, str(error))
    return redirect("table", table_id)


@door
def start(request: HttpRequest, table_id: str) -> HttpResponse:
    """Begin with those who are there, as the host."""
    _for_host(request, table_id)
    try:
        lobby.start(table_id=table_id, player_id=_id(request), now=now())
    except REFUSALS as error:
        return _back(request, table_id, str(error))
    return redirect("table", table_id)


@door
def close(request: HttpRequest, table_id: str) -> HttpResponse:
    """Close a table that has not started, as the host who said so twice."""
    document = _for_host(request, table_id)
    try:
        lobby.close(table_id=table_id, player_id=_id(request))
    except REFUSALS as error:
        return _back(request, table_id, str(error))
    messages.info(request, f"{document['name']} is closed.")
    return redirect("home")


def _id(request: HttpRequest) -> str:
    player = player_of(request)
    return player.id if player else ""


def _document(request: HttpRequest, table_id: str) -> Document | None:
    """The view of whoever looks; None where there is nothing that they may see."""
    try:
        return tables.table_view(table_id, _id(request) or None).document
    except NothingThere:
        return None


def _for_host(request: HttpRequest, table_id: str) -> Document:
    """The view of a table; whoever may not see it finds nothing."""
    document = _document(request, table_id)
    if document is None:
        raise Http404
    return document


def _back(request: HttpRequest, table_id: str, refused: str = "") -> HttpResponse:
    """The table again, with the reason why something was not done."""
    if refused:
        messages.error(request, refused, extra_tags="wrong")
    invite = request.POST.get("invite", "")
    address = reverse("table", args=[table_id])
    return redirect(f"{address}?invite={invite}" if invites.opens(invite, table_id) else address)


def _gone(request: HttpRequest) -> HttpResponse:
    messages.error(request, "This table is no longer there: its host closed it.", extra_tags="wrong")
    return redirect("home")


def _why_no_seat(document: Document, player: Player | None) -> str:
    """Why this visitor cannot sit down, or nothing."""
    if document["status"] != "open":
        return "This match has begun."
    if document["mode"] == "ranked" and (player is None or player.user_id is None):
        return "Ranked tables are for people with an account."
    return ""


def _why_no_start(document: Document, taken: int) -> str:
    if document["mode"] == "ranked":
        return "A ranked match begins when every seat is taken."
    if taken < FEWEST:
        return "A match needs two who play: wait for somebody, or add a computer."
    return ""


def _state(document: Document) -> str:
    """Who sits there, and how many seats are free: one sentence for eyes and ears."""
    names = words.names_of(document)
    here = [
        "you" if seat["seat"] == document["viewer"]["seat"] else names[seat["seat"]]
        for seat in document["seats"]
        if seat["player"]
    ]
    sits = "sit" if len(here) > 1 or here == ["you"] else "sits"
    who = f"{sentence(terms.joined(here))} {sits} here" if here else "Nobody sits here yet"
    free = sum(seat["player"] is None for seat in document["seats"])
    are = "is" if free == 1 else "are"
    return f"{who}; {number_words(free)} of {number_words(len(document['seats']))} seats {are} free."


def _seats(document: Document) -> list[dict[str, Any]]:
    names = words.names_of(document)
    return [
        {
            "number": seat["seat"],
            "name": names[seat["seat"]] if seat["player"] else "",
            "kind": _kind(seat["player"]),
            "character": (seat["player"] or {}).get("character"),
            "drawing": "computer" if seat["player"] and seat["player"]["kind"] == "computer" else "person",
            "me": seat["player"] is not None and seat["seat"] == document["viewer"]["seat"],
            "host": seat["player"] is not None and seat["player"]["id"] == document["host"],
        }
        for seat in document["seats"]
    ]


def _kind(player: Document | None) -> str:
    if player is None:
        return ""
    if player["kind"] == "computer":
        return f"computer, {about(player)}"
    return {"guest": "guest", "bot": "bot: a program"}.get(player["kind"], "person")


def _link(request: HttpRequest, document: Document) -> str:
    """The address that lets others in."""
    path = reverse("table", args=[document["id"]])
    if document["visibility"] == "private":
        path = f"{path}?invite={invites.invite_to(document['id'])}"
    return absolute(request, path)
