"""Options and presets: which set of options a request means, or which option it is refused for."""

from __future__ import annotations

from itertools import product
from typing import Any

Rules = dict[str, Any]

VALUES: dict[str, list[Any]] = {
    "seats": [2, 3, 4, 5, 6],
    "starting_dice": [1, 2, 3, 4, 5],
    "bidding": ["faces", "sum"],
    "ones": ["aces", "wild", "low", "straight"],
    "open_on_ones": [False, True],
    "exact": ["off", "regain", "others_lose"],
    "palifico": [False, True],
    "first_opener": ["random", "host"],
}

DEFAULTS: Rules = {
    "seats": 4,
    "starting_dice": 5,
    "bidding": "faces",
    "ones": "aces",
    "open_on_ones": False,
    "exact": "others_lose",
    "palifico": False,
    "first_opener": "random",
}

PRESETS: dict[str, Rules] = {
    "standard": DEFAULTS,
    "classic": DEFAULTS | {"exact": "off"},
    "wild": DEFAULTS | {"ones": "wild", "exact": "off"},
    "straight": DEFAULTS | {"ones": "straight", "exact": "off"},
    "low-ones": DEFAULTS | {"ones": "low", "exact": "off"},
    "calza": DEFAULTS | {"open_on_ones": True, "exact": "regain", "first_opener": "host"},
    "sum": DEFAULTS | {"bidding": "sum", "ones": "straight", "exact": "regain", "first_opener": "host"},
}

# The only options that depend on one another.
ENTANGLED = ["bidding", "ones", "open_on_ones", "palifico"]


class OptionsRefused(Exception):
    """The options cannot be had; `names` are those that a refusal may rightly point at."""

    def __init__(self, *names: str) -> None:
        super().__init__(", ".join(names))
        self.names = set(names)


def is_one_of(value: Any, allowed: list[Any]) -> bool:
    """Is it one of these values, of the same type too (4.0 is not 4, true is not 1)?"""
    return any(type(value) is type(choice) and value == choice for choice in allowed)


def faults(rules: Rules) -> list[str]:
    """Name the options of a full or partial set that make no sense together."""
    wrong = []
    ones = rules.get("ones")
    if rules.get("bidding") == "sum" and ones not in (None, "straight"):
        wrong.append("ones")
    if rules.get("bidding") == "sum" and rules.get("palifico"):
        wrong.append("palifico")
    if rules.get("open_on_ones") and (rules.get("bidding") == "sum" or ones not in (None, "aces")):
        wrong.append("open_on_ones")
    return wrong


def options(preset: str = "standard", rules: Rules | None = None) -> Rules:
    """Return the full options that a preset and the named ones give, or refuse by name."""
    named = dict(rules or {})
    strange = [name for name in named if name not in VALUES or not is_one_of(named[name], VALUES[name])]
    if strange:
        raise OptionsRefused(*strange)
    if faults(named):
        raise OptionsRefused(*faults(named))

    full = dict(named)
    for name in VALUES:
        if name not in full and name not in ENTANGLED:
            full[name] = PRESETS[preset][name]
    for name in ENTANGLED:
        if name not in full:
            full[name] = _unnamed(name, full, PRESETS[preset])
    return full


def _unnamed(name: str, so_far: Rules, preset: Rules) -> Any:
    """Take the preset's value of one option; where it does not fit, the default; else what does."""
    for value in [preset[name], DEFAULTS[name], *VALUES[name]]:
        if not faults(so_far | {name: value}) and _can_be_completed(so_far | {name: value}):
            return value
    raise AssertionError(f"nothing fits for {name} in {so_far}")


def _can_be_completed(partial: Rules) -> bool:
    missing = [name for name in ENTANGLED if name not in partial]
    tries = product(*(VALUES[name] for name in missing))
    return any(not faults(partial | dict(zip(missing, values, strict=True))) for values in tries)


def every_sensible_combination() -> list[Rules]:
    """List all sets of options that a table can have."""
    tries = (dict(zip(VALUES, values, strict=True)) for values in product(*VALUES.values()))
    return [rules for rules in tries if not faults(rules)]
