"""The page of one table while its match is played, watched or over; and what one does there."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.commands import seen as note_seen
from accounts.models import Player
from games.access import NothingThere, NotYours, SeatNeeded
from games.commands import once, play, visiting
from games.engine.moves import Bid, Call, IllegalMove, Move, NextRound
from games.live import audience
from games.queries import news
from games.queries import table as tables
from games.web import acting, chairs, guide, lobby, odds, talk, terms, words
from games.web.pressing import MOST_KEY, key_of
from games.web.scene import Looking, scene_of
from games.web.visit import player_of, preferences, private

Document: TypeAlias = Mapping[str, Any]

_REFUSALS = (play.NotStarted, IllegalMove, NotYours, SeatNeeded, once.KeyReused, once.InProgress)


class Unreadable(Exception):
    """A form that names nothing one could do; the text is for who sent it."""


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The table as its visitor may see it."""
    return _page(request, table_id)


@require_POST
def act(request: HttpRequest, table_id: str) -> HttpResponse:
    """Bid, call, or go on to the next round; then the table again, with the reason where it was refused."""
    player = player_of(request)
    if player is None:
        return _back(request, table_id, refused="You hold no seat at this table.")
    try:
        _act_once(request, player, table_id)
    except (Unreadable, *_REFUSALS) as error:
        return _back(request, table_id, refused=str(error))
    except play.Stale:
        return _back(request, table_id, refused=_moved_on(request, table_id, player))
    except NothingThere as error:
        raise Http404 from error
    return _back(request, table_id)


@require_POST
def lift(request: HttpRequest, table_id: str) -> HttpResponse:
    """Lift the cups of a round that was called."""
    number = _whole(request.POST.get("round"))
    if number is None:
        return _back(request, table_id)
    player = player_of(request)
    document = _document(request, table_id, player)
    if document["reveal"] is None or number > document["reveal"]["number"]:
        return _back(request, table_id)
    if player is not None:
        visiting.lift(table_id=table_id, player_id=player.id, number=number)
    return _back(request, table_id, lifted=number, fresh=True)


def _act_once(request: HttpRequest, player: Player, table_id: str) -> None:
    """Make the move that the form names; a form that is sent twice does nothing twice."""
    move, version = _move(request), _whole(request.POST.get("version"))
    if version is None:
        raise Unreadable("The page was not whole: look at the table again.")
    now = acting.now()

    def answered() -> once.Answered:
        play.act(
            table_id=table_id,
            player_id=player.id,
            seat=_whole(request.POST.get("seat")),
            move=move,
            seen=version,
            now=now,
        )
        return once.Answered(status=200, body=b"{}")

    key = key_of(request)
    if not key:
        answered()
        return
    asked = ascii((version, move, request.POST.get("seat"))).encode()
    press = once.Request.of(player.id, named=f"page {table_id}\n{key}", asked=asked)
    once.once(press, answered, now=now)


def _moved_on(request: HttpRequest, table_id: str, player: Player) -> str:
    """Why the move was not made: what has happened in the meantime."""
    document = tables.table_view(table_id, player.id).document or {}
    bids = document["round"]["bids"] if document.get("round") else []
    what = "Your call" if request.POST.get("type") in ("liar", "exact") else "Your bid"
    happened = ""
    if bids:
        names, you = words.names_of(document), document["viewer"]["seat"]
        before = bids[-2] if len(bids) > 1 else None
        happened = f" {words.bid_sentence(bids[-1], before, names, you)}"
    return f"This table moved on while you were thinking.{happened} {what} was not sent."


def _page(
    request: HttpRequest,
    table_id: str,
    *,
    refused: str = "",
    lifted: int = 0,
    fresh: bool = False,
) -> HttpResponse:
    player = player_of(request)
    try:
        document = _document(request, table_id, player)
    except Http404:
        if request.GET.get("invite"):
            return lobby.invited(request, table_id)
        raise
    if document["status"] == "open":
        return lobby.waiting_room(request, document)
    now = acting.now()
    followed = news.followed(table_id, player.id) if player else None
    looking = _looking(request, document, followed, player, now=now, lifted=lifted)
    looking = {**looking, "refused": refused, "fresh": fresh}
    scene = scene_of(document, Looking(**looking))
    if player is not None:
        note_seen(player_id=player.id, before=player.seen_at, now=now)
        visiting.look(table_id=table_id, player_id=player.id, version=document["version"], before=followed)
    scene["practice"] = chairs.practice_of(document, player.id if player else None, scene["names"])
    context = _context(request, document, scene, since=_since(document, followed, scene))
    part = request.htmx and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    page = render(request, "games/table/_scene.html" if part else "games/table.html", context)
    page["Vary"] = "HX-Request, Cookie"
    return private(page)


