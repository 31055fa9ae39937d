"""The dice and the drawn opener, worked out again from a secret and everybody's seeds."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence


def chain_holds(commitment: str, secrets: Sequence[str]) -> bool:
    """Is each secret's SHA-256 the one before it, the first one's the commitment?"""
    before = commitment
    for secret in secrets:
        if hashlib.sha256(bytes.fromhex(secret)).hexdigest() != before:
            return False
        before = secret
    return True


def _stream(secret: str, start: str, seeds: Sequence[str]) -> Iterator[int]:
    block = 0
    while True:
        message = "|".join([start, str(block), *seeds]).encode("utf-8")
        yield from hmac.new(bytes.fromhex(secret), message, hashlib.sha256).digest()
        block += 1


def roll(table_id: str, number: int, seat: int, dice: int, secret: str, seeds: Sequence[str]) -> list[int]:
    """The hand of one seat in one round, in the order rolled."""
    hand: list[int] = []
    for byte in _stream(secret, f"{table_id}|{number}|{seat}", seeds):
        if len(hand) == dice:
            break
        if byte < 252:
            hand.append(byte % 6 + 1)
    return hand


def drawn_opener(table_id: str, seats: Sequence[int], secret: str, seeds: Sequence[str]) -> int:
    """The seat that the first round's secret draws to open."""
    ordered = sorted(seats)
    whole = 256 // len(ordered) * len(ordered)
    byte = next(byte for byte in _stream(secret, f"{table_id}|1|opener", seeds) if byte < whole)
    return ordered[byte % len(ordered)]
