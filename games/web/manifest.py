"""What makes the site installable: its manifest, and what is shown without a connection."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest."""
    icons = [
        {"src": static(f"games/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    vector = {"src": static("games/icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    return JsonResponse(
        {
            "name": "Longbluff",
            "short_name": "Longbluff",
            "description": "Liar’s Dice by correspondence",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#ece6d9",
            "theme_color": "#ece6d9",
            "icons": [*icons, vector],
        },
        content_type="application/manifest+json",
    )


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that shows the offline page; at the root, so that it may answer for every page."""
    context = {"version": settings.VERSION}
    return render(request, "service-worker.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What a browser shows while there is no connection; it is kept, so it says nobody's name."""
    return render(request, "games/offline.html", {"me": None, "theme": "", "waiting_count": 0})
