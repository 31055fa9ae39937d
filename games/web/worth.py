"""What a past step was worth, in words: what was held and needed, what bids gave away, what Hard would do."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from games.computers.odds import BidOdds, odds_of_bid
from games.engine.moves import Bid, amount_of, bid_from
from games.engine.rules import Rules, rules_of
from games.engine.words import face_words, number_words, sentence
from games.web.odds import figure
from games.web.words import Names

Document: TypeAlias = Mapping[str, Any]

TELLING = 0.05
"""What the bids gave away is told where it changes the chance by so much."""

DEAR = 0.01
"""A cost is told from here on."""

SAME, NEVER, ALONE = 0.95, 0.05, 0.75

_TIMES = (
    (1 / 10, "one time in ten"),
    (1 / 5, "one time in five"),
    (1 / 4, "one time in four"),
    (1 / 3, "one time in three"),
    (2 / 5, "two times in five"),
    (1 / 2, "every other time"),
    (3 / 5, "three times in five"),
    (2 / 3, "two times in three"),
    (3 / 4, "three times in four"),
    (4 / 5, "four times in five"),
    (9 / 10, "nine times in ten"),
)


def worth_words(
    table: Document, reveal: Document, decision: Document, names: Names, you: int | None
) -> dict[str, Any]:
    """What `games/_worth.html` shows of a decision, from the chair of who took it."""
    seat, exact = decision["seat"], decision["move"].get("call") == "exact"
    bid = _bid_of(reveal, decision["move"])
    chance = decision["exactly"] if exact else decision["true"]
    odds = BidOdds(
        held=decision["held"],
        hidden=decision["hidden"],
        needed=decision["needed"],
        expected=decision["expected"],
        chance=decision["true"],
    )
    told = [_held_words(table, reveal, bid, seat, odds, names, you, exact=exact)]
    told += [_told_words(decision, exact=exact), _hard_words(decision), _cost_words(decision, names, you)]
    return _shown(chance, _likely(bid, seat, names, you, exact=exact), " ".join(filter(None, told)))


def chair_words(
    table: Document, reveal: Document, bid: Document, chair: int, names: Names, you: int | None
) -> dict[str, Any]:
    """The same of somebody else's bid, from a chair that looked on."""
    odds = odds_of_bid(
        rules_of(table),
        bid_from(bid),
        hand=reveal["hands"][str(chair)],
        dice_in_play=sum(map(len, reveal["hands"].values())),
        palifico=reveal["palifico"],
    )
    words = _held_words(table, reveal, bid_from(bid), chair, odds, names, you)
    return _shown(odds.chance, _likely(bid_from(bid), chair, names, you, exact=False), words)


def _shown(chance: float, likely: str, words: str) -> dict[str, Any]:
    return {"figure": figure(chance), "percent": round(100 * chance, 1), "likely": likely, "words": words}


def _bid_of(reveal: Document, move: Document) -> Bid:
    return bid_from(reveal["bid"] if "call" in move else move)


def _likely(bid: Bid, seat: int, names: Names, you: int | None, *, exact: bool) -> str:
    chair = "your chair" if seat == you else f"{names[seat]}’s chair"
    return f"likely to be {'exactly right' if exact else 'true'}, from {chair}"


def _held_words(
    table: Document,
    reveal: Document,
    bid: Bid,
    seat: int,
    odds: BidOdds,
    names: Names,
    you: int | None,
    *,
    exact: bool = False,
) -> str:
    """What the chair held of this bid, and what had to lie under the other cups."""
    hand = reveal["hands"][str(seat)]
    if bid.total is not None:
        whose = "Your" if seat == you else f"{names[seat]}’s"
        held, rest = f"{whose} dice came to {odds.held}", _rest_of_total(odds)
    else:
        who = "You" if seat == you else names[seat]
        held = f"{who} held {_holding(rules_of(table), bid, hand, palifico=reveal['palifico'])}"
        rest = _rest(odds)
    return f"{held}{_rest_exactly(amount_of(bid) - odds.held, odds) if exact else rest}"


