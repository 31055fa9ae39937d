"""Fair dice: the chain of secrets, the hands and the drawn opener (rules, section 8)."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

Hand: TypeAlias = tuple[int, ...]

ROUND_LIMIT = 999
"""The last round of a match; the chain has a secret for each and one more at its end."""

CHAIN_LENGTH = ROUND_LIMIT + 1
SEED_LIMIT = 64

LANDING = 32
"""Of every so many secrets one is remembered a while, for matches that go on."""


class SeedRefused(ValueError):
    """A client seed that may not be used; the message says what may."""

    code = "client_seed"


class Chance(Protocol):
    """Where hands and secrets come from; the engine asks and never rolls."""

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        """The hands of round `number`, for the seats with so many dice."""
        ...

    def secret(self, number: int) -> str:
        """The secret of round `number`, as 64 hex digits, for its reveal."""
        ...


class FairDice:
    """The chance of one table: every hand follows from the end of its chain and the players' seeds."""

    __slots__ = ("_end", "_seeds", "_table_id")

    def __init__(self, *, table_id: str, chain_end: bytes, seeds: Sequence[str]) -> None:
        self._table_id = table_id
        self._end = chain_end
        self._seeds = tuple(seeds)

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        secret = secret_of_round(self._end, number)
        return {
            seat: roll(
                secret, table_id=self._table_id, number=number, seat=seat, count=count, seeds=self._seeds
            )
            for seat, count in dice.items()
        }

    def secret(self, number: int) -> str:
        return secret_of_round(self._end, number).hex()

    def opener(self, seats: Sequence[int]) -> int:
        """The seat drawn to open round 1."""
        return draw_opener(self.first_secret(), table_id=self._table_id, seats=seats, seeds=self._seeds)

    def first_secret(self) -> bytes:
        return secret_of_round(self._end, 1)


def secret_of_round(chain_end: bytes, number: int) -> bytes:
    """The secret s[number], hashed down from s[1000]; s[0] is the table's commitment."""
    landing = min(CHAIN_LENGTH, number - number % -LANDING)
    return _hashed(_landing(chain_end, landing), landing - number)


@lru_cache(maxsize=1000)
def _landing(chain_end: bytes, number: int) -> bytes:
    """A secret on the way down, from which it is not far to those of the next rounds."""
    return _hashed(chain_end, CHAIN_LENGTH - number)


def _hashed(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = hashlib.sha256(secret).digest()
    return secret


def commitment_of(chain_end: bytes) -> str:
    """What is published before anyone sits: s[0] as 64 hex digits."""
    return secret_of_round(chain_end, 0).hex()


def follows(secret: str, previous: str) -> bool:
    """Is `previous` (the secret of the round before, or the commitment) the hash of `secret`?"""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest() == previous


def roll(secret: bytes, *, table_id: str, number: int, seat: int, count: int, seeds: Sequence[str]) -> Hand:
    """The dice of one seat in one round, in the order rolled."""
    stream = _bytes_of(secret, f"{table_id}|{number}|{seat}", seeds, below=252)
    return tuple(next(stream) % 6 + 1 for _ in range(count))


def draw_opener(secret: bytes, *, table_id: str, seats: Sequence[int], seeds: Sequence[str]) -> int:
    """The seat that opens round 1 where it is drawn; `secret` is s[1]."""
    size = len(seats)
    stream = _bytes_of(secret, f"{table_id}|1|opener", seeds, below=size * (256 // size))
    return seats[next(stream) % size]


def check_seed(seed: str) -> str:
    """The seed itself, or `SeedRefused` where it may not be used."""
    if len(seed) > SEED_LIMIT:
        raise SeedRefused(f"A client seed has at most {SEED_LIMIT} characters.")
    if "|" in seed or "\0" in seed or any("\ud800" <= letter <= "\udfff" for letter in seed):
        raise SeedRefused("A client seed holds no |, no NUL and no lone surrogates.")
    return seed


def _bytes_of(secret: bytes, purpose: str, seeds: Sequence[str], *, below: int) -> Iterator[int]:
    """The stream of HMAC-SHA-256 blocks, without the bytes that would favour some results."""
    block = 0
    while True:
        message = "|".join([purpose, str(block), *seeds]).encode()
        digest = hmac.digest(secret, message, "sha256")
        yield from (byte for byte in digest if byte < below)
        block += 1
