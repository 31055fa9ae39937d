"""The guide: how to play, the rules, the odds."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How to play in two minutes, and where the rest is."""
    return render(request, "games/guide.html", {"where": "Guide"})
