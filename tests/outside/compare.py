"""Holding a JSON answer against what it should be, and looking for dice where none may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

VIEW_KEYS = ["id", "version", "name", "status", "mode", "visibility", "rules", "clock", "commitment"]
VIEW_KEYS += ["created_at", "host", "deadline", "seats", "viewer", "round", "legal", "reveal", "result"]
SEAT_KEYS = ["seat", "player", "dice", "place", "substitute", "ready", "bank_seconds", "client_seed"]
SUMMARY_KEYS = [
    "id",
    "name",
    "status",
    "mode",
    "visibility",
    "rules",
    "clock",
    "seats",
    "round_number",
    "turn",
]
SUMMARY_KEYS += ["deadline", "updated_at"]

# Maps whose keys say something by being there or not.
EXACT_MAPS = {"bids", "hands", "changes", "places"}

TIME_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
HEX_FORM = re.compile(r"[0-9a-f]{64}")


class Wanted:
    """Stands in an expectation where not one value but a kind of value is right."""

    def __init__(self, words: str, test: Callable[[Any], bool]) -> None:
        self.words, self.test = words, test

    def __repr__(self) -> str:
        return f"<{self.words}>"


def one_of(*values: Any) -> Wanted:
    """Any of these values."""
    return Wanted(f"one of {values}", lambda got: any(same(value, got) for value in values))


def is_time(value: Any) -> bool:
    """Is it an ISO 8601 time in UTC with Z?"""
    return isinstance(value, str) and TIME_FORM.fullmatch(value) is not None


def moment(text: str) -> datetime:
    """The time that a text names."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


ANYTHING = Wanted("anything", lambda got: True)
TIME = Wanted("a time in UTC with Z", is_time)
TEXT = Wanted("a text", lambda got: isinstance(got, str))
SECRET = Wanted("64 hex digits", lambda got: isinstance(got, str) and HEX_FORM.fullmatch(got) is not None)


def same(expected: Any, got: Any) -> bool:
    """Are both equal, types included (true is not 1)?"""
    return not differences(expected, got)


def differences(expected: Any, got: Any, path: str = "") -> list[str]:
    """Say where `got` is not as expected; more fields than expected are free, except in telling maps."""
    if isinstance(expected, Wanted):
        return [] if expected.test(got) else [f"{path or 'it'} should be {expected}, is {got!r}"]
    if type(expected) is not type(got):
        return [f"{path or 'it'} should be {expected!r}, is {got!r}"]
    if isinstance(expected, dict):
        return _dict_differences(expected, got, path)
    if isinstance(expected, list):
        if len(expected) != len(got):
            return [f"{path} should have {len(expected)} entries: {expected!r}, has {len(got)}: {got!r}"]
        pairs = enumerate(zip(expected, got, strict=True))
        return [line for i, (e, g) in pairs for line in differences(e, g, f"{path}[{i}]")]
    return [] if expected == got else [f"{path or 'it'} should be {expected!r}, is {got!r}"]


def _dict_differences(expected: dict[str, Any], got: dict[str, Any], path: str) -> list[str]:
    found = []
    if path.rpartition(".")[2] in EXACT_MAPS and expected.keys() != got.keys():
        found.append(f"{path} should have the keys {sorted(expected)}, has {sorted(got)}")
    for key, value in expected.items():
        if key not in got:
            found.append(f"{path}.{key} is missing".lstrip("."))
        else:
            found += differences(value, got[key], f"{path}.{key}".lstrip("."))
    return found


def walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value in a JSON document with the way to it; lists do not lengthen the way."""
    yield path, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from walk(each, (*path, key))
    elif isinstance(value, list):
        for each in value:
            yield from walk(each, path)


FREE_TEXT = {"name", "client_seed", "id", "url", "next", "invite", "token"}


def leaks(body: Any, live_hands: Iterable[list[int]]) -> list[str]:
    """Find what looks like dice, or a secret, anywhere but in the places made for them."""
    shapes = [join.join(map(str, hand)) for hand in live_hands if len(hand) > 2 for join in (",", ", ", " ")]
    found = []
    for path, value in walk(body):
        last = path[-1] if path else ""
        if isinstance(value, list) and value and all(type(each) is int for each in value):
            if not _numbers_belong(path):
                found.append(f"{'.'.join(path)} lists the numbers {value}")
        elif isinstance(value, str) and last not in FREE_TEXT:
            if HEX_FORM.fullmatch(value) and last not in ("commitment", "secret"):
                found.append(f"{'.'.join(path)} looks like a secret")
            found += [f"{'.'.join(path)} spells a live hand" for shape in shapes if shape in value]
    return found


def _numbers_belong(path: tuple[str, ...]) -> bool:
    if path[-2:] == ("round", "hand") or path[-3:-1] == ("legal", "bids"):
        return True
    if path[:1] == ("options",):
        return True  # the presets' lists of values
    if path == ("events", "seats"):
        return True  # an archive's start, with the seats that were taken
    in_reveal = path[:1] in [(name,) for name in ("reveal", "results", "hands", "out", "rounds", "table")]
    return in_reveal and (path[-1] == "out" or path[-2:-1] == ("hands",))
