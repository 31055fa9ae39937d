"""Secrets of unfinished rounds at rest: sealed with a key from the environment, opened only where needed.

Fernet (cryptography): AES-128-CBC with HMAC-SHA-256. The first of `settings.SEALING_KEYS` seals, every one
opens, so that a key is changed by putting a new one in front. Hands are sealed at one length, whatever they
hold. A secret is sealed for its place, so that a copied token shows nothing to whoever may open that place.
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

MARK = 16
"""The bytes in front of a sealed secret that say for which place it was sealed."""


class CannotOpen(Exception):
    """A sealed value that no key in `SEALING_KEYS` opens."""


def seal(secret: bytes, *, place: str) -> str:
    """Seal a secret for one place: a column of one row. It opens nowhere else, whoever copies it there."""
    return _keys(tuple(settings.SEALING_KEYS)).encrypt(_mark(place) + secret).decode("ascii")


def unseal(token: str, *, place: str) -> bytes:
    """Open what `seal` closed for this place; `CannotOpen` where no key fits, or the place is another."""
    try:
        opened = _keys(tuple(settings.SEALING_KEYS)).decrypt(token)
    except InvalidToken as error:
        raise CannotOpen("no key in SEALING_KEYS opens this value") from error
    mark, secret = opened[:MARK], opened[MARK:]
    if not hmac.compare_digest(mark, _mark(place)):
        raise CannotOpen("this value was sealed for another place")
    return secret


def reseal(token: str) -> str:
    """The same secret, for the same place, under the first key."""
    try:
        return _keys(tuple(settings.SEALING_KEYS)).rotate(token).decode("ascii")
    except InvalidToken as error:
        raise CannotOpen("no key in SEALING_KEYS opens this value") from error


def chain_place(table_id: str) -> str:
    """Where the end of a table's chain lies."""
    return f"chain|{table_id}"


def hand_place(table_id: str, number: int, seat: int) -> str:
    """Where the hand of a seat in a round lies."""
    return f"hand|{table_id}|{number}|{seat}"


def answer_place(player_id: str, request: str) -> str:
    """Where the kept answer to a request lies."""
    return f"answer|{player_id}|{request}"


def seal_hand(hand: Sequence[int], *, place: str) -> str:
    """Seal a hand of at most fifteen dice; the length of the token says nothing of how many."""
    return seal(bytes(hand), place=place)


def unseal_hand(token: str, *, place: str) -> tuple[int, ...]:
    """Open a hand that `seal_hand` closed."""
    return tuple(unseal(token, place=place))


def _mark(place: str) -> bytes:
    return hashlib.sha256(place.encode()).digest()[:MARK]


@lru_cache(maxsize=8)
def _keys(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
