"""Typed readers of the environment, which fail loudly.

A wrong value stops the start with one sentence: which variable, what it holds and what would be right.
Nothing is guessed and nothing falls back to a default because it could not be read.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
RATE_PERIODS = frozenset({"sec", "min", "hour", "day"})


class Unusable(ImproperlyConfigured):
    """What was found cannot be worked with; the text says what would be right, and is all that one needs."""


class WrongEnvironment(Unusable):
    """A variable of the environment cannot be used as it is."""

    def __init__(self, name: str, given: str, right: str) -> None:
        super().__init__(f"{name} is {given}; it should be {right}.")


def text(name: str, default: str) -> str:
    """Return a variable as it stands, without blanks around it."""
    return _raw(name) or default


def flag(name: str, default: bool) -> bool:
    """Return a switch."""
    return _read(name, default, _flag, "one of 1, true, yes, on, 0, false, no, off")


def whole(name: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    """Return a whole number between two bounds."""
    right = f"a whole number of {least} or more" if most is None else f"a whole number from {least} to {most}"
    return _read(name, default, lambda raw: _within(int(raw), least, most), right)


def seconds(name: str, default: float, *, most: int) -> float:
    """Return a number of seconds, which may have a fraction."""
    return _read(name, default, lambda raw: _within(float(raw), 0, most), f"a number from 0 to {most}")


def choice(name: str, default: str, among: tuple[str, ...]) -> str:
    """Return one of a few words, whatever their case."""
    folded = {word.casefold(): word for word in among}
    return _read(name, default, lambda raw: folded[raw.casefold()], f"one of {', '.join(among)}")


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return a list whose parts stand between commas."""
    return _parts(_raw(name)) or list(default)


def rate(name: str, default: str) -> str:
    """Return how often something may be done, such as 60/min."""
    return _read(name, default, _rate, "a number and a period, such as 60/min (sec, min, hour or day)")


def address(name: str, default: str) -> str:
    """Return an http or https address without a slash at its end."""
    return _read(name, default, _address, "an address such as https://dice.example.org")


def secret(name: str, default: str = "") -> str:
    """Return a secret from NAME, or from the file that NAME_FILE names; it never appears in an error."""
    direct, path = _raw(name), _raw(f"{name}_FILE")
    if direct and path:
        raise WrongEnvironment(name, f"given twice, as {name} and {name}_FILE", "given once")
    if not path:
        return direct or default

    content = _content(f"{name}_FILE", path)
    if not content:
        raise WrongEnvironment(f"{name}_FILE", f"the empty file {path!r}", "a file that holds the secret")
    return content


def mail_server(name: str, url: str) -> dict[str, Any]:
    """Return Django's settings for the mail server of an address; the password never appears in an error."""
    if not url:
        return {}
    right = "smtp+tls://USER:PASSWORD@HOST:587, smtp+ssl://…:465, smtp://HOST:25, filemail:///FOLDER or consolemail://"
    try:
        found = environ.Env.email_url_config(url)
    except (ImproperlyConfigured, ValueError):
        raise WrongEnvironment(name, "not understood", right) from None
    if found["EMAIL_BACKEND"].endswith("smtp.EmailBackend") and not found["EMAIL_HOST"]:
        raise WrongEnvironment(name, "without a host", right)
    file_path = found.pop("EMAIL_FILE_PATH")
    if found["EMAIL_BACKEND"].endswith("filebased.EmailBackend"):
        found["EMAIL_FILE_PATH"] = f"/{file_path}"
    return {key: value for key, value in found.items() if key.startswith("EMAIL_") and value is not None}


def secrets(name: str) -> list[str]:
    """Return several secrets, which stand between commas or on lines of their own."""
    return _parts(secret(name).replace("\n", ","))


def _raw(name: str) -> str:
    return os.environ.get(name, "").strip()


def _read(name: str, default: T, parse: Callable[[str], T], right: str) -> T:
    raw = _raw(name)
    if not raw:
        return default
    try:
        return parse(raw)
    except (ValueError, KeyError):
        raise WrongEnvironment(name, repr(raw), right) from None


def _parts(raw: str) -> list[str]:
    return [part.strip() for part in raw.split(",") if part.strip()]


def _flag(raw: str) -> bool:
    folded = raw.casefold()
    if folded not in TRUE | FALSE:
        raise ValueError
    return folded in TRUE


N = TypeVar("N", int, float)


def _within(number: N, least: float, most: float | None) -> N:
    # Written so that "nan" is outside whatever the bounds are.
    if not (number >= least and (most is None or number <= most)):
        raise ValueError
    return number


def _rate(raw: str) -> str:
    times, slash, period = raw.partition("/")
    if not slash or period not in RATE_PERIODS or int(times) < 1:
        raise ValueError
    return raw


def _address(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError
    return raw.rstrip("/")


def _content(name: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise WrongEnvironment(name, f"{path!r} ({reason})", "the path of a file that can be read") from None
