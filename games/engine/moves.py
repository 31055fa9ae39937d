"""Bids and calls: what may be bid now, and how many dice a bid counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from games.engine.rules import Rules
from games.engine.words import face_words, number_words, quantity_words, sentence

CallType: TypeAlias = Literal["liar", "exact"]
Range: TypeAlias = tuple[int, int]
BidRanges: TypeAlias = Mapping[str, Range]
"""For every face that may be bid (`"1"` to `"6"`), or for `"total"`, the lowest and the highest bid."""


class IllegalMove(Exception):
    """A move that the rules refuse: a code, and a sentence that says what would be legal."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """A claim about all dice in play: a quantity of a face or, with sum bidding, a total."""

    quantity: int | None = None
    face: int | None = None
    total: int | None = None

    def document(self) -> dict[str, int]:
        """The bid as it is written in JSON."""
        if self.total is not None:
            return {"total": self.total}
        quantity, face = self.parts
        return {"quantity": quantity, "face": face}

    @property
    def parts(self) -> tuple[int, int]:
        """Quantity and face of a bid on a face."""
        if self.quantity is None or self.face is None:
            raise ValueError("a total has no face")
        return self.quantity, self.face

    def words(self) -> str:
        """The bid in plain words: `four fives`, `a total of 47`."""
        if self.total is not None:
            return f"a total of {self.total}"
        return quantity_words(*self.parts)


@dataclass(frozen=True, slots=True)
class Call:
    """The end of a round: `liar` (the bid is too high) or `exact` (it is exactly right)."""

    type: CallType


@dataclass(frozen=True, slots=True)
class NextRound:
    """The wish to go on after a reveal."""


Move: TypeAlias = Bid | Call | NextRound


def bid_from(document: Mapping[str, Any]) -> Bid:
    """Read a bid as `Bid.document` writes it."""
    return Bid(quantity=document.get("quantity"), face=document.get("face"), total=document.get("total"))


def legal_bids(rules: Rules, *, dice_in_play: int, palifico: bool, standing: Bid | None) -> BidRanges:
    """What may be bid now; it depends on public values only."""
    if rules.sums:
        lowest = 1 if standing is None or standing.total is None else standing.total + 1
        highest = 6 * dice_in_play
        return {"total": (lowest, highest)} if lowest <= highest else {}
    ranges: dict[str, Range] = {}
    for face in range(1, 7):
        lowest_quantity = lowest_of_face(rules, face, palifico=palifico, standing=standing)
        if lowest_quantity is not None and lowest_quantity <= dice_in_play:
            ranges[str(face)] = (lowest_quantity, dice_in_play)
    return ranges


def lowest_of_face(rules: Rules, face: int, *, palifico: bool, standing: Bid | None) -> int | None:
    """The lowest quantity of a face that outbids what stands, or None where it cannot be bid."""
    if standing is None:
        return 1 if palifico or _may_open_on(rules, face) else None
    quantity, standing_face = standing.parts
    if palifico:
        return quantity + 1 if face == standing_face else None
    if face == 1 and rules.ones == "wild":
        return None
    if rules.ones == "aces" and (face == 1) != (standing_face == 1):
        return (quantity + 1) // 2 if face == 1 else 2 * quantity + 1
    return quantity if face > standing_face else quantity + 1


def _may_open_on(rules: Rules, face: int) -> bool:
    if face != 1:
        return True
    return rules.ones in ("straight", "low") or rules.open_on_ones


def check_bid(rules: Rules, bid: Bid, *, dice_in_play: int, palifico: bool, standing: Bid | None) -> None:
    """Let a legal bid pass; raise `IllegalMove` for any other, with the remedy."""
    if (bid.total is not None) != rules.sums:
        kind = "a total of all pips" if rules.sums else "a quantity and a face"
        raise IllegalMove("wrong_kind", f"At this table a bid is {kind}.")
    ranges = legal_bids(rules, dice_in_play=dice_in_play, palifico=palifico, standing=standing)
    if bid.total is not None:
        _check_total(bid.total, ranges, standing)
        return
    quantity, face = bid.parts
    if not 1 <= face <= 6:
        raise IllegalMove("no_such_face", "A face is a whole number from 1 to 6.")
    lowest, highest = ranges.get(str(face), (0, -1))
    if not lowest <= quantity <= highest:
        raise _refused_quantity(rules, quantity, face, dice_in_play, palifico, standing)


def _check_total(total: int, ranges: BidRanges, standing: Bid | None) -> None:
    if "total" not in ranges:
        raise IllegalMove("no_raise_left", "No higher total is left: you can only call.")
    lowest, highest = ranges["total"]
    if total > highest:
        raise IllegalMove("too_high", f"All dice in play show {highest} at most.")
    if total < lowest:
        before = f"A total of {standing.total} stands already. " if standing else ""
        raise IllegalMove("not_a_raise", f"{before}Totals start at {lowest}.")


def _refused_quantity(
    rules: Rules, quantity: int, face: int, dice_in_play: int, palifico: bool, standing: Bid | None
) -> IllegalMove:
    """Why this many of this face may not be bid now, and what may."""
    lowest = lowest_of_face(rules, face, palifico=palifico, standing=standing)
    stands = f"{sentence(standing.words())} {_verb(standing)} already. " if standing else ""
    if lowest is None:
        return IllegalMove("face_not_allowed", f"{stands}{_why_no_face(rules, palifico, standing)}")
    if lowest > dice_in_play:
        return IllegalMove(
            "no_raise_left",
            f"{stands}{sentence(face_words(face))} would start at {number_words(lowest)}, "
            f"and {number_words(dice_in_play)} dice are in play.",
        )
    if quantity > dice_in_play:
        return IllegalMove("too_high", f"Only {number_words(dice_in_play)} dice are in play.")
    return IllegalMove(
        "not_a_raise", f"{stands}{sentence(face_words(face))} start at {number_words(lowest)}."
    )


def _why_no_face(rules: Rules, palifico: bool, standing: Bid | None) -> str:
    if palifico and standing is not None:
        quantity, face = standing.parts
        return (
            f"In a palifico round every raise keeps the face: {quantity_words(quantity + 1, face)} or more."
        )
    if rules.ones == "wild":
        return "Ones are wild and are never bid: bid on a face from 2 to 6."
    return "Nobody opens on ones at this table: open on a face from 2 to 6."


def _verb(bid: Bid) -> str:
    return "stands" if bid.total is not None or bid.quantity == 1 else "stand"


def count_matching(rules: Rules, bid: Bid, hands: Iterable[Sequence[int]], *, palifico: bool) -> int:
    """How many dice of these hands count for the bid (the pips of all of them for a total)."""
    if bid.total is not None:
        return sum(sum(hand) for hand in hands)
    _, face = bid.parts
    wild = rules.ones_are_wild and not palifico and face != 1
    return sum(1 for hand in hands for die in hand if die == face or (wild and die == 1))


def amount_of(bid: Bid) -> int:
    """What the count is compared with: the quantity, or the total."""
    return bid.total if bid.total is not None else bid.parts[0]


def suggest(ranges: BidRanges, hand: Sequence[int]) -> Bid | None:
    """The bid to preselect: of the faces that may be bid, the one this hand shows most, at its lowest.

    Of equals the one with the smaller lowest quantity, then the higher face. None where no raise is left.
    """
    if "total" in ranges:
        return Bid(total=ranges["total"][0])
    if not ranges:
        return None
    face = max(map(int, ranges), key=lambda face: (hand.count(face), -ranges[str(face)][0], face))
    return Bid(quantity=ranges[str(face)][0], face=face)