def _document(request: HttpRequest, table_id: str, player: Player | None) -> dict[str, Any]:
    """The view of whoever looks; an owner of a practice table looks through a chair."""
    player_id = player.id if player else None
    # After a move the chair is that of whoever is next, and not the one that the form was of.
    through = _whole(request.POST.get("as") or request.GET.get("as"))
    try:
        document = tables.table_view(table_id, player_id).document or {}
        # Between rounds no cup is closed: the owner is nobody in particular, and goes on for everybody.
        if document["viewer"]["role"] == "owner" and document["status"] == "bidding":
            chair = chairs.chair_of(document, through)
            document = tables.table_view(table_id, player_id, through=chair).document or {}
    except NothingThere as error:
        raise Http404 from error
    return document


def _looking(
    request: HttpRequest,
    document: Document,
    followed: Any,
    player: Player | None,
    *,
    now: datetime,
    lifted: int,
) -> dict[str, Any]:
    liking = preferences(request)
    so_far = max(lifted, _lifted(request, document, followed))
    return {
        "now": now,
        "lifted": so_far,
        "confirm": liking.confirm,
        "hide_dice": liking.hide_dice,
        "tells": liking.tells,
        "reveal_asked": bool(lifted) or "last" in request.GET,
        "sure": _sure(request, document),
        "away": _away(document, now=now),
        "happened": _happened(document),
    }


def _lifted(request: HttpRequest, document: Document, followed: Any) -> int:
    """The round whose cups the visitor has lifted; a watcher of the next round has nothing to be spoilt."""
    asked = _whole(request.GET.get("lifted")) or 0
    lifted = max(asked, 0 if followed is None else int(followed.lifted))
    if document["reveal"] is None or document["viewer"]["seat"] is not None:
        return lifted
    return max(lifted, int(document["reveal"]["number"]) - (document["status"] == "revealed"))


def _away(document: Document, *, now: datetime) -> dict[int, int]:
    """On a live table the seats of people whose line dropped."""
    if document["clock"]["kind"] != "live" or document["status"] not in ("bidding", "revealed"):
        return {}
    seats = {
        seat["player"]["id"]: seat["seat"]
        for seat in document["seats"]
        if seat["player"] and seat["player"]["kind"] != "computer" and not seat["substitute"] and seat["dice"]
    }
    return {seats[player_id]: seconds for player_id, seconds in news.away(seats, now=now).items()}


def _happened(document: Document) -> list[dict[str, Any]]:
    if document["round"] is None or document["clock"]["kind"] == "none":
        return []
    return news.of_round(document["id"], document["round"]["number"])


def _since(document: Document, followed: Any, scene: Document) -> list[dict[str, Any]]:
    """What happened since the visitor was here last, in words."""
    if followed is None or not followed.version or followed.version + 1 >= document["version"]:
        return []
    if scene["stage"] == "cups":
        return []
    names, you = scene["names"], scene["you"]
    told: list[dict[str, Any]] = []
    before: dict[str, Any] | None = None
    for event in news.since(document["id"], after=followed.version):
        said = None
        if event["kind"] == "bid":
            said = words.bid_sentence(event, before, names, you)
            before = event
        elif event["kind"] in ("liar", "exact"):
            said, before = f"Round {event['round']} was called.", None
        else:
            said = words.event_sentence(event, names, you)
        if said:
            told.append({"said": said, "at": event["at"]})
    return told


def _context(
    request: HttpRequest, document: Document, scene: dict[str, Any], *, since: list[dict[str, Any]]
) -> dict[str, Any]:
    liking = preferences(request)
    scene["since"] = since
    scene["talk"] = talk.talk_of(document, liking.talk, stage=scene["stage"])
    scene |= _odds(document, scene, wanted=liking.odds_helper)
    return {
        "doc": document,
        "scene": scene,
        "where": _where(document),
        **_addresses(request, document, scene),
        "key": secrets.token_urlsafe(16),
        "rules": guide.sections_for(document["rules"]),
        "watching": _watching(document),
        "newcomer": _newcomer(request, document),
        "clock": terms.clock_line(document["clock"]),
        "next_seat": next(iter(chairs.own_seats(document, still_in=True)), None) if scene["owner"] else None,
        "move_for": chairs.move_for(document, scene),
        "may_leave": _may_leave(document, scene),
    }


