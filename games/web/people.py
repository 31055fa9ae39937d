"""Pages about people: a profile, past matches, preferences."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """My own page."""
    return render(request, "games/me.html", {"where": "You"})
