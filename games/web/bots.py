"""The bots of an account: programs that play by themselves, each with a token that is shown once."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.commands import BotRefused, NameRefused, create_bot, new_token, rest_bot
from accounts.models import NAME_LENGTH, User
from accounts.queries import bots_of
from games.web.acting import door
from games.web.visit import private


@require_http_methods(["GET", "HEAD", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """My bots, and a form for another; a new one's token stands on this page once, and nowhere else."""
    return _make(request) if request.method == "POST" else _page(request, _owner(request))


@door
def _make(request: HttpRequest) -> HttpResponse:
    owner, name = _owner(request), request.POST.get("name", "")
    if owner is None:
        return _page(request, owner)
    try:
        bot, token = create_bot(owner=owner, name=name, now=timezone.now())
    except (NameRefused, BotRefused) as refusal:
        return _page(request, owner, status=422, refusal=str(refusal), name=name)
    return _page(request, owner, made=bot, token=token)


@door
def token(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Give one of my bots another token."""
    owner = _owner(request)
    if owner is None:
        return redirect("bots")
    try:
        bot, fresh = new_token(owner=owner, bot_id=bot_id, now=timezone.now())
    except BotRefused as refusal:
        messages.error(request, refusal.message)
        return redirect("bots")
    return _page(request, owner, made=bot, token=fresh)


@door
def rest(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Take the token of one of my bots away."""
    owner = _owner(request)
    if owner is not None:
        try:
            bot = rest_bot(owner=owner, bot_id=bot_id)
            messages.success(request, f"{bot.name} has no token any more, and plays when it gets another.")
        except BotRefused as refusal:
            messages.error(request, refusal.message)
    return redirect("bots")


def _owner(request: HttpRequest) -> User | None:
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) else None


def _page(request: HttpRequest, owner: User | None, *, status: int = 200, **shown: Any) -> HttpResponse:
    listed = bots_of(owner) if owner is not None else []
    context = {"where": "You", "owner": owner, "bots": listed, "most": NAME_LENGTH, **shown}
    return private(render(request, "games/bots.html", context, status=status))
