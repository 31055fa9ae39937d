"""What a player may be called."""

import secrets
import string
import unicodedata

from accounts.models import NAME_LENGTH

# Control characters (NUL among them), lone surrogates, and ends of lines and paragraphs.
FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# They turn the direction of the text around a name.
FORBIDDEN_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Letters and signs that show nothing.
INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")


class NameRefused(Exception):
    """A name that nobody may bear; `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def fit_name(given: str, *, most: int = NAME_LENGTH) -> str:
    """Return a name without blanks around it, or say why nobody (no table either) may bear it."""
    name = given.strip()
    if any(letter in FORBIDDEN_MARKS or _category(letter) in FORBIDDEN_CATEGORIES for letter in name):
        raise NameRefused("name_unreadable", "A name has no control characters and no broken letters.")
    if not any(_category(letter)[0] in "LNPS" and letter not in INVISIBLE for letter in name):
        raise NameRefused("name_empty", "A name has at least one letter, digit or sign.")
    if len(name) > most:
        raise NameRefused("name_too_long", f"A name has at most {most} characters, not {len(name)}.")
    return name


def guest_name() -> str:
    """Return a name for somebody who gave none."""
    letters = string.ascii_uppercase + string.digits
    return "Guest " + "".join(secrets.choice(letters) for _ in range(4))


def account_name(username: str) -> str:
    """Return the name under which an account plays at first."""
    try:
        return fit_name(username[:NAME_LENGTH])
    except NameRefused:
        return guest_name()


def _category(letter: str) -> str:
    return unicodedata.category(letter)
