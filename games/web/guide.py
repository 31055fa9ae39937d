"""The guide: how to play, all the rules with worked rounds, the odds, and how to play well."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.web import guide_figures as figures
from games.web.examples import EXAMPLES

Sections: TypeAlias = tuple[tuple[str, str], ...]
"""The parts of a page: the anchor of each, and its heading."""


def _nothing_more() -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the guide: its address under `/guide`, its name, and what it holds."""

    slug: str
    title: str
    template: str
    about: str
    sections: Sections
    more: Callable[[], dict[str, Any]] = _nothing_more

    @property
    def url(self) -> str:
        return reverse("guide-page", args=[self.slug]) if self.slug else reverse("guide")


PAGES = (
    Page(
        slug="",
        title="In two minutes",
        template="two_minutes",
        about="How to play Liar’s Dice, in two minutes.",
        sections=(
            ("dice", "Dice under a cup"),
            ("bids", "Say how many there are"),
            ("ones", "Ones are wild"),
            ("liar", "Or say that it is not so"),
            ("spot-on", "Or that it is exactly so"),
            ("end", "How it ends"),
        ),
    ),
    Page(
        slug="rules",
        title="All the rules",
        template="rules",
        about="All the rules of Liar’s Dice as it is played here, with worked rounds.",
        sections=(
            ("table", "The table and the dice"),
            ("bidding", "Bids and raises"),
            ("calling", "Liar!"),
            ("next-round", "Who opens, who is out, who wins"),
            ("ones", "Four ways to treat ones"),
            ("exact", "Spot on!"),
            ("palifico", "Palifico"),
            ("sum", "Bidding on the total"),
            ("clocks", "Time"),
            ("leaving", "Leaving"),
            ("ranked", "Ranked and casual tables"),
            ("practice", "Practice"),
            ("fair-dice", "Fair dice"),
            ("presets", "Ready-made tables"),
        ),
        more=figures.of_rules,
    ),
    Page(
        slug="ones",
        title="The ways of ones",
        template="ones",
        about="Aces, wild, low and straight: the four ways to treat ones in Liar’s Dice, compared.",
        sections=(
            ("compared", "The four side by side"),
            ("same-dice", "The same dice, counted twice"),
            ("choose", "Which one to choose"),
        ),
        more=figures.of_ones,
    ),
    Page(
        slug="odds",
        title="Odds",
        template="odds",
        about="The odds of Liar’s Dice: tables and pictures of how many unseen dice count.",
        sections=(
            ("third", "A third, or a sixth"),
            ("wild", "At least so many: wild"),
            ("plain", "At least so many: plain"),
            ("exactly", "Exactly so many"),
            ("totals", "Totals"),
            ("helper", "The odds helper"),
            ("left-out", "What the figures leave out"),
        ),
        more=figures.of_odds,
    ),
    Page(
        slug="strategy",
        title="Strategy",
        template="strategy",
        about="Strategy of Liar’s Dice for a first, a tenth and a hundredth game.",
        sections=(
            ("first", "Your first game"),
            ("tenth", "Your tenth game"),
            ("hundredth", "Your hundredth game"),
        ),
        more=figures.of_strategy,
    ),
    Page(
        slug="questions",
        title="Questions",
        template="questions",
        about="Frequent questions about Liar’s Dice and about this site.",
        sections=(
            ("bids", "About bids and calls"),
            ("dice", "About the dice"),
            ("time", "About time and people"),
        ),
    ),
    Page(
        slug="fair-dice",
        title="Fair dice",
        template="fair_dice",
        about="How to check by hand that no die was chosen or changed.",
        sections=(
            ("promise", "What is promised"),
            ("by-hand", "One hand, by hand"),
            ("whole-match", "A whole match, in a few lines"),
            ("exactly", "The rule, to the byte"),
        ),
        more=figures.of_fair_dice,
    ),
)


@require_safe
def guide(request: HttpRequest, slug: str = "") -> HttpResponse:
    """One page of the guide."""
    place = next((place for place, page in enumerate(PAGES) if page.slug == slug), None)
    if place is None:
        raise Http404
    page = PAGES[place]
    context = {
        "where": "Guide",
        "pages": PAGES,
        "page": page,
        "after": PAGES[place + 1] if place + 1 < len(PAGES) else None,
        "examples": _examples(),
        **page.more(),
    }
    return render(request, f"games/guide/{page.template}.html", context)


@cache
def _examples() -> dict[str, dict[str, Any]]:
    return {name: example.told() for name, example in EXAMPLES.items()}


def sections_for(
    rules: Mapping[str, Any], *, mode: str = "casual", clock: Mapping[str, Any] | None = None
) -> list[tuple[str, str]]:
    """What a table's options make worth reading: titles, and addresses of paragraphs of the rules."""
    found = [_SUM] if rules["bidding"] == "sum" else [_ONES[rules["ones"]]]
    if rules["open_on_ones"]:
        found.append(("Ones may open", "open-on-ones"))
    found.append(_EXACT[rules["exact"]])
    if rules["palifico"]:
        found.append(("Palifico rounds", "palifico"))
    if clock is not None and clock["kind"] != "none":
        found.append(("Time", "clocks"))
    if mode in _MODES:
        found.append(_MODES[mode])
    address = reverse("guide-page", args=["rules"])
    return [(title, f"{address}#{anchor}") for title, anchor in found]


_SUM = ("Bidding on the total", "sum")
_ONES = {
    "aces": ("Ones as aces", "ones-aces"),
    "wild": ("Ones always wild", "ones-wild"),
    "low": ("Ones wild and low", "ones-low"),
    "straight": ("Plain ones", "ones-straight"),
}
_EXACT = {
    "off": ("No spot on", "exact-off"),
    "regain": ("Spot on wins a die back", "exact-regain"),
    "others_lose": ("Spot on costs everyone else a die", "exact-others_lose"),
}
_MODES = {"ranked": ("Ranked tables", "ranked"), "practice": ("Practice", "practice")}
