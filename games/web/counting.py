"""What counts for a bid, as every sum of a reveal shows it: hands in order, dice numbered, and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.engine.moves import Bid, amount_of, count_matching
from games.engine.rules import Rules
from games.engine.words import face_words, number_words

Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A die of a sum: its face, or None under a cup; `count` is its number among those that count."""

    face: int | None
    wild: bool = False
    count: int | None = None


class Counting:
    """Numbers the dice that count for a bid, one hand after another."""

    def __init__(self, rules: Rules, bid: Bid, *, palifico: bool) -> None:
        self.wild = rules.ones_are_wild and not palifico
        self._rules, self._bid, self._palifico = rules, bid, palifico
        self._so_far = 0

    def worth(self, hand: Sequence[int]) -> int:
        """How much of the bid this hand holds."""
        return count_matching(self._rules, self._bid, [hand], palifico=self._palifico)

    def dice(self, hand: Sequence[int]) -> list[Die]:
        """The dice of the next hand."""
        dice = []
        for face in hand:
            worth = self.worth([face])
            self._so_far += worth
            dice.append(Die(face=face, wild=self.wild and face == 1, count=self._so_far if worth else None))
        return dice

    @property
    def words(self) -> str:
        """What is counted: `all pips`, or `fives, with wild ones`."""
        if self._bid.face is None:
            return "all pips"
        return (
            f"{face_words(self._bid.face)}{', with wild ones' if self.wild and self._bid.face != 1 else ''}"
        )


def counted_in(bid: Bid) -> str:
    """The unit of a bid: `pips`, or `fives`."""
    return "pips" if bid.face is None else face_words(bid.face)


def amount_words(bid: Bid) -> str:
    """How much a bid says: a number of dice in words, a total in figures."""
    return number_words(amount_of(bid)) if bid.total is None else str(bid.total)


def needed_words(bid: Bid, call: Document) -> str:
    """What the count of a bid that was called is held against."""
    return f"there had to be {'exactly ' if call['type'] == 'exact' else ''}{amount_words(bid)}"


def seats_from(reveal: Document, first: int) -> list[int]:
    """The seats that were in, from this one of them clockwise."""
    seats = sorted(int(seat) for seat in reveal["hands"])
    return [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
