"""What templates draw and say: dice, cups, numbers and times."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.clocks import instant
from games.computers.registry import CHARACTERS
from games.engine.words import face_words, number_words
from games.web import times

register = template.Library()


@register.simple_tag
def die(
    face: int | str | None, look: str = "", *, wild: bool = False, said: bool = True, label: str = ""
) -> SafeString:
    """A die: a face, "hidden" or "lost"; `wild` seals a one, `said` names it to who cannot see it."""
    drawing, name = _drawing(face, wild=wild)
    voice = format_html('role="img" aria-label="{}"', label or name) if said else 'aria-hidden="true"'
    return format_html('<svg class="die {}" {}><use href="#{}"/></svg>', look, SafeString(voice), drawing)


def _drawing(face: int | str | None, *, wild: bool) -> tuple[str, str]:
    if face in (None, ""):
        return "f0", "no die"
    if face == "hidden":
        return "fx", "a hidden die"
    if face == "lost":
        return "f-lost", "a lost die"
    number = int(face or 0)
    return ("f1w", "one, wild") if wild and number == 1 else (f"f{number}", face_words(number, 1))


@register.simple_tag
def cup(kind: str, number: int | None = None) -> SafeString:
    """A cup, a person's or a computer's, with the number of dice under it; never read aloud."""
    written = "" if number is None else format_html('<text x="28" y="44">{}</text>', number)
    return format_html(
        '<svg class="cup {}" viewBox="0 0 56 64" aria-hidden="true"><use href="#cup-{}"/>{}</svg>',
        kind,
        kind,
        written,
    )


@register.simple_tag
def tin(character: str | None) -> SafeString:
    """The face of a computer, where the page has `_characters.html`; who is nobody in particular has none."""
    return format_html(
        '<svg class="tin" viewBox="0 0 56 80" aria-hidden="true"><use href="#tin-{}"/></svg>',
        character if character in CHARACTERS else "any",
    )


@register.simple_tag
def once() -> SafeString:
    """The key of a form that makes something, so that it makes it once though it be sent twice."""
    return format_html('<input type="hidden" name="key" value="{}" data-once>', secrets.token_urlsafe(16))


@register.filter
def words(number: int) -> str:
    """A number in words up to twelve, then in figures."""
    return number_words(number)


@register.filter
def faces(face: int, quantity: int = 2) -> str:
    """The name of a face: `fours`, or `four` for one of them."""
    return face_words(int(face), quantity)


@register.filter
def at(stamp: str | datetime | None) -> datetime | None:
    """The instant that the API wrote, for Django's own filters."""
    return instant(stamp) if isinstance(stamp, str) else stamp


@register.simple_tag
def moment(stamp: str | datetime | None, form: str = "short") -> SafeString | str:
    """An instant in the reader's zone: `Wed 2 Dec, 21:04`; script turns it into the browser's own zone."""
    if stamp is None:
        return ""
    when = instant(stamp) if isinstance(stamp, str) else stamp
    return format_html(
        '<time datetime="{}" data-form="{}">{}</time>',
        when.isoformat(),
        form,
        times.written(timezone.localtime(when), form),
    )


@register.inclusion_tag("games/_postmark.html")
def postmark(deadline: str, share: float) -> dict[str, Any]:
    """The deadline with a ring of the time left; whoever sets it says the same in words beside it."""
    when = timezone.localtime(instant(deadline))
    return {
        "weekday": when.strftime("%a"),
        "time": when.strftime("%H:%M"),
        "date": f"{when.day} {when:%b}",
        "left": round(100 * max(0.0, min(1.0, share)), 1),
    }


@register.filter
def get(mapping: Mapping[Any, Any], key: Any) -> Any:
    """What stands under a key that is not a word."""
    return mapping.get(key)


@register.filter
def amount(bid: Mapping[str, Any]) -> int:
    """What a bid says first: its quantity, or its total."""
    return int(bid.get("total") or bid["quantity"])
