"""A player who reads what everybody's bids give away and weighs the match, not only the round.

Of two seats it plays the equilibrium where its table is shipped. Elsewhere it looks one step ahead: what each
call brings, and, of each raise, what the next player makes of it. What is about as good, it mixes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from games.computers import endgame
from games.computers.endgame import Duel
from games.computers.reading import Beliefs, Table, at_least, support, together, unread
from games.computers.situation import Decision, Mix, Situation
from games.computers.worth import Outcomes
from games.engine.moves import Bid, Call, amount_of, count_matching, lowest_of_face

LIAR, EXACT = Call("liar"), Call("exact")

EVENNESS = 0.02
"""Moves are mixed by their worth; one that is worse by this share of a die is played 1/e times as often."""

FAR_WORSE = 0.1
"""A move that is worse than the best by this share of a die is not played at all."""

READERS = 0.2
"""The share of players who are taken to read what bids give away; the others only count the odds."""

COOLNESS = 0.12
"""How firmly the next player is taken to choose what is best for it, in dice."""

RETURN, LAPS = 0.5, 1.5
"""How often whoever bid and was raised loses the die of the round in the end: seldom where others must
call first, or where the raise is unlikely. Fitted to matches of Hard against itself and against others."""

LIKELIEST, LEAST_LIKELY = 0.98, 0.03
"""Raises that say nothing, or that nobody would believe, are left aside while there are others."""

WIDTH = 6
"""How many bids of each face, or sixth of the totals, are looked at."""


@dataclass(frozen=True, slots=True)
class Style:
    """Small leanings, in shares of a die, too small to make a player weak."""

    bold: float = 0.0  # towards raises that are less likely true
    suspicious: float = 0.0  # towards calling liar
    exacting: float = 0.0  # towards calling exact


PLAIN = Style()


def mix(situation: Situation, style: Style = PLAIN) -> Mix:
    """What Hard plays here, move by move with its chance."""
    return _by_heart(situation) or _Thought(situation, style).mix()


@dataclass(frozen=True, slots=True)
class Weighed:
    """A decision as Hard sees it, for who looks back at it."""

    mix: Mix  # what it plays
    by_heart: bool  # the mix is that of a shipped table, and not thought out
    worths: Mapping[Decision, float]  # the chance to win the match after each move, as far as one step tells


def weighed(situation: Situation, played: Decision) -> Weighed:
    """What Hard plays here, and what it thinks of each move worth a thought and of the one played."""
    thought = _Thought(situation, PLAIN)
    worths = thought.worths()
    known = _by_heart(situation)
    mix = known or thought.mix(worths)
    for move in (*mix, played):
        if move not in worths:
            worths[move] = thought.worth_of(move)
    return Weighed(mix=mix, by_heart=known is not None, worths=worths)


def _by_heart(situation: Situation) -> Mix | None:
    """The equilibrium of two seats, where its table is shipped."""
    if situation.rivals != 1 or situation.palifico:
        return None
    (theirs,) = (held for seat, held in situation.dice.items() if seat != situation.seat)
    bids = tuple(bid for _, bid in situation.bids)
    return endgame.mix(Duel(rules=situation.rules, hand=situation.hand, theirs=theirs, bids=bids))


class _Thought:
    """One decision, thought through."""

    def __init__(self, situation: Situation, style: Style) -> None:
        self.situation = situation
        self.style = style
        self.beliefs = Beliefs(situation)
        self.table = Table(situation.rules, situation.dice_in_play, situation.palifico)
        self.outcomes = Outcomes(situation)
        self.lose = self.outcomes.loses(situation.seat)
        self.spared = self.outcomes.others_lose()
        self.die = max(self.spared - self.lose, 1e-6)
        self._views: dict[int, _Face] = {}

    def worths(self) -> dict[Decision, float]:
        """Every move that is worth a thought."""
        worths = dict(self._calls())
        worths.update((bid, self._worth_of(bid)) for bid in self._raises())
        return worths

    def worth_of(self, move: Decision) -> float:
        """Any other move: also the call of a bid that the own dice prove."""
        if isinstance(move, Bid):
            return self._worth_of(move)
        return self.lose if move == LIAR else dict(self._calls())[move]

    def mix(self, worths: Mapping[Decision, float] | None = None) -> Mix:
        worths = worths or self.worths()
        best = max(worths.values())
        weights = {
            move: exp((worth - best) / (EVENNESS * self.die))
            for move, worth in worths.items()
            if worth >= best - FAR_WORSE * self.die
        }
        whole = sum(weights.values())
        return {move: weight / whole for move, weight in weights.items()}

    def face(self, face: int) -> "_Face":
        """What is thought of the dice that match a bid on this face (0: of all pips)."""
        if face not in self._views:
            self._views[face] = _Face(self.situation, self.beliefs, self.table, face)
        return self._views[face]

    def _calls(self) -> Iterator[tuple[Decision, float]]:
        situation = self.situation
        if situation.standing is None:
            return
        bidder, bid = situation.bids[-1]
        counts = self.face(bid.face or 0)
        true = counts.chance(amount_of(bid))
        exactly = true - counts.chance(amount_of(bid) + 1)
        if true < 1 - 1e-9 or not (situation.ranges or situation.may_call_exact):
            worth = (1 - true) * self.outcomes.loses(bidder) + true * self.lose
            yield LIAR, worth + self.style.suspicious * self.die
        if situation.may_call_exact:
            worth = exactly * self.outcomes.hits(situation.seat) + (1 - exactly) * self.lose
            yield EXACT, worth + self.style.exacting * self.die

    def _raises(self) -> list[Bid]:
        """The raises worth a thought: of each face (or of the totals), some from the lowest on."""
        found: list[Bid] = []
        for key, (lowest, highest) in self.situation.ranges.items():
            face = 0 if key == "total" else int(key)
            counts = self.face(face)
            amounts = [
                lowest,
                *(a for a in range(lowest + 1, highest + 1) if counts.chance(a) > LEAST_LIKELY),
            ]
            telling = [amount for amount in amounts if counts.chance(amount) < LIKELIEST] or amounts[-1:]
            step = 1 if face else max(1, len(telling) // (2 * WIDTH))
            chosen = telling[: WIDTH if face else None : step]
            found += (Bid(total=a) if face == 0 else Bid(quantity=a, face=face) for a in chosen)
        return found

    def _worth_of(self, bid: Bid) -> float:
        """What becomes of this raise: the next player calls it, one way or the other, or goes on."""
        face = bid.face or 0
        amount = amount_of(bid)
        view = self.face(face)
        answers = _Answers(self, bid)
        next_seat = self.situation.next_seat
        next_loses = self.outcomes.loses(next_seat)
        next_hits = self.outcomes.hits(next_seat) if self.situation.rules.exact != "off" else 0.0
        worth = 0.0
        for held, chance in enumerate(view.next_counts):
            if chance < 1e-6:
                continue
            true = view.chance_with(amount, held)
            exactly = true - view.chance_with(amount + 1, held)
            liar, exact, raised, raise_true = answers.of(held)
            worth += chance * liar * (true * next_loses + (1 - true) * self.lose)
            if exact:
                worth += chance * exact * (exactly * next_hits + (1 - exactly) * next_loses)
            if raised:
                worth += chance * raised * self._worth_after_raise(raise_true)
        return worth + self.style.bold * self.die * (1 - view.chance(amount))

    def _worth_after_raise(self, raise_true: float) -> float:
        """The next player raised: somebody loses a die, and sometimes it is me, when the turn comes round."""
        risk: float = RETURN * raise_true ** (LAPS * self.situation.rivals)
        return risk * self.lose + (1 - risk) * self.spared


class _Face:
    """What the seat that decides thinks of the dice that match one face."""

    def __init__(self, situation: Situation, beliefs: Beliefs, table: Table, face: int) -> None:
        self._situation, self._table, self._face = situation, table, face
        next_seat, me = situation.next_seat, situation.seat
        self.held = _held(situation, face)
        self.next_counts = beliefs.of(next_seat, face)
        self.my_counts = beliefs.of(me, face)
        rest = [beliefs.of(seat, face) for seat in situation.dice if seat not in (me, next_seat)]
        self.rest = together(rest)
        self.rest_tails = at_least(self.rest)
        self._hidden_tails = at_least(together([self.rest, self.next_counts]))
        self._public_tails: list[float] | None = None
        self._unread_tails: list[float] | None = None

    def chance(self, amount: int) -> float:
        """The chance that there are so many, seen with my hand."""
        return _tail(self._hidden_tails, amount - self.held)

    def chance_with(self, amount: int, held: int) -> float:
        """The same, if the next player holds so many."""
        return _tail(self.rest_tails, amount - self.held - held)

    def unread_tails(self) -> Sequence[float]:
        """What the dice that the next player does not see may hold, for one who only counts the odds."""
        if self._unread_tails is None:
            situation = self._situation
            hidden = situation.dice_in_play - situation.dice[situation.next_seat]
            self._unread_tails = at_least(unread(self._table, hidden, self._face))
        return self._unread_tails

    def public_chance(self, amount: int) -> float:
        """The same, for who sees the bids alone."""
        if self._public_tails is None:
            self._public_tails = at_least(together([self.rest, self.next_counts, self.my_counts]))
        return _tail(self._public_tails, amount)


class _Answers:
    """How the next player is taken to answer a bid: some read what bids say, others only count the odds."""

    def __init__(self, thought: _Thought, bid: Bid) -> None:
        situation = thought.situation
        self._exact = situation.rules.exact
        self._rivals = situation.rivals
        face = bid.face or 0
        self._amount = amount_of(bid)
        view = thought.face(face)
        said = support(thought.table, len(situation.hand), bid)
        mine = [chance * weight for chance, weight in zip(view.my_counts, said, strict=True)]
        whole = sum(mine)
        reads = at_least(together([[chance / whole for chance in mine], view.rest]))
        self._tails = [(READERS, reads), (1 - READERS, view.unread_tails())]
        self._elsewhere = _best_elsewhere(thought, bid)
        self._calls = 1 - thought.beliefs.never_calls(situation.next_seat)
        self._no_raise = self._amount >= _most(situation, face) and self._elsewhere < 0

    def of(self, held: int) -> tuple[float, float, float, float]:
        """The chances of liar, exact and a raise, if they hold so many; and that the raise is true."""
        liar = exact = raised = raise_true = 0.0
        for share, tails in self._tails:
            weights, chance = self._weights(tails, held)
            whole = sum(weights)
            liar += share * weights[0] / whole
            exact += share * weights[1] / whole
            raised += share * weights[2] / whole
            raise_true += share * chance
        if not self._no_raise:
            liar, exact = liar * self._calls, exact * self._calls
            raised = 1 - liar - exact
        return liar, exact, raised, raise_true

    def _weights(self, tails: Sequence[float], held: int) -> tuple[list[float], float]:
        true = _tail(tails, self._amount - held)
        one_more = _tail(tails, self._amount + 1 - held)
        best_raise = max(one_more, self._elsewhere)
        share = 1 / self._rivals
        liar = (1 - true) * share - true
        raised = (1 - best_raise) * (best_raise * share - (1 - best_raise))
        top = max(liar, raised)
        weights = [
            exp((liar - top) / COOLNESS),
            0.0,
            0.0 if self._no_raise else exp((raised - top) / COOLNESS),
        ]
        if self._exact != "off":
            exactly = true - one_more
            weights[1] = exp(min(0.0, 2 * exactly - 1 - top) / COOLNESS)
        return weights, best_raise


def _best_elsewhere(thought: _Thought, bid: Bid) -> float:
    """The chance of the likeliest raise on another face, for a hand a little better than most."""
    if bid.total is not None or thought.situation.palifico:
        return -1.0
    best = -1.0
    most = thought.situation.dice_in_play
    for face in range(1, 7):
        if face == bid.face:
            continue
        lowest = lowest_of_face(thought.situation.rules, face, palifico=False, standing=bid)
        if lowest is not None and lowest <= most:
            view = thought.face(face)
            best = max(best, (view.public_chance(lowest - 1) + view.public_chance(lowest)) / 2)
    return best


def _most(situation: Situation, face: int) -> int:
    return situation.dice_in_play * (1 if face else 6)


def _held(situation: Situation, face: int) -> int:
    bid = Bid(quantity=1, face=face) if face else Bid(total=1)
    return count_matching(situation.rules, bid, [situation.hand], palifico=situation.palifico)


def _tail(tails: Sequence[float], amount: int) -> float:
    if amount <= 0:
        return 1.0
    return tails[amount] if amount < len(tails) else 0.0
