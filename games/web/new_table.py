"""The form of a new table: every choice with what it does, and why some of them do not go together."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from django import forms

from accounts.models import Player
from games.clocks import BANK_SECONDS, DAY, HOUR, RANKED_TURN_SECONDS, TURN_SECONDS
from games.commands.lobby import ComputerWanted
from games.commands.opening import TableWanted
from games.computers.registry import CHARACTERS, LEVELS
from games.engine.rules import DEFAULTS, OPTIONS, PRESETS
from games.engine.words import number_words
from games.web import terms
from games.web.forms import CHARACTER_CHOICES, OwnNameField, SeedField

Choices: TypeAlias = list[tuple[str, str]]

MOST_COMPUTERS = 5
UNITS = {"hours": HOUR, "days": DAY}
AS_PRESET = ("", "As the preset has it")

PACE_WORDS: Mapping[str, terms.Words] = {
    "slow": ("Slow", "Hours or days a move: you come by when you find a moment."),
    **{f"live-{pace}": words for pace, words in terms.LIVE_WORDS.items()},
    "none": ("No limit", "Nobody is hurried, and nobody is moved for."),
}

WRONG_TURN = "A move has at least one hour, and at most 14 days."
WRONG_BANK = "A bank holds at most 30 days."
NO_ACCOUNT = "Ranked tables are for people with an account. Sign in first."


@dataclass(frozen=True, slots=True)
class Need:
    """What else must be chosen for a choice to be possible, and the sentence that says so."""

    name: str
    allowed: tuple[str, ...]
    why: str


_NOT_RANKED = ("casual", "practice")
_STANDARD_ONLY = Need("mode", _NOT_RANKED, "Ranked tables play the standard rules.")
_FACES_FOR_WILD = Need("bidding", ("faces",), "Where the total is bid, nothing is wild.")
_FACES_FOR_PALIFICO = Need("bidding", ("faces",), "Where the total is bid, there is no palifico round.")
_ACES = Need("ones", ("aces",), "Only where ones are aces is this a choice.")
_RANKED_PACE = Need("mode", _NOT_RANKED, "Ranked tables are slow, or live at the normal pace.")
_NO_CLOCK = Need("mode", ("casual", "ranked"), "Practice tables have no clock.")
_NO_COMPUTERS = Need("mode", _NOT_RANKED, "Ranked tables have no computers.")


def needs_of(name: str, value: str) -> Iterator[Need]:
    """What a choice needs of the others."""
    if name == "preset" and value != "standard":
        yield _STANDARD_ONLY
    if name in ("starting_dice", *terms.OPTION_WORDS) and value not in ("", terms.written(DEFAULTS[name])):
        yield _STANDARD_ONLY
    if name == "ones" and value not in ("", "straight"):
        yield _FACES_FOR_WILD
    if (name, value) == ("palifico", "yes"):
        yield _FACES_FOR_PALIFICO
    if (name, value) == ("open_on_ones", "yes"):
        yield _ACES
    if name == "pace":
        if value not in ("slow", "live-normal"):
            yield _RANKED_PACE
        if value != "none":
            yield _NO_CLOCK
    if name.startswith("level") and value:
        yield _NO_COMPUTERS


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of several, as the page shows it."""

    name: str
    value: str
    label: str
    effect: str = ""
    checked: bool = False
    why: str = ""  # it can never be chosen here
    needs: str = ""  # the same in JSON, for the page to follow while one chooses

    @property
    def id(self) -> str:
        return f"{self.name}-{self.value or 'preset'}"


LEVEL_CHOICES: Choices = [("", "no computer"), *((level, level) for level in LEVELS)]


def _words(words: Mapping[str, terms.Words]) -> Choices:
    return [(value, label) for value, (label, _) in words.items()]


def _numbers(option: str) -> Choices:
    """The numbers that an option may be."""
    of_option = OPTIONS[option].document()
    return [(str(number), str(number)) for number in range(of_option["min"], of_option["max"] + 1)]


def _span(wrong: str, *, least: int, most: int, initial: int) -> forms.IntegerField:
    """A number of hours or days; whatever is wrong with it, one sentence says what would be right."""
    return forms.IntegerField(
        required=False,
        min_value=least,
        max_value=most,
        initial=initial,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), wrong),
    )


def _effects(name: str) -> Mapping[str, terms.Words]:
    return terms.OPTION_WORDS[name][1] if name in terms.OPTION_WORDS else {}


