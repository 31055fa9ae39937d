"""Reading what a client sends: strict JSON, and fields of the right type.

A body that cannot be read, or lacks a field, is `Malformed` (400); what a value may be, the rules say (422).
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from rest_framework.parsers import BaseParser

MOST_BYTES = 64 * 1024

_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Malformed(Exception):
    """A request that cannot be read; `fields` says where."""

    code = "malformed"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class UnknownWord(Exception):
    """A word in an address that is none of those that may stand there."""

    def __init__(self, name: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"{name} is one of {', '.join(allowed)}.")
        self.code = f"unknown_{name}"
        self.message = str(self)
        self.field = name


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it (no NaN, no endless numbers), whatever the content type says."""

    media_type = "*/*"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise Malformed(f"A body has at most {MOST_BYTES} bytes.")
        return parse_json(raw) if raw else {}


def parse_json(raw: bytes) -> Any:
    """The value that these bytes write, or `Malformed`."""
    try:
        return _strict.decode(raw.decode("utf-8"))
    except Malformed:
        raise
    except RecursionError as error:
        raise Malformed("The body is nested too deeply.") from error
    except ValueError as error:
        raise Malformed("The body is not JSON in UTF-8.") from error


class Body:
    """The fields of a JSON object, read one by one; null is the same as absent."""

    def __init__(self, data: Any, *, within: str = "") -> None:
        if not isinstance(data, dict):
            raise Malformed("A JSON object is needed here.", field=within or None)
        self._fields = data
        self._within = f"{within}." if within else ""

    def has(self, name: str) -> bool:
        """Is the field there, and not null?"""
        return self._fields.get(name) is not None

    def text(self, name: str) -> str:
        """A field that must be a text."""
        return self._typed(name, "a text", lambda value: isinstance(value, str))

    def maybe_text(self, name: str) -> str | None:
        return self.text(name) if self.has(name) else None

    def whole(self, name: str) -> int:
        """A field that must be a whole number; `4.0` and `true` are not."""
        return self._typed(name, "a whole number", lambda value: type(value) is int)

    def maybe_whole(self, name: str) -> int | None:
        return self.whole(name) if self.has(name) else None

    def flag(self, name: str, *, default: bool) -> bool:
        """A field that is true or false."""
        if not self.has(name):
            return default
        return self._typed(name, "true or false", lambda value: isinstance(value, bool))

    def maybe_object(self, name: str) -> "Body | None":
        return Body(self._fields[name], within=f"{self._within}{name}") if self.has(name) else None

    def objects(self, name: str) -> list["Body"]:
        """A field that is a list of objects; absent it is empty."""
        if not self.has(name):
            return []
        items = self._typed(name, "a list", lambda value: isinstance(value, list))
        return [Body(item, within=f"{self._within}{name}") for item in items]

    def raw(self, name: str) -> Any:
        """A field as it came."""
        return self._fields.get(name)

    def refuse(self, name: str, message: str) -> NoReturn:
        raise Malformed(message, field=f"{self._within}{name}")

    def _typed(self, name: str, what: str, fits: Callable[[Any], bool]) -> Any:
        value = self._fields.get(name)
        if value is None:
            self.refuse(name, f"{name} is needed: {what}.")
        if not fits(value):
            self.refuse(name, f"{name} must be {what}.")
        return value


def whole_of_query(name: str, text: str) -> int:
    """A whole number in an address, or `Malformed`."""
    if not _WHOLE.fullmatch(text):
        raise Malformed(f"{name} must be a whole number.", field=name)
    return int(text)


def one_of_query(name: str, text: str | None, allowed: tuple[str, ...]) -> str | None:
    """One of a few words in an address, or none."""
    if text and text not in allowed:
        raise UnknownWord(name, allowed)
    return text or None


def flag_of_query(name: str, text: str | None) -> bool:
    """`true` or `false` in an address; absent it is false."""
    if text not in (None, "", "true", "false"):
        raise Malformed(f"{name} must be true or false.", field=name)
    return text == "true"


def _refuse_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON.")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Malformed("A number in the body is too large.")
    return number


_strict = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
