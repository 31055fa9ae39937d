"""Practise from here: from any revealed round of a match to a practice table with the same hands."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games import limits
from games.access import NothingThere
from games.commands.practising import practise as begin_practice
from games.queries.review import past
from games.web.acting import now, somebody
from games.web.pressing import to_its_table
from games.web.visit import player_of


@require_POST
def practise(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """Open this round again as a practice table of whoever asks, and go there."""
    player = player_of(request)
    try:
        found = past(table_id, player.id if player else None, number)
    except NothingThere as error:
        raise Http404 from error
    if found.reveal is None:
        raise Http404
    at = now()
    try:
        limits.count_table(request, player.id if player else None)
        owner = somebody(request, now=at)
    except limits.SlowDown as error:
        messages.error(request, "That was a lot in a short time: wait a little.", extra_tags="wrong")
        answer = redirect("review-round", table_id, number)
        answer["Retry-After"] = str(error.retry_after)
        return answer
    table, reveal = found.table, found.reveal
    return to_its_table(
        request,
        owner,
        lambda: begin_practice(player=owner, table=table, reveal=reveal, now=at).row.id,
        now=at,
    )
