"""The first pages: what this is, the public tables, and one table in plain words."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.queries import player_of_user
from games.access import NothingThere
from games.queries import lists
from games.queries import table as tables


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, and show the public tables that moved last."""
    page = lists.tables(None, status=None, mode=None, mine=False, cursor=None)
    return render(request, "games/home.html", {"tables": page.results})


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show a table as its visitor may see it; an invited one learns how to sit down."""
    player = player_of_user(request.user)
    try:
        seen = tables.table_view(table_id, player.id if player else None)
    except NothingThere as error:
        if not request.GET.get("invite"):
            raise Http404 from error
        return render(request, "games/invited.html", {"table_id": table_id})
    return render(request, "games/table.html", {"table": seen.document})
