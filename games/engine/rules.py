"""The options of a table: what they may be, how presets and named options combine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Bidding: TypeAlias = Literal["faces", "sum"]
Ones: TypeAlias = Literal["aces", "wild", "low", "straight"]
Exact: TypeAlias = Literal["off", "regain", "others_lose"]
FirstOpener: TypeAlias = Literal["random", "host"]


class RulesRefused(ValueError):
    """Options that make no sense; `option` is the one to mend."""

    code = "rules"

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option
        self.message = message


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """An option that is a whole number from `lowest` to `highest`."""

    lowest: int
    highest: int
    default: int

    def accepts(self, value: object) -> bool:
        return type(value) is int and self.lowest <= value <= self.highest

    def words(self) -> str:
        return f"a whole number from {self.lowest} to {self.highest}"

    def document(self) -> dict[str, Any]:
        return {"min": self.lowest, "max": self.highest, "default": self.default}


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that is one of a few words, or true or false."""

    values: tuple[str | bool, ...]
    default: str | bool

    def accepts(self, value: object) -> bool:
        return any(type(value) is type(allowed) and value == allowed for allowed in self.values)

    def words(self) -> str:
        names = [str(value).lower() if isinstance(value, bool) else value for value in self.values]
        return f"{', '.join(names[:-1])} or {names[-1]}"

    def document(self) -> dict[str, Any]:
        return {"values": list(self.values), "default": self.default}


OPTIONS: Mapping[str, WholeNumber | Choice] = {
    "seats": WholeNumber(2, 6, 4),
    "starting_dice": WholeNumber(1, 5, 5),
    "bidding": Choice(("faces", "sum"), "faces"),
    "ones": Choice(("aces", "wild", "low", "straight"), "aces"),
    "open_on_ones": Choice((True, False), False),
    "exact": Choice(("off", "regain", "others_lose"), "others_lose"),
    "palifico": Choice((True, False), False),
    "first_opener": Choice(("random", "host"), "random"),
}

DEFAULTS: Mapping[str, Any] = {name: option.default for name, option in OPTIONS.items()}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "classic": {"exact": "off"},
    "wild": {"ones": "wild", "exact": "off"},
    "straight": {"ones": "straight", "exact": "off"},
    "low-ones": {"ones": "low", "exact": "off"},
    "calza": {"open_on_ones": True, "exact": "regain", "first_opener": "host"},
    "sum": {"bidding": "sum", "ones": "straight", "exact": "regain", "first_opener": "host"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one table, fixed when it is made (rules, section 2)."""

    seats: int = 4
    starting_dice: int = 5
    bidding: Bidding = "faces"
    ones: Ones = "aces"
    open_on_ones: bool = False
    exact: Exact = "others_lose"
    palifico: bool = False
    first_opener: FirstOpener = "random"

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            _check_value(name, option, getattr(self, name))
        _check_combination(self)

    @property
    def sums(self) -> bool:
        """Is a bid a total of pips rather than a quantity of one face?"""
        return self.bidding == "sum"

    @property
    def ones_are_wild(self) -> bool:
        """Do ones count for the other faces in an ordinary round?"""
        return self.ones in ("aces", "wild", "low")

    def document(self) -> dict[str, Any]:
        """Every option with its value, in the order of the rules."""
        return {name: getattr(self, name) for name in OPTIONS}


def rules_of(table: Mapping[str, Any]) -> Rules:
    """The options in the document of a table; what a later version may have added is passed over."""
    return Rules(**{name: table["rules"][name] for name in OPTIONS})


def rules_from(preset: str, named: Mapping[str, object]) -> Rules:
    """Combine a preset with the options that were named; what was named wins, or is refused.

    Raises `RulesRefused` with the option to mend. An option that was not named never causes a refusal.
    """
    for name, value in named.items():
        if name not in OPTIONS:
            raise RulesRefused(name, f"There is no option of this name. There are {', '.join(OPTIONS)}.")
        _check_value(name, OPTIONS[name], value)
    chosen = {**DEFAULTS, **PRESETS[preset], **named}
    for name, value in _what_must_give_way(chosen, named).items():
        if name not in named:
            chosen[name] = value
    return Rules(**chosen)


def _what_must_give_way(chosen: Mapping[str, object], named: Mapping[str, object]) -> dict[str, object]:
    """The values that a preset's own would have to yield to, given what was named."""
    needs_faces = (
        named.get("ones") in ("wild", "low", "aces")
        or named.get("palifico") is True
        or named.get("open_on_ones") is True
    )
    bidding = "faces" if needs_faces and "bidding" not in named else chosen["bidding"]
    if bidding == "sum":
        return {"ones": "straight", "palifico": False, "open_on_ones": False}
    ones = chosen["ones"]
    if named.get("open_on_ones") is True and "ones" not in named:
        ones = "aces"
    given_way: dict[str, object] = {"bidding": bidding, "ones": ones}
    if ones != "aces":
        given_way["open_on_ones"] = False
    return given_way


def _check_value(name: str, option: WholeNumber | Choice, value: object) -> None:
    if not option.accepts(value):
        raise RulesRefused(name, f"{name} must be {option.words()}.")


def _check_combination(rules: Rules) -> None:
    if rules.sums and rules.ones != "straight":
        raise RulesRefused("ones", "With sum bidding nothing is wild: ones must be straight.")
    if rules.sums and rules.palifico:
        raise RulesRefused("palifico", "With sum bidding there is no palifico round: it must be false.")
    if rules.open_on_ones and rules.ones != "aces":
        raise RulesRefused("open_on_ones", "Opening on ones is an option of aces only: it must be false.")
