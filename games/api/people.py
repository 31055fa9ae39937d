"""Guests, and what waits for whoever asks."""

from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.commands import create_guest
from accounts.names import fit_name
from accounts.queries import player_document
from games.api.answers import answer, now
from games.api.auth import player_needed
from games.api.parsing import Body
from games.api.schema import calls
from games.api.throttles import slow_down_guests
from games.queries import lists


@calls.make_guest
@api_view(["POST"])
def guests(request: Request) -> Response:
    """Make a guest without an account; the token is shown this once."""
    name = Body(request.data).maybe_text("name")
    if name is not None:
        fit_name(name)  # refused before it counts
    slow_down_guests(request)
    player, token = create_guest(name=name, now=now())
    return answer({"token": token, "player": player_document(player)}, status=201)


@calls.who_am_i
@api_view(["GET", "HEAD"])
def me(request: Request) -> Response:
    """Who I am, and the tables where it is my move or my round to start, the most urgent first."""
    player = player_needed(request)
    return answer({"player": player_document(player), "waiting": lists.waiting(player.id)})