def _odds(document: Document, scene: Document, *, wanted: bool) -> dict[str, Any]:
    """Whether the odds helper is there, and at one's own move what it says of every bid."""
    shown: dict[str, Any] = {"odds_helper": wanted and document["mode"] != "ranked"}
    helped = odds.may_help(document, wanted=wanted)
    if helped and scene.get("mine") and scene["picker"]["possible"]:
        suggested = scene["picker"]["suggested"]
        amount = suggested.get("total") or suggested["quantity"]
        shown["odds"] = odds.odds_of(document, amount, suggested.get("face"))
        shown["all_odds"] = odds.all_odds(document)
    return shown


def _addresses(request: HttpRequest, document: Document, scene: Document) -> dict[str, str]:
    """Where this page is: bare, as it was asked for, and with the reveal that is looked at again."""
    path = reverse("table", args=[document["id"]])
    asked = {name: request.GET[name] for name in ("lifted",) if name in request.GET}
    # A chair that was asked for stays; otherwise one looks through that of whoever is to move.
    if scene["owner"] and (chair := request.POST.get("as") or request.GET.get("as")):
        asked["as"] = chair
    last = {"last": ""} if scene.get("going_on") and scene["stage"] == "reveal" else {}
    return {
        "here": _address(path, asked),
        "here_now": _address(path, {**asked, **last}),
        "here_path": path,
    }


def _may_leave(document: Document, scene: Document) -> bool:
    """Is there a seat to leave that is still in? That it is out is not told before the cups are lifted."""
    if document["mode"] == "practice" or document["status"] not in ("bidding", "revealed"):
        return False
    mine = [seat for seat in document["seats"] if seat["seat"] == scene["you"]]
    return any(seat["dice"] or scene["stage"] == "cups" for seat in mine)


def _newcomer(request: HttpRequest, document: Document) -> bool:
    """Is this perhaps somebody's first move ever: a guest's opening of a first round?"""
    player, round = player_of(request), document["round"]
    first = round is not None and round["number"] == 1 and not round["bids"]
    return first and player is not None and player.user_id is None


def _watching(document: Document) -> int | None:
    seated = [seat["player"]["id"] for seat in document["seats"] if seat["player"]]
    return audience.watchers(document["id"], seated=seated) if document["status"] != "finished" else None


def _where(document: Document) -> str:
    shown = document["round"] or document["reveal"]
    return f"{document['name']} · round {shown['number']}" if shown else str(document["name"])


def _back(
    request: HttpRequest, table_id: str, *, refused: str = "", lifted: int = 0, fresh: bool = False
) -> HttpResponse:
    """The table again: as a part where script asked, else by its address."""
    if request.htmx:  # type: ignore[attr-defined]
        page = _page(request, table_id, refused=refused, lifted=lifted, fresh=fresh)
        page["HX-Push-Url"] = _asked_again(request, table_id, lifted)
        return page
    if refused:
        messages.error(request, refused, extra_tags="wrong")
    return redirect(_asked_again(request, table_id, lifted))


def _asked_again(request: HttpRequest, table_id: str, lifted: int) -> str:
    """The address of the table as it was looked at, and with what was lifted just now."""
    asked: dict[str, str] = {}
    chair = _whole(request.POST.get("as"))
    if chair is not None:
        asked["as"] = str(chair)
    if lifted:
        asked |= {"lifted": str(lifted), "last": ""}
    return _address(reverse("table", args=[table_id]), asked)


def _address(path: str, asked: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(asked)}" if asked else path


def _sure(request: HttpRequest, document: Document) -> dict[str, Any] | None:
    """The move that the address asks to confirm, while the table is as it was."""
    asked = request.GET
    if request.method == "POST" or asked.get("type") not in ("bid", "liar", "exact"):
        return None
    if _whole(asked.get("version")) != document["version"]:
        return None
    move: dict[str, Any] = {
        "type": asked["type"],
        "version": document["version"],
        "key": asked.get("key", "")[:MOST_KEY],
    }
    for name in ("quantity", "face", "total"):
        if (number := _whole(asked.get(name))) is not None:
            move[name] = number
    return move


def _move(request: HttpRequest) -> Move:
    sent = request.POST
    match sent.get("type"):
        case "bid":
            return _bid(sent)
        case "liar":
            return Call("liar")
        case "exact":
            return Call("exact")
        case "next_round":
            return NextRound()
    raise Unreadable("The page was not whole: look at the table again.")


def _bid(sent: Mapping[str, Any]) -> Bid:
    if "total" in sent:
        total = _whole(sent["total"])
        if total is None:
            raise Unreadable("A total is a whole number.")
        return Bid(total=total)
    quantity, face = _whole(sent.get("quantity")), _whole(sent.get("face"))
    if quantity is None or face is None:
        raise Unreadable("Choose a face, and how many of it: a whole number.")
    return Bid(quantity=quantity, face=face)


def _whole(text: str | None) -> int | None:
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= 9):
        return None
    return int(text)