def _holding(rules: Rules, bid: Bid, hand: Sequence[int], *, palifico: bool) -> str:
    """`a four and a wild one`, `two fours`, `no fours`."""
    _, face = bid.parts
    wild = rules.ones_are_wild and not palifico and face != 1
    of_face, ones = hand.count(face), hand.count(1) if wild else 0
    held = []
    if of_face:
        held.append(_some(of_face, face_words(face, of_face)))
    if ones:
        held.append(_some(ones, f"wild {face_words(1, ones)}"))
    return " and ".join(held) or f"no {face_words(face)}"


def _some(number: int, what: str) -> str:
    return f"a {what}" if number == 1 else f"{number_words(number)} {what}"


def _rest(odds: BidOdds) -> str:
    if odds.needed == 0:
        return ", which was enough, whatever the others held."
    more = " more" if odds.held else ""
    needed = f"{sentence(number_words(odds.needed))}{more} {_was(odds.needed)} needed"
    among = f"among {number_words(odds.hidden)} unseen {'die' if odds.hidden == 1 else 'dice'}"
    if odds.needed > odds.hidden:
        return f". {needed} {among}: that could not be."
    return f". {needed} {among}; {_expected(odds.expected)} to be expected."


def _rest_exactly(needed: int, odds: BidOdds) -> str:
    """What the other cups had to bring for a bid to be exactly right."""
    if needed < 0:
        return ", which was more than that already."
    among = f"{number_words(odds.hidden)} unseen {'die' if odds.hidden == 1 else 'dice'}"
    if needed == 0:
        return f". The {among} were to bring none; {_expected(odds.expected)} to be expected."
    exactly = f"Exactly {number_words(needed)}{' more' if odds.held else ''}"
    return f". {exactly} had to come of {among}; {_expected(odds.expected)} to be expected."


def _rest_of_total(odds: BidOdds) -> str:
    if odds.needed == 0:
        return ", which was enough, whatever the others held."
    dice = f"{number_words(odds.hidden)} unseen {'die' if odds.hidden == 1 else 'dice'}"
    if odds.needed > 6 * odds.hidden:
        return f". The {dice} had to bring {odds.needed} more: that could not be."
    return f". The {dice} had to bring {odds.needed} more; {_number(odds.expected)} was to be expected."


def _told_words(decision: Document, *, exact: bool) -> str:
    """What the bids before had given away, where that makes a difference."""
    if exact or abs(decision["told"] - decision["true"]) < TELLING:
        return ""
    than = "likelier" if decision["told"] > decision["true"] else "less likely"
    return f"The bids so far made it {than}: {figure(decision['told'])} %."


def _hard_words(decision: Document) -> str:
    """What Hard plays there, and how often."""
    mix = [(move, share) for move, share in decision["mix"]]
    same = sum(share for move, share in mix if move == decision["move"])
    others = [(move, share) for move, share in mix if move != decision["move"]]
    if same >= SAME or not others:
        return "Hard would have done the same."
    other, share = others[0]
    if same < NEVER:
        if share >= SAME:
            return f"Hard would have {_done(other)}."
        return f"Hard would most often have {_done(other)}, and hardly ever this."
    did = _done_the_same(decision["move"])
    if share >= ALONE * (1 - same):
        return f"Hard would have {did} {_times(same)}, and {_done(other)} otherwise."
    return f"Hard would have {did} {_times(same)}, and otherwise most often {_done(other)}."


def _done(move: Document) -> str:
    if "call" in move:
        return "called liar" if move["call"] == "liar" else "said spot on"
    return f"bid {bid_from(move).words()}"


def _done_the_same(move: Document) -> str:
    return "done the same" if "call" in move else "bid the same"


def _times(share: float) -> str:
    return min(_TIMES, key=lambda times: abs(times[0] - share))[1]


def _cost_words(decision: Document, names: Names, you: int | None) -> str:
    """What the move cost, where that is worth a word."""
    if decision["cost"] < DEAR:
        return ""
    whom = "you" if decision["seat"] == you else names[decision["seat"]]
    hundredths = round(100 * decision["cost"])
    chances = "one chance" if hundredths == 1 else f"{number_words(hundredths)} chances"
    return f"It cost {whom} about {chances} in a hundred to win the match."


def _expected(value: float) -> str:
    number = _number(value)
    if number.isdigit():
        return f"{number_words(int(number))} {_was(int(number))}"
    return f"{number} were"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
