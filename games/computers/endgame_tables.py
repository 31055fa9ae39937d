"""The shipped tables of two-player endgames: how they are written, and one table read into little memory.

A table holds the play of both sides in one kind of round. A side remembers the last few bids: its state is
the rung that stands and the context, the rungs bid shortly before. For each state and hand a table lists the
moves that are played at all, with their shares of `WHOLE`; where the side's own play never leads, nothing.
"""

import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations
from pathlib import Path
from typing import TypeAlias

WHOLE = 4000
"""What the shares of one mix add up to."""

FOLDER = Path(__file__).with_name("tables")

OPENING = -1
"""What stands before the first bid."""

Context: TypeAlias = tuple[int, ...]
Mix: TypeAlias = Sequence[tuple[int, int]]
"""Moves with their shares of WHOLE: first the raises, counted from the next rung on, then the calls."""

_MAGIC = b"LBE1"
_HEAD = struct.Struct("<4sBBHH")  # magic, bids remembered, rungs, hands of the opener and of the other
_SIZES = struct.Struct("<III")  # of one side: counts, moves, shares


@cache
def contexts(rungs: int, memory: int) -> tuple[Context, ...]:
    """What can be remembered besides the rung that stands; what lies below any rung comes first."""
    sets = [chosen for size in range(memory) for chosen in combinations(range(rungs), size)]
    return tuple(sorted(sets, key=lambda chosen: (chosen[-1] if chosen else -1, len(chosen), chosen)))


@cache
def contexts_below(rungs: int, memory: int) -> tuple[int, ...]:
    """For each rung, how many contexts are of lower rungs only."""
    highest = [chosen[-1] if chosen else -1 for chosen in contexts(rungs, memory)]
    return tuple(sum(1 for high in highest if high < rung) for rung in range(rungs))


@cache
def _numbering(rungs: int, memory: int) -> tuple[Mapping[Context, int], tuple[int, ...]]:
    """The number of each context, and the number of the first state of each rung; the opening is state 0."""
    numbers = {chosen: number for number, chosen in enumerate(contexts(rungs, memory))}
    return numbers, tuple(accumulate(contexts_below(rungs, memory), initial=1))


@dataclass(frozen=True, slots=True)
class Side:
    """The play of one side; the mixes lie one after the other, state by state and hand by hand."""

    hands: int
    ends: "array[int]"
    moves: bytes
    shares: "array[int]"

    def mix(self, state: int, hand: int) -> list[tuple[int, int]]:
        """The moves of this hand; none where its own play never leads."""
        place = state * self.hands + hand
        begin, end = self.ends[place], self.ends[place + 1]
        return list(zip(self.moves[begin:end], self.shares[begin:end], strict=True))


@dataclass(frozen=True, slots=True)
class Table:
    """The play of both sides in a round of so many rungs."""

    memory: int
    rungs: int
    sides: tuple[Side, Side]

    def mix(self, side: int, bids: Sequence[int], hand: int) -> list[tuple[int, int]]:
        """What a side plays with its hand (by number) after these rungs, oldest first."""
        return self.sides[side].mix(self.state(bids), hand)

    def state(self, bids: Sequence[int]) -> int:
        """The number of the state that these rungs lead to, oldest first."""
        if not bids:
            return 0
        numbers, first = _numbering(self.rungs, self.memory)
        return first[bids[-1]] + numbers[tuple(bids[-self.memory : -1])]


def read_table(data: bytes) -> Table:
    """A table as `write_table` wrote it."""
    magic, memory, rungs, *hands = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("this is no table of an endgame")
    body = zlib.decompress(data[_HEAD.size :])
    sides, place = [], 0
    for number in hands:
        counts, moves, shares = _parts(body, place)
        place += _SIZES.size + len(counts) + len(moves) + len(shares)
        sides.append(Side(number, array("I", accumulate(counts, initial=0)), moves, _numbers_from(shares)))
    return Table(memory, rungs, (sides[0], sides[1]))


def _parts(body: bytes, place: int) -> Iterator[bytes]:
    sizes = _SIZES.unpack_from(body, place)
    place += _SIZES.size
    for size in sizes:
        yield body[place : place + size]
        place += size


def write_table(memory: int, rungs: int, sides: Sequence[tuple[int, Sequence[Mix]]]) -> bytes:
    """A table as bytes, from the number of hands of each side and its mixes in their order."""
    body = bytearray()
    for _, mixes in sides:
        counts = bytes(len(mix) for mix in mixes)
        moves = bytes(move for mix in mixes for move, _ in mix)
        shares = _bytes_of(array("H", (share for mix in mixes for _, share in mix)))
        body += _SIZES.pack(len(counts), len(moves), len(shares)) + counts + moves + shares
    head = _HEAD.pack(_MAGIC, memory, rungs, *(hands for hands, _ in sides))
    return head + zlib.compress(bytes(body), 9)


def _bytes_of(numbers: "array[int]") -> bytes:
    """All low bytes, then all high bytes, as like packs well with like."""
    return bytes(number & 255 for number in numbers) + bytes(number >> 8 for number in numbers)


def _numbers_from(data: bytes) -> "array[int]":
    half = len(data) // 2
    return array("H", (low | high << 8 for low, high in zip(data[:half], data[half:], strict=True)))
