"""The best opponent of a level, found by asking `strategy` and nothing else: every rule is written anew here.

For each history the opponent knows how likely each hand of the level still is, and plays what is best for
each hand of its own. Where the level's play never leads there is nothing to win, and the search ends.
"""

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial

from games.computers import strategy

Options = dict[str, object]
Bid = tuple[int, int | None]
Hand = tuple[int, ...]
Chances = dict[Hand, float]


def chances_of_hands(dice: int) -> Chances:
    """Every hand of so many dice with its chance."""
    chances = {}
    for hand in combinations_with_replacement((1, 2, 3, 4, 5, 6), dice):
        ways = factorial(dice)
        for times in Counter(hand).values():
            ways //= factorial(times)
        chances[hand] = ways / 6**dice
    return chances


def raises(options: Options, dice: int, standing: Bid | None) -> list[Bid]:
    """Every bid that the rules allow now."""
    if options.get("bidding") == "sum":
        return [(total, None) for total in range(1 + (standing[0] if standing else 0), 6 * dice + 1)]
    bids = [(quantity, face) for quantity in range(1, dice + 1) for face in range(1, 7)]
    return [bid for bid in bids if _allowed(options, standing, bid)]


def _allowed(options: Options, standing: Bid | None, bid: tuple[int, int]) -> bool:
    ones, (quantity, face) = options["ones"], bid
    if face == 1 and ones == "wild":
        return False
    if standing is None:
        return face != 1 or ones != "aces" or bool(options.get("open_on_ones"))
    before, face_before = standing
    assert face_before is not None
    if ones == "aces" and face == 1 and face_before != 1:
        return 2 * quantity >= before
    if ones == "aces" and face != 1 and face_before == 1:
        return quantity > 2 * before
    return quantity > before or (quantity == before and face > face_before)


class BestOpponent:
    """Plays a round of ±1 against a level, as well as can be."""

    def __init__(self, options: Options, *, mine: int, theirs: int, level: str = "hard") -> None:
        self.options, self.level = options, level
        self.my_hands, self.their_hands = chances_of_hands(mine), chances_of_hands(theirs)
        self.dice = mine + theirs
        self.asked = 0
        self._counts: dict[tuple[Hand, int | None], int] = {}

    def worth(self, *, i_open: bool) -> float:
        """What the round is worth to the opponent."""
        worths = self._after((), dict(self.their_hands), mine=i_open)
        return sum(worths[hand] * chance for hand, chance in self.my_hands.items())

    def _after(self, bids: tuple[Bid, ...], theirs: Chances, *, mine: bool) -> Chances:
        if not theirs:
            return dict.fromkeys(self.my_hands, 0.0)
        return self._best(bids, theirs) if mine else self._expected(bids, theirs)

    def _best(self, bids: tuple[Bid, ...], theirs: Chances) -> Chances:
        standing = bids[-1] if bids else None
        choices = [
            self._after((*bids, bid), theirs, mine=False) for bid in raises(self.options, self.dice, standing)
        ]
        if standing:
            choices.append({hand: self._liar(hand, theirs, standing) for hand in self.my_hands})
            if self.options["exact"] != "off":
                choices.append({hand: self._exact(hand, theirs, standing) for hand in self.my_hands})
        return {hand: max(choice[hand] for choice in choices) for hand in self.my_hands}

    def _expected(self, bids: tuple[Bid, ...], theirs: Chances) -> Chances:
        after: dict[object, Chances] = {}
        for hand, chance in theirs.items():
            self.asked += 1
            opener = len(bids) % 2 == 0
            for move, share in self._strategy(hand, bids, opener).items():
                if share > 0:
                    after.setdefault(move, {})[hand] = chance * share
        worths = dict.fromkeys(self.my_hands, 0.0)
        for move, reached in after.items():
            for hand, worth in self._move_of_theirs(bids, move, reached).items():
                worths[hand] += worth
        return worths

    def _strategy(self, hand: Hand, bids: tuple[Bid, ...], opener: bool) -> dict[object, float]:
        mine = len(next(iter(self.my_hands)))
        return dict(strategy(self.level, self.options, hand, mine, bids, opener))

    def _move_of_theirs(self, bids: tuple[Bid, ...], move: object, reached: Chances) -> Chances:
        if move == "liar":
            return {hand: -self._liar(hand, reached, bids[-1]) for hand in self.my_hands}
        if move == "exact":
            return {hand: -self._exact(hand, reached, bids[-1]) for hand in self.my_hands}
        assert isinstance(move, tuple)
        bid = (move[1], move[2])
        assert bid in raises(self.options, self.dice, bids[-1] if bids else None)
        return self._after((*bids, bid), reached, mine=True)

    def _liar(self, hand: Hand, theirs: Chances, bid: Bid) -> float:
        """What a call of liar brings the caller, weighted with the chances."""
        missing = bid[0] - self._count(hand, bid[1])
        return sum(
            chance if self._count(other, bid[1]) < missing else -chance for other, chance in theirs.items()
        )

    def _exact(self, hand: Hand, theirs: Chances, bid: Bid) -> float:
        missing = bid[0] - self._count(hand, bid[1])
        return sum(
            chance if self._count(other, bid[1]) == missing else -chance for other, chance in theirs.items()
        )

    def _count(self, hand: Hand, face: int | None) -> int:
        """The dice of a hand that match a face, or with sum bidding the pips of all."""
        if face is None:
            return sum(hand)
        known = self._counts.get((hand, face))
        if known is None:
            wild = self.options["ones"] != "straight" and face != 1
            known = sum(1 for die in hand if die == face or (wild and die == 1))
            self._counts[hand, face] = known
        return known


def exploitable_by(options: Options, *, opener: int, other: int, level: str = "hard") -> float:
    """How much the best opponents win on average of both seats, a die being worth ±1."""
    opening = BestOpponent(options, mine=opener, theirs=other, level=level).worth(i_open=True)
    answering = BestOpponent(options, mine=other, theirs=opener, level=level).worth(i_open=False)
    return (opening + answering) / 2
