"""The keys of forms: one that is sent twice does once what it asks, and one that makes a table makes one."""

from collections.abc import Callable
from datetime import datetime

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.models import Player
from games.commands import once

MOST_KEY = 64

_NOT_ASKED = ("csrfmiddlewaretoken", "key")


def key_of(request: HttpRequest) -> str:
    """The key of the form that was sent; empty where it has none that could be ours."""
    key = request.POST.get("key", "")
    return key if len(key) <= MOST_KEY else ""


def to_its_table(
    request: HttpRequest, player: Player, make: Callable[[], str], *, now: datetime
) -> HttpResponse:
    """Go to the table that `make` makes and names, or that it made when the same form came first.

    A form that asks for something else, though under a key that is used, makes a table of its own.
    """
    key = key_of(request)
    if not key:
        return redirect("table", make())
    asked = orjson.dumps(sorted(_asked(request)))
    press = once.Request.of(player.id, named=f"form {request.path}\n{key}\n{asked.decode()}", asked=asked)
    made = once.once(press, lambda: once.Answered(status=303, body=make().encode()), now=now)
    return redirect("table", made.body.decode())


def _asked(request: HttpRequest) -> list[tuple[str, list[str]]]:
    sent = ((name, values) for name, values in request.POST.lists() if name not in _NOT_ASKED)
    # Whatever somebody sends can be told apart, though it be no text.
    return [(ascii(name), [ascii(value) for value in values]) for name, values in sent]
