"""What may be chosen for a table, in plain words: presets, options, pace, kinds, who sees it.

Forms, lists and the waiting room take their words from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.clocks import PACES
from games.engine.rules import DEFAULTS, PRESETS
from games.engine.words import number_words
from games.web.times import span

Document: TypeAlias = Mapping[str, Any]
Words: TypeAlias = tuple[str, str]
"""A short label, and a sentence that says what it does."""

PRESET_WORDS: Mapping[str, Words] = {
    "standard": (
        "Standard",
        "Ones are wild and have bids of their own; a right spot on costs everyone else a die.",
    ),
    "classic": ("Classic", "As standard, without spot on: a bid is raised or called a lie."),
    "wild": ("Wild ones", "Ones count for every other face and are never bid. No spot on."),
    "straight": ("Straight", "Nothing is wild: a bid counts what it names and nothing else. No spot on."),
    "low-ones": ("Low ones", "Ones are wild, and may be bid too, as the lowest face. No spot on."),
    "calza": ("Calza", "As standard, but a round may open on ones, and a right spot on wins back a die."),
    "sum": ("Sum", "You bid on the total of all dice. Nothing is wild, and a right spot on wins back a die."),
}

OPTION_WORDS: Mapping[str, tuple[str, Mapping[str, Words]]] = {
    "bidding": (
        "What is bid",
        {
            "faces": ("Faces", "So many of one face, as in four fives."),
            "sum": ("A total", "The sum of all dice on the table, as in a total of 47."),
        },
    ),
    "ones": (
        "Ones",
        {
            "aces": (
                "Aces",
                "Wild for every other face, with bids of their own: half as many ones go over any bid.",
            ),
            "wild": ("Wild", "They count for every other face and are never bid."),
            "low": ("Low", "Wild for every other face, and may be bid as the lowest one."),
            "straight": ("Plain", "A face like any other, and the lowest. Nothing is wild."),
        },
    ),
    "open_on_ones": (
        "Opening on ones",
        {
            "no": ("Not allowed", "The first bid of a round names twos to sixes."),
            "yes": ("Allowed", "A round may begin with a bid of ones."),
        },
    ),
    "exact": (
        "Spot on",
        {
            "others_lose": ("Costs the others", "Who says it rightly costs everyone else a die."),
            "regain": (
                "Wins a die back",
                "Who says it rightly wins back a die, up to the number at the start.",
            ),
            "off": ("None", "A bid is raised or called a lie."),
        },
    ),
    "palifico": (
        "Palifico",
        {
            "no": ("None", "Every round goes the same way."),
            "yes": (
                "One round each",
                "Whoever first drops to one die opens a round where nothing is wild and the face stays.",
            ),
        },
    ),
    "first_opener": (
        "Who opens the match",
        {
            "random": ("Drawn", "The fair dice decide."),
            "host": ("The host", "Whoever made the table opens the first round."),
        },
    ),
}

MODE_WORDS: Mapping[str, Words] = {
    "casual": ("Casual", "Any rules, any pace, people and computers."),
    "ranked": (
        "Ranked",
        "Standard rules among people with an account. It begins when every seat is taken.",
    ),
    "practice": (
        "Practice",
        "You move for every seat that is no computer’s and see every die. No clock, and nothing counts.",
    ),
}

VISIBILITY_WORDS: Mapping[str, Words] = {
    "public": ("Public", "It stands in the list at home: anybody may sit down or watch."),
    "unlisted": ("Unlisted", "It stands in no list. Whoever has its link may sit down or watch."),
    "private": ("Private", "Nobody sees it but those who sit there. Your invitation lets others sit down."),
}

LIVE_WORDS: Mapping[str, Words] = {
    "quick": ("Live, quick", f"{PACES['quick'][0] // 1000} seconds a move. Everyone stays at the table."),
    "normal": ("Live, normal", f"{PACES['normal'][0] // 1000} seconds a move. Everyone stays at the table."),
    "relaxed": (
        "Live, relaxed",
        f"{PACES['relaxed'][0] // 1000} seconds a move. Everyone stays at the table.",
    ),
}

TELLS_WORDS: Mapping[str, Words] = {
    "yes": ("Tells", "An easy computer that bluffs sometimes looks surprised at its own bid."),
    "no": ("No tells", "Nothing shows in anybody’s face."),
}


@dataclass(frozen=True, slots=True)
class Term:
    """One rule of a table: what it is about, what holds, and the option that the guide explains."""

    option: str
    title: str
    label: str
    effect: str


def written(value: object) -> str:
    """The value of an option as forms write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def terms(rules: Document) -> list[Term]:
    """All the rules of a table, in plain lines; what does not matter at this table is left out."""
    return [
        Term(option, title, *choices[written(rules[option])])
        for option, (title, choices) in OPTION_WORDS.items()
        if option != "open_on_ones" or rules["ones"] == "aces"
        if option not in ("ones", "palifico") or rules["bidding"] == "faces"
    ]


def preset_of(rules: Document) -> str | None:
    """The preset that a table plays, whatever its seats and dice; None where it is none of them."""
    sizes = ("seats", "starting_dice")
    played = {name: value for name, value in rules.items() if name not in sizes}
    for preset, values in PRESETS.items():
        if all(played[name] == {**DEFAULTS, **values}[name] for name in played):
            return preset
    return None


def rules_line(rules: Document) -> str:
    """The rules in a line: `standard, three dice each`; `ones are plain, no spot on`."""
    preset = preset_of(rules)
    parts = [PRESET_WORDS[preset][0].lower()] if preset else _differences(rules)
    dice = rules["starting_dice"]
    if dice != DEFAULTS["starting_dice"]:
        parts.append(f"{number_words(dice)} {'die' if dice == 1 else 'dice'} each")
    return ", ".join(parts)


def _differences(rules: Document) -> list[str]:
    """What is not as in standard, each in a word or three."""
    said = {
        "bidding": "bids on the total",
        "ones": {"wild": "ones never bid", "low": "ones low", "straight": "ones plain"}.get(
            rules["ones"], ""
        ),
        "open_on_ones": "opening on ones",
        "exact": "no spot on" if rules["exact"] == "off" else "spot on wins a die back",
        "palifico": "palifico",
        "first_opener": "the host opens",
    }
    different = [words for name, words in said.items() if rules[name] != DEFAULTS[name]]
    return [words for words in different if not (words == "ones plain" and rules["bidding"] == "sum")]


def clock_line(clock: Document) -> str:
    """The pace in a line: `two days a move`, `live, 30 seconds a move`, `no time limit`."""
    if clock["kind"] == "none":
        return "no time limit"
    if clock["kind"] == "live":
        return f"live, {span(PACES[clock['pace']][0] // 1000)} a move"
    bank = clock.get("bank_seconds")
    return f"{span(clock['turn_seconds'])} a move{f' and {span(bank)} in the bank' if bank else ''}"


def free_words(seats: list[Document]) -> str:
    """How many seats are free: `two of four seats free`."""
    free = sum(seat["player"] is None for seat in seats)
    return f"{number_words(free)} of {number_words(len(seats))} {'seat' if len(seats) == 1 else 'seats'} free"


def joined(names: list[str]) -> str:
    """Names in a row: `Alice, Bob and Carol`."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
