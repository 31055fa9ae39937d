"""The odds helper: what one's own dice say of a bid, as a figure, a bar and a sentence."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from games.computers.counting import every_bid
from games.computers.odds import BidOdds, odds_of_bid
from games.engine.moves import Bid
from games.engine.rules import rules_of
from games.engine.words import number_words, sentence

Document: TypeAlias = Mapping[str, Any]


def may_help(view: Document, *, wanted: bool) -> bool:
    """May the helper be shown at this table? On ranked tables nobody has it."""
    return wanted and view["mode"] != "ranked" and view["round"] is not None


def odds_of(view: Document, amount: int, face: int | None = None) -> dict[str, Any]:
    """What `games/_odds.html` shows of a bid (without a face: a total), seen from the viewer's own dice."""
    bid = Bid(total=amount) if face is None else Bid(quantity=amount, face=face)
    return shown(bid, _weighed(view, bid))


def all_odds(view: Document) -> list[dict[str, Any]]:
    """The same for every bid that the viewer may make now, for a script; each names its bid."""
    if view["legal"] is None:
        return []
    ranges = {face: (lowest, highest) for face, (lowest, highest) in view["legal"]["bids"].items()}
    return [shown(bid, _weighed(view, bid)) for bid in every_bid(ranges)]


def _weighed(view: Document, bid: Bid) -> BidOdds:
    return odds_of_bid(
        rules_of(view),
        bid,
        hand=view["round"]["hand"] or (),
        dice_in_play=view["round"]["dice_in_play"],
        palifico=view["round"]["palifico"],
    )


def shown(bid: Bid, odds: BidOdds) -> dict[str, Any]:
    """A bid that was weighed, in figures and words."""
    return {
        **bid.document(),
        "percent": round(100 * odds.chance, 1),
        "figure": figure(odds.chance),
        "likely": f"likely that {_claim(bid)} true",
        "words": _words_of_sum(odds) if bid.total is not None else _words_of_faces(odds),
    }


def figure(chance: float) -> str:
    """A chance in per cent, whole; what is not certain is never written as 0 or 100."""
    percent = round(100 * chance)
    if percent == 0 and chance > 0:
        return "<1"
    if percent == 100 and chance < 1:
        return ">99"
    return str(percent)


def outlook_words(bid: Bid, odds: BidOdds) -> str:
    """What a hand holds and the others are likely to bring, for all bids on one face, or all totals."""
    if bid.total is not None:
        dice = f"The {number_words(odds.hidden)} dice you cannot see"
        return f"Your dice come to {odds.held}. {dice} come to {_number(odds.expected)} on average."
    return f"{_hold(odds)}. {_unseen(odds)}, {_expected(odds)} to be expected."


def need_words(bid: Bid, odds: BidOdds) -> str:
    """What a bid needs beyond the hand."""
    if odds.needed == 0:
        return "What you hold is enough."
    if bid.total is not None:
        return f"{odds.needed} or more are needed."
    more = " more" if odds.held else ""
    return f"{sentence(number_words(odds.needed))}{more} {_be(odds.needed)} needed."


def _claim(bid: Bid) -> str:
    return f"{bid.words()} {'is' if bid.total is not None or bid.quantity == 1 else 'are'}"


def _words_of_faces(odds: BidOdds) -> str:
    hold = _hold(odds)
    if odds.needed == 0:
        return f"{hold}, which is enough, whatever the others hold."
    more = f"{number_words(odds.needed)}{' more' if odds.held else ''} {_be(odds.needed)} needed"
    if odds.needed > odds.hidden:
        return f"{hold}. {_unseen(odds)}, {more}: that cannot be."
    return f"{hold}. {_unseen(odds)}, {more}; {_expected(odds)} to be expected."


def _hold(odds: BidOdds) -> str:
    return f"You hold {'none' if odds.held == 0 else number_words(odds.held)}"


def _unseen(odds: BidOdds) -> str:
    if odds.hidden == 1:
        return "Of the one die you cannot see"
    return f"Of the {number_words(odds.hidden)} dice you cannot see"


def _words_of_sum(odds: BidOdds) -> str:
    yours = f"Your dice come to {odds.held}" if odds.held else "You see none of the dice"
    if odds.needed == 0:
        return f"{yours}, which is enough, whatever the others hold."
    dice = "one die" if odds.hidden == 1 else f"{number_words(odds.hidden)} dice"
    must = f"The {dice} you cannot see must come to {odds.needed} or more"
    if odds.needed > 6 * odds.hidden:
        return f"{yours}. {must}: that cannot be."
    return f"{yours}. {must}; {_number(odds.expected)} is to be expected."


def _expected(odds: BidOdds) -> str:
    number = _number(odds.expected)
    if number.isdigit():
        return f"{number_words(int(number))} {_be(int(number))}"
    return f"{number} are"


def _number(value: float) -> str:
    """A number with one decimal, which is left out where it is zero."""
    return f"{value:.1f}".removesuffix(".0")


def _be(number: int) -> str:
    return "is" if number == 1 else "are"
