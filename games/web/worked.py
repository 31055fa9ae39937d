"""Worked examples: what they consist of, and how a page tells them, in the words of the table itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from games.computers.odds import BidOdds, odds_of_bid
from games.engine.moves import Bid, IllegalMove, amount_of, check_bid, count_matching, legal_bids
from games.engine.rules import Rules, rules_from
from games.engine.words import face_words, number_words, quantity_words, sentence
from games.web import odds
from games.web.words import bid_sentence, ordinal_words, reveal_sentence

NAMES = ("Alice", "Bob", "Carol", "Dave")
Seat: TypeAlias = int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a call brings, as it is written down; a test holds it against the engine."""

    count: int
    right: bool
    left: int  # dice in play afterwards
    opens: Seat
    changes: Mapping[Seat, int] = field(default_factory=dict)
    places: Mapping[Seat, int] = field(default_factory=dict)  # of those who are out
    palifico: bool = False  # the next round is a palifico round
    waiting: tuple[Seat, ...] = ()  # who opens a palifico round after that


@dataclass(frozen=True, kw_only=True)
class Round:
    """A whole round: hands, bids, a call, and what comes of it."""

    key: str
    title: str
    options: Mapping[str, Any] = field(default_factory=dict)  # over those of a standard table
    hands: tuple[str, ...]  # the dice of each seat; empty where a seat is out
    bids: tuple[tuple[Seat, Bid], ...]
    call: tuple[Seat, str]
    palifico: bool = False
    outcome: Outcome

    @cached_property
    def rules(self) -> Rules:
        return rules_from("standard", self.options)

    @property
    def wild(self) -> bool:
        """Is a one sealed here, because it counts for others?"""
        return self.rules.ones_are_wild and not self.palifico

    def dice(self) -> dict[Seat, tuple[int, ...]]:
        """The hands of those still in, by seat."""
        return {seat: tuple(map(int, hand)) for seat, hand in enumerate(self.hands) if hand}

    def told(self) -> dict[str, Any]:
        """What a page shows of it."""
        last = self.bids[-1][1]
        return {
            "key": self.key,
            "title": self.title,
            "wild": self.wild,
            "sums": last.total is not None,
            "story": self.story(),
            "rows": self._rows(last),
            "counted": self._counted(last),
            "count": self.outcome.count,
            "verdict": self.verdict(),
        }

    def story(self) -> list[str]:
        """The bids and the call, a sentence each."""
        placed = [{"seat": seat, **bid.document()} for seat, bid in self.bids]
        before: list[Mapping[str, Any] | None] = [None, *placed]
        names = dict(enumerate(NAMES))
        told = [bid_sentence(bid, last, names, None) for bid, last in zip(placed, before, strict=False)]
        if self.palifico:
            told[0] = f"{told[0].removesuffix('.')}, in a palifico round."
        return told

    def verdict(self) -> list[str]:
        """What the call brought, a sentence or two each."""
        outcome = self.outcome
        told = [
            reveal_sentence(self.reveal(), dict(enumerate(NAMES)), None, rules=self.rules.document()),
            f"That leaves {number_words(outcome.left)} dice in play.",
        ]
        if outcome.places:
            told.append(_places(outcome.places))
        told += [f"{NAMES[seat]} opens a palifico round after that." for seat in outcome.waiting]
        return told

    def reveal(self) -> dict[str, Any]:
        """The outcome as a reveal says it."""
        seat, bid = self.bids[-1]
        outcome = self.outcome
        return {
            "number": 1,
            "palifico": self.palifico,
            "call": {"seat": self.call[0], "type": self.call[1]},
            "bid": {"seat": seat, **bid.document()},
            "count": outcome.count,
            "right": outcome.right,
            "hands": {str(seat): list(hand) for seat, hand in self.dice().items()},
            "changes": {str(seat): change for seat, change in outcome.changes.items()},
            "out": sorted(outcome.places),
            "next_opener": outcome.opens,
            "next_palifico": outcome.palifico,
        }

    def _rows(self, bid: Bid) -> list[dict[str, Any]]:
        """A row for each hand; the dice that count are numbered through, as at a reveal."""
        rows, so_far = [], 0
        for seat, hand in self.dice().items():
            dice = []
            for face in hand:
                matches = bid.total is None and self._matches(bid, [face])
                so_far += matches
                number = so_far if matches else None
                dice.append({"face": face, "number": number, "label": self._label(face, number)})
            rows.append({"name": NAMES[seat], "dice": dice, "count": self._matches(bid, hand)})
        return rows

    def _label(self, face: int, number: int | None) -> str:
        """A die as it is read out: `one, wild, counted`."""
        words = [face_words(face, 1)]
        if face == 1 and self.wild:
            words.append("wild")
        if number is not None:
            words.append("counted")
        return ", ".join(words)

    def _matches(self, bid: Bid, hand: Sequence[int]) -> int:
        return count_matching(self.rules, bid, [hand], palifico=self.palifico)

    def _counted(self, bid: Bid) -> str:
        """What the total is made of: `Four twos and two wild ones`."""
        if bid.total is not None:
            return "All pips"
        _, face = bid.parts
        dice = [die for hand in self.dice().values() for die in hand]
        plain, wild = dice.count(face), dice.count(1) if self.wild and face != 1 else 0
        words = quantity_words(plain, face) if plain else f"no {face_words(face)}"
        if wild:
            words += f" and {number_words(wild)} wild {face_words(1, wild)}"
        return sentence(words)


