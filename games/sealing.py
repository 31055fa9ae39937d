"""Secrets of unfinished rounds at rest: sealed with a key from the environment, opened only where needed.

Fernet (cryptography): AES-128-CBC with HMAC-SHA-256. The first of `settings.SEALING_KEYS` seals, every one
opens, so that a key is changed by putting a new one in front. Hands are sealed at one length, whatever they
hold.
"""

from collections.abc import Sequence
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class CannotOpen(Exception):
    """A sealed value that no key in `SEALING_KEYS` opens."""


def seal(secret: bytes) -> str:
    """Seal a secret for a column of the database."""
    return _keys(tuple(settings.SEALING_KEYS)).encrypt(secret).decode("ascii")


def unseal(token: str) -> bytes:
    """Open what `seal` closed; `CannotOpen` where no key fits."""
    try:
        return _keys(tuple(settings.SEALING_KEYS)).decrypt(token)
    except InvalidToken as error:
        raise CannotOpen("no key in SEALING_KEYS opens this value") from error


def reseal(token: str) -> str:
    """The same secret under the first key."""
    try:
        return _keys(tuple(settings.SEALING_KEYS)).rotate(token).decode("ascii")
    except InvalidToken as error:
        raise CannotOpen("no key in SEALING_KEYS opens this value") from error


def seal_hand(hand: Sequence[int]) -> str:
    """Seal a hand of at most fifteen dice; the length of the token says nothing of how many."""
    return seal(bytes(hand))


def unseal_hand(token: str) -> tuple[int, ...]:
    """Open a hand that `seal_hand` closed."""
    return tuple(unseal(token))


@lru_cache(maxsize=8)
def _keys(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