class NewTable(forms.Form):
    """Everything that a table can be; what is impossible is refused beside the choice that makes it so."""

    mode = forms.ChoiceField(choices=_words(terms.MODE_WORDS), initial="casual", label="Kind of table")
    preset = forms.ChoiceField(choices=_words(terms.PRESET_WORDS), initial="standard", label="Rules")
    seats = forms.ChoiceField(choices=_numbers("seats"), initial="4", label="Seats")
    starting_dice = forms.ChoiceField(choices=_numbers("starting_dice"), initial="5", label="Dice each")
    pace = forms.ChoiceField(choices=_words(PACE_WORDS), initial="slow", label="Pace")
    turn = _span(WRONG_TURN, least=1, most=TURN_SECONDS[1] // HOUR, initial=2)
    turn_unit = forms.ChoiceField(choices=[(unit, unit) for unit in UNITS], initial="days")
    bank = _span(WRONG_BANK, least=0, most=BANK_SECONDS[1] // HOUR, initial=0)
    bank_unit = forms.ChoiceField(choices=[(unit, unit) for unit in UNITS], initial="days")
    visibility = forms.ChoiceField(
        choices=_words(terms.VISIBILITY_WORDS), initial="public", label="Who sees it"
    )
    tells = forms.ChoiceField(
        choices=_words(terms.TELLS_WORDS), initial="yes", required=False, label="Their faces"
    )
    name = forms.CharField(required=False, label="Its name")
    client_seed = SeedField()

    def __init__(self, *args: Any, player: Player | None, **named: Any) -> None:
        super().__init__(*args, **named)
        self._player = player
        for option, (title, choices) in terms.OPTION_WORDS.items():
            of_preset = [AS_PRESET, *_words(choices)]
            self.fields[option] = forms.ChoiceField(choices=of_preset, required=False, label=title)
        for number in range(1, MOST_COMPUTERS + 1):
            self.fields[f"level_{number}"] = forms.ChoiceField(choices=LEVEL_CHOICES, required=False)
            self.fields[f"character_{number}"] = forms.ChoiceField(choices=CHARACTER_CHOICES, required=False)
        if player is None:
            self.fields["own_name"] = OwnNameField()

    # What the page shows.

    def options(self, name: str) -> list[Option]:
        """The choices of one group, each with its effect."""
        words = {"mode": terms.MODE_WORDS, "preset": terms.PRESET_WORDS, "pace": PACE_WORDS}.get(name)
        words = words or {"visibility": terms.VISIBILITY_WORDS, "tells": terms.TELLS_WORDS}.get(name)
        words = words or _effects(name)
        chosen = str(self[name].value() or "")
        return [
            Option(
                name=name,
                value=value,
                label=label,
                effect=words.get(value, ("", ""))[1],
                checked=value == chosen,
                why=NO_ACCOUNT if (name, value) == ("mode", "ranked") and not self._has_account else "",
                needs=json.dumps([[need.name, need.allowed, need.why] for need in needs_of(name, value)]),
            )
            for value, label in self.fields[name].choices  # type: ignore[attr-defined]
        ]

    @cached_property
    def groups(self) -> dict[str, dict[str, Any]]:
        """Every group of choices with its legend and what is wrong with it."""
        names = ("mode", "preset", "seats", "starting_dice", "pace", "visibility", "tells")
        return {
            name: {
                "name": name,
                "label": self.fields[name].label,
                "options": self.options(name),
                "errors": self[name].errors,
            }
            for name in (*names, *terms.OPTION_WORDS)
        }

    @property
    def single_rules(self) -> list[dict[str, Any]]:
        """The groups of the options that a preset chooses too."""
        return [self.groups[name] for name in terms.OPTION_WORDS]

    @property
    def changes_single_rules(self) -> bool:
        """Is any rule chosen by itself, or wrong?"""
        return any(self[name].value() or self[name].errors for name in terms.OPTION_WORDS)

    @property
    def computers(self) -> list[tuple[int, Any, Any]]:
        """A row for each computer that may sit there."""
        rows = range(1, MOST_COMPUTERS + 1)
        return [(number, self[f"level_{number}"], self[f"character_{number}"]) for number in rows]

    @property
    def presets(self) -> str:
        """What the presets choose, for the page to follow."""
        names = terms.OPTION_WORDS
        rules = {preset: {**DEFAULTS, **values} for preset, values in PRESETS.items()}
        return json.dumps(
            {key: {name: terms.written(of[name]) for name in names} for key, of in rules.items()}
        )

    # What it asks for.

    def clean(self) -> dict[str, Any]:
        chosen = super().clean() or self.cleaned_data
        if chosen.get("mode") == "practice":
            chosen["pace"] = "none"  # whatever was chosen: a practice table has no clock, and says so
        for name in ("preset", "starting_dice", "pace", *terms.OPTION_WORDS):
            self._check_needs(name)
        if chosen.get("mode") == "ranked" and not self._has_account:
            self.add_error("mode", NO_ACCOUNT)
        if chosen.get("pace") == "slow":
            self._check_turn(chosen)
        self._check_computers(chosen)
        return chosen

    def _check_needs(self, name: str) -> None:
        for need in needs_of(name, self.cleaned_data.get(name) or ""):
            if self._effective(need.name) not in (None, *need.allowed):
                self.add_error(name, need.why)
                return

    def _effective(self, name: str) -> str | None:
        """What is chosen, by itself or by the preset; None where that is not readable."""
        value = self.cleaned_data.get(name)
        if value or name not in terms.OPTION_WORDS:
            return value
        if name == "ones" and self._effective("bidding") == "sum":
            return "straight"
        preset = self.cleaned_data.get("preset")
        return terms.written({**DEFAULTS, **PRESETS[preset]}[name]) if preset else None

    def _check_turn(self, chosen: Mapping[str, Any]) -> None:
        if self.has_error("turn") or self.has_error("bank"):
            return
        if not TURN_SECONDS[0] <= self._seconds("turn") <= TURN_SECONDS[1]:
            self.add_error("turn", WRONG_TURN)
        elif chosen.get("mode") == "ranked" and self._seconds("turn") not in RANKED_TURN_SECONDS:
            self.add_error("turn", "A ranked table gives one, two or three days a move.")
        if self._seconds("bank") > BANK_SECONDS[1]:
            self.add_error("bank", WRONG_BANK)
        elif chosen.get("mode") == "ranked" and self._seconds("bank"):
            self.add_error("bank", "Ranked tables have no bank.")

    def _check_computers(self, chosen: Mapping[str, Any]) -> None:
        names: set[str] = set()
        wanted = 0
        for number in range(1, MOST_COMPUTERS + 1):
            if not chosen.get(f"level_{number}"):
                continue
            wanted += 1
            character = chosen.get(f"character_{number}") or ""
            if character and character in names:
                self.add_error(f"level_{number}", f"{CHARACTERS[character]} sits there already.")
            names.add(character)
            if chosen.get("mode") == "ranked":
                self.add_error(f"level_{number}", "Ranked tables have no computers.")
            elif wanted >= int(chosen.get("seats") or wanted + 1):
                seats = number_words(int(chosen["seats"]))
                self.add_error(f"level_{number}", f"There are {seats} seats, and one of them is yours.")

    @property
    def _has_account(self) -> bool:
        return self._player is not None and self._player.user_id is not None

    def _seconds(self, name: str) -> int:
        return (self.cleaned_data.get(name) or 0) * UNITS[self.cleaned_data.get(f"{name}_unit") or "hours"]

    @property
    def wanted(self) -> TableWanted:
        """The table asked for."""
        chosen = self.cleaned_data
        return TableWanted(
            name=chosen["name"] or None,
            preset=chosen["preset"],
            rules=self._rules(),
            mode=chosen["mode"],
            clock=self._clock(),
            visibility=chosen["visibility"],
            computers=[
                ComputerWanted(level=level, character=chosen[f"character_{number}"] or None)
                for number in range(1, MOST_COMPUTERS + 1)
                if (level := chosen[f"level_{number}"])
            ],
            client_seed=chosen["client_seed"],
            tells=chosen["tells"] != "no",
        )

    def _rules(self) -> dict[str, object]:
        """The options that were chosen; bidding and ones by name, so that nothing gives way to another."""
        chosen = {name: self.cleaned_data[name] for name in terms.OPTION_WORDS if self.cleaned_data[name]}
        chosen |= {name: self._effective(name) or "" for name in ("bidding", "ones")}
        return {
            "seats": int(self.cleaned_data["seats"]),
            "starting_dice": int(self.cleaned_data["starting_dice"]),
            **{name: {"yes": True, "no": False}.get(value, value) for name, value in chosen.items()},
        }

    def _clock(self) -> dict[str, Any]:
        pace = self.cleaned_data["pace"]
        if pace == "slow":
            return {
                "kind": "slow",
                "turn_seconds": self._seconds("turn"),
                "bank_seconds": self._seconds("bank"),
            }
        kind, _, live_pace = pace.partition("-")
        return {"kind": kind, "pace": live_pace} if kind == "live" else {"kind": "none"}

    def kept(self) -> dict[str, Any]:
        """What the next form begins with: everything but names and the seed."""
        left_out = ("name", "own_name", "client_seed")
        return {name: value for name, value in self.cleaned_data.items() if name not in left_out}
