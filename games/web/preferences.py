"""How I like the site: a form that a guest fills in as well as an account."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import commands
from accounts.models import Player, Preferences
from accounts.queries import mail_address_of
from games.limits import SlowDown
from games.web import acting
from games.web.people_forms import (
    CONFIRM_EFFECTS,
    NOTICES_EFFECTS,
    TALK_EFFECTS,
    THEME_EFFECTS,
    PreferencesForm,
    zones,
)
from games.web.visit import player_of, private
from games.web.visit import preferences as liked

Choices = list[dict[str, Any]]


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show the form, or keep what was sent with it."""
    mail_to = mail_address_of(player_of(request)) if settings.MAIL else ""
    if request.method != "POST":
        return _page(request, PreferencesForm(initial=_initial(request), mail_to=mail_to), mail_to)
    form = PreferencesForm(request.POST, mail_to=mail_to)
    try:
        acting.count_change(request)
        if not form.is_valid():
            return _page(request, form, mail_to, status=422)
        player = acting.somebody(request, name=form.cleaned_data["name"] or None, now=acting.now())
    except SlowDown as error:
        return acting.slowed(render(request, "games/slow_down.html"), error)
    _keep(player, form.cleaned_data)
    messages.success(request, "Your preferences are kept.")
    return redirect("preferences")


def _keep(player: Player, wanted: dict[str, Any]) -> None:
    name = wanted["name"]
    if name and name != player.name:
        commands.rename(player=player, name=name)
    commands.prefer(player=player, wanted={key: value for key, value in wanted.items() if key != "name"})


def _initial(request: HttpRequest) -> dict[str, Any]:
    kept, player = liked(request), player_of(request)
    fields = [name for name in PreferencesForm.base_fields if name != "name"]
    return {name: getattr(kept, name) for name in fields} | {"name": player.name if player else ""}


def _page(request: HttpRequest, form: PreferencesForm, mail_to: str, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "confirm": _choices(form, "confirm", Preferences.CONFIRM, CONFIRM_EFFECTS),
        "talk": _choices(form, "talk", Preferences.TALK, TALK_EFFECTS),
        "themes": _choices(form, "theme", Preferences.THEME, THEME_EFFECTS),
        "notices": _choices(form, "notices", dict(reversed(Preferences.NOTICES.items())), NOTICES_EFFECTS),
        "mail_to": mail_to,
        "no_mail": _why_no_mail(request, mail_to),
        "zones": _by_region(form["time_zone"].value() or ""),
        "where": "Preferences",
    }
    return private(render(request, "games/preferences.html", context, status=status))


def _why_no_mail(request: HttpRequest, mail_to: str) -> str:
    """Why a notice cannot be sent to this visitor; nothing where it can."""
    if not settings.MAIL:
        return "This site sends no mail."
    if not request.user.is_authenticated:
        return "It needs an account, whose e-mail is confirmed."
    return "" if mail_to else "It needs an e-mail that you have confirmed."


def _choices(form: PreferencesForm, name: str, labels: dict[str, str], effects: dict[str, str]) -> Choices:
    chosen = form[name].value() or ""
    if chosen not in labels:
        chosen = getattr(Preferences(), name)
    return [
        {"value": value, "label": label, "effect": effects[value], "chosen": value == chosen}
        for value, label in labels.items()
    ]


def _by_region(chosen: str) -> list[dict[str, Any]]:
    """The zones in groups of one region each, as a list of a form has them."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for zone in zones():
        region, _, place = zone.partition("/")
        option = {"value": zone, "label": (place or zone).replace("_", " "), "chosen": zone == chosen}
        groups.setdefault(region if place else "Everywhere", []).append(option)
    return [{"region": region, "zones": options} for region, options in groups.items()]