@dataclass(frozen=True, kw_only=True)
class Raises:
    """What may follow a bid, and what may not; `stands` is None where nobody has bid."""

    key: str
    title: str
    options: Mapping[str, Any] = field(default_factory=dict)
    dice_in_play: int
    palifico: bool = False
    stands: Bid | None
    allowed: tuple[Bid, ...] = ()
    refused: tuple[Bid, ...] = ()
    none_left: bool = False  # no raise is left: only a call

    @cached_property
    def rules(self) -> Rules:
        return rules_from("standard", self.options)

    def told(self) -> dict[str, Any]:
        """What a page shows of it; the answers to refused bids are those of the table."""
        return {
            "key": self.key,
            "title": self.title,
            "wild": self.rules.ones_are_wild and not self.palifico,
            "stands": self.stands and _bid(self.stands),
            "dice_in_play": self.dice_in_play,
            "rows": [
                *({**_bid(bid), "allowed": True, "answer": self._allowed(bid)} for bid in self.allowed),
                *({**_bid(bid), "allowed": False, "answer": self._refused(bid)} for bid in self.refused),
            ],
            "none_left": self.none_left,
        }

    def _allowed(self, bid: Bid) -> str:
        ranges = legal_bids(
            self.rules, dice_in_play=self.dice_in_play, palifico=self.palifico, standing=self.stands
        )
        lowest, _ = ranges["total" if bid.face is None else str(bid.face)]
        if self.stands is None:
            return "May open the round."
        named = "totals" if bid.face is None else face_words(bid.face)
        if amount_of(bid) == lowest:
            return f"The lowest raise in {named}."
        return f"{sentence(named)} start at {lowest if bid.face is None else number_words(lowest)}."

    def _refused(self, bid: Bid) -> str:
        try:
            check_bid(
                self.rules,
                bid,
                dice_in_play=self.dice_in_play,
                palifico=self.palifico,
                standing=self.stands,
            )
        except IllegalMove as refused:
            return refused.message
        raise ValueError(f"{bid.words()} is allowed after all")


@dataclass(frozen=True, kw_only=True)
class Weighing:
    """A hand, and how likely it makes some bids."""

    key: str
    title: str
    options: Mapping[str, Any] = field(default_factory=dict)
    hand: str
    dice_in_play: int
    palifico: bool = False
    bids: tuple[Bid, ...]

    @cached_property
    def rules(self) -> Rules:
        return rules_from("standard", self.options)

    def told(self) -> dict[str, Any]:
        """What a page shows of it: the helper's own figures and words."""
        return {
            "key": self.key,
            "title": self.title,
            "wild": self.rules.ones_are_wild and not self.palifico,
            "hand": self._held(),
            "dice_in_play": self.dice_in_play,
            "outlook": self._outlook() if self._comparable else "",
            "rows": [{**_bid(bid), **self._row(bid)} for bid in self.bids],
        }

    @property
    def _comparable(self) -> bool:
        """Are there several bids, all on one face or all totals?"""
        return len(self.bids) > 1 and len({bid.face for bid in self.bids}) == 1

    def _outlook(self) -> str:
        return odds.outlook_words(self.bids[0], self._weighed(self.bids[0]))

    def _held(self) -> list[dict[str, Any]]:
        """My dice; those that count are marked where all the bids are on one face."""
        bid = self.bids[0]
        marked = bid.face is not None and len({bid.face for bid in self.bids}) == 1
        return [{"face": int(die), "counts": marked and self._counts(bid, int(die))} for die in self.hand]

    def _counts(self, bid: Bid, die: int) -> bool:
        return count_matching(self.rules, bid, [[die]], palifico=self.palifico) > 0

    def _row(self, bid: Bid) -> dict[str, Any]:
        found = self._weighed(bid)
        shown = odds.shown(bid, found)
        return {**shown, "answer": odds.need_words(bid, found) if self._comparable else shown["words"]}

    def _weighed(self, bid: Bid) -> BidOdds:
        return odds_of_bid(
            self.rules,
            bid,
            hand=tuple(map(int, self.hand)),
            dice_in_play=self.dice_in_play,
            palifico=self.palifico,
        )


Example: TypeAlias = Round | Raises | Weighing


def _bid(bid: Bid) -> dict[str, Any]:
    return {**bid.document(), "bid_words": bid.words()}


def _places(places: Mapping[Seat, int]) -> str:
    """`Bob and Dave are both third.`"""
    names = " and ".join(NAMES[seat] for seat in sorted(places))
    place = ordinal_words(next(iter(places.values())))
    return f"{names} are both {place}." if len(places) > 1 else f"{names} is {place}."
