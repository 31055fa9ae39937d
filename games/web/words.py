"""Sentences: who bid what, what a call brought, how a match ended; the reader of a seat is "you".

Every page that tells what happened takes its words from here, from the documents that the API gives.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.engine.moves import bid_from
from games.engine.words import number_words

Document: TypeAlias = Mapping[str, Any]
Names: TypeAlias = Mapping[int, str]

CUPS_WAIT = "The cups are waiting to be lifted."
"""All that is told of a reveal to who has not lifted its cups."""

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def names_of(view: Document) -> dict[int, str]:
    """What everybody at a table is called, by seat; whoever share a name are numbered."""
    names = {
        seat["seat"]: seat["player"]["name"] if seat["player"] else f"Seat {seat['seat'] + 1}"
        for seat in view["seats"]
    }
    called = list(names.values())
    taken = {name for name in called if called.count(name) == 1}
    for seat, name in names.items():
        if called.count(name) > 1:
            names[seat] = _numbered(name, taken)
            taken.add(names[seat])
    return names


def marked_names_of(view: Document) -> dict[int, str]:
    """What everybody is called, and of a bot that it is one, for where nothing else would say so."""
    kinds = {seat["seat"]: seat["player"]["kind"] for seat in view["seats"] if seat["player"]}
    return {
        seat: f"{name} (bot)" if kinds.get(seat) == "bot" else name for seat, name in names_of(view).items()
    }


def _numbered(name: str, taken: Collection[str]) -> str:
    number = 1
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def substitutes_of(view: Document) -> frozenset[int]:
    """The seats where a computer plays for a person who left."""
    return frozenset(seat["seat"] for seat in view["seats"] if seat["substitute"])


def bid_words(bid: Document) -> str:
    """A bid: `four fives`, `a total of 47`."""
    return bid_from(bid).words()


def ordinal_words(place: int) -> str:
    """A place: `first` to `sixth`."""
    return _ORDINALS[place - 1]


def bid_sentence(bid: Document, before: Document | None, names: Names, you: int | None) -> str:
    """Who bid what: `Wick went over to three ones.`"""
    who = _Who(names, you)
    subject, words = who.subject(bid["seat"]), bid_words(bid)
    if before is None:
        return f"{subject} opened with {words}."
    return f"{subject} {'went over' if _goes_over(bid, before) else 'raised'} to {words}."


def tell_sentence(bid: Document, names: Names) -> str:
    """What showed in a computer's face at its own bid; nothing where nothing did."""
    return f"{names[bid['seat']]} looked surprised." if bid.get("tell") else ""


def standing_words(bid: Document, before: Document | None, names: Names, you: int | None) -> str:
    """What comes before a standing bid that is shown in large: `Dave raised Wick’s three ones to`."""
    who = _Who(names, you)
    subject = who.subject(bid["seat"])
    if before is None:
        return f"{subject} opened with"
    if _goes_over(bid, before):
        return f"{subject} went over from {who.claim(before)} to"
    return f"{subject} raised {who.claim(before)} to"


def call_words(call: Document) -> str:
    """A call: `called liar`, `said spot on`."""
    return "called liar" if call["type"] == "liar" else "said spot on"


def call_sentence(reveal: Document, names: Names, you: int | None) -> str:
    """Who called what on which bid, and nothing of what came of it."""
    return f"{_called(reveal, _Who(names, you))}."


def reveal_sentence(
    reveal: Document,
    names: Names,
    you: int | None,
    *,
    rules: Document,
    finished: bool = False,
    substitutes: Collection[int] = (),
) -> str:
    """What a call brought: who called what, what was counted, what follows for whom.

    `finished` where the match is over, so that nobody opens another round; `substitutes` are the seats of
    people who left.
    """
    who = _Who(names, you)
    follows, about = _follows(reveal, who, rules)
    last = _end(reveal, who, substitutes) if reveal["next_opener"] is None else ""
    if reveal["next_opener"] is not None and not finished:
        if reveal["next_opener"] == about:
            follows += _and_opens(reveal, who, rules)
        else:
            last = _who_opens(reveal, who, rules)
    # What a wrong caller loses follows from the count at once.
    joint = ". " if reveal["right"] or ":" in follows else ": "
    if joint == ". ":
        follows = _capital(follows)
    told = f"{_judged(reveal, who)}{joint}{follows}."
    return f"{told} {last}." if last else told


def result_sentence(
    result: Document | None, names: Names, you: int | None, *, substitutes: Collection[int] = ()
) -> str:
    """How a match ended: `Carol won.`"""
    who = _Who(names, you)
    if result is None:
        return "It ended without a result."
    if result["winner"] is None:
        shared = sorted(int(seat) for seat, place in result["places"].items() if place == 1)
        return f"A draw between {who.list(shared)}."
    if result["winner"] in substitutes:
        return f"The computer in {who.whose(result['winner'])} seat won."
    return f"{who.subject(result['winner'])} won."


def event_sentence(event: Document, names: Names, you: int | None) -> str | None:
    """What else happened: somebody ran out of time or left; None for what needs no words."""
    who = _Who(names, you)
    seat = event["seat"]
    if event["kind"] == "strike":
        once_more = "" if event["strikes"] > 1 else "; once more and it takes the seat"
        return f"{who.subject(seat)} ran out of time. The computer moves for {who.object(seat)}{once_more}."
    if event["kind"] == "abandoned":
        return f"{who.subject(seat)} ended the practice."
    if event["kind"] != "left":
        return None
    if event["forfeit"]:
        return f"{who.subject(seat)} left, which gives up the match. The round in play is not shown."
    return f"{who.subject(seat)} left. A computer plays on in {who.whose(seat)} seat."


@dataclass(frozen=True, slots=True)
class _Who:
    """Names in their cases, for one reader."""

    names: Names
    you: int | None

    def subject(self, seat: int) -> str:
        return "You" if seat == self.you else self.names[seat]

    def object(self, seat: int) -> str:
        return "you" if seat == self.you else self.names[seat]

    def whose(self, seat: int) -> str:
        return "your" if seat == self.you else f"{self.names[seat]}’s"

    def claim(self, bid: Document) -> str:
        """A bid as somebody's own: `your eight fours`, `Dave’s total of 47`."""
        words = bid_words(bid).removeprefix("a ")
        return f"{self.whose(bid['seat'])} {words}"

    def verb(self, seat: int, verb: str) -> str:
        """The verb in the person of this seat: `you lose`, `Dave loses`."""
        if seat == self.you:
            return verb
        return {"are": "is", "have": "has"}.get(verb, f"{verb}s")

    def list(self, seats: Collection[int]) -> str:
        """Several of them, the reader last: `Alice, Bob and you`."""
        others = [self.names[seat] for seat in seats if seat != self.you]
        all_of_them = [*others, "you"] if self.you in seats else others
        if len(all_of_them) < 2:
            return "".join(all_of_them)
        return f"{', '.join(all_of_them[:-1])} and {all_of_them[-1]}"


def _goes_over(bid: Document, before: Document) -> bool:
    """Does a bid go over to ones, where fewer of them are enough?"""
    if "total" in bid or bid["face"] != 1 or before["face"] == 1:
        return False
    return bool(bid["quantity"] <= before["quantity"])


def _called(reveal: Document, who: _Who) -> str:
    caller = who.subject(reveal["call"]["seat"])
    on = "on" if reveal["call"]["type"] == "liar" else "to"
    return f"{caller} {call_words(reveal['call'])} {on} {who.claim(reveal['bid'])}"


def _judged(reveal: Document, who: _Who) -> str:
    """The call, and what was counted."""
    called, bid, count = _called(reveal, who), reveal["bid"], reveal["count"]
    amount = bid.get("total", bid.get("quantity"))
    if reveal["call"]["type"] == "exact" and reveal["right"]:
        return f"{called}, and it was: exactly {count if 'total' in bid else number_words(count)}"
    exactly = count == amount
    if "total" in bid:
        counted = f"The dice showed {'exactly ' if exactly else ''}{count}"
    else:
        number = "none" if count == 0 else number_words(count)
        counted = f"There {'was' if count == 1 else 'were'} {'exactly ' if exactly else ''}{number}"
    return f"{called}. {counted}{', which is enough' if exactly else ''}"


def _loss(reveal: Document, seat: int, who: _Who) -> str:
    """What losing a die comes to for this seat, after its name."""
    if seat in reveal["out"]:
        last = "your last die" if seat == who.you else "the last die"
        return f"{who.verb(seat, 'lose')} {last} and {who.verb(seat, 'are')} out"
    return f"{who.verb(seat, 'lose')} a die"


def _follows(reveal: Document, who: _Who, rules: Document) -> tuple[str, int | None]:
    """What the call costs or brings, and the one seat that this speaks of and that is still in."""
    caller = reveal["call"]["seat"]
    if reveal["right"] and reveal["call"]["type"] == "exact":
        return _after_spot_on(reveal, who, rules)
    loser = reveal["bid"]["seat"] if reveal["right"] else caller
    return f"{who.object(loser)} {_loss(reveal, loser, who)}", None if reveal["out"] else loser


def _after_spot_on(reveal: Document, who: _Who, rules: Document) -> tuple[str, int | None]:
    caller = reveal["call"]["seat"]
    losers = [int(seat) for seat, change in reveal["changes"].items() if change < 0]
    if rules["exact"] == "regain":
        if reveal["changes"]:
            return f"{who.object(caller)} {who.verb(caller, 'win')} back a die", caller
        every = "all the dice there are"
        return f"{who.object(caller)} {who.verb(caller, 'have')} {every} already, so nothing changes", None
    if len(losers) == 1:
        return f"{who.object(losers[0])} {_loss(reveal, losers[0], who)}", None if reveal["out"] else losers[
            0
        ]
    out = reveal["out"]
    if len(out) == len(losers):
        return f"everyone else loses the last die and is out: {who.list(losers)}", None
    told = f"everyone else loses a die: {who.list(losers)}"
    if out:
        told += f". {_capital(who.list(out))} {'are' if len(out) > 1 or who.you in out else 'is'} out"
    return told, None


def _capital(words: str) -> str:
    """The words at the beginning of a sentence; a name keeps its own letters."""
    first, *rest = words.split(" ", 1)
    return " ".join([first.title() if first in ("you", "everyone") else first, *rest])


def _and_opens(reveal: Document, who: _Who, rules: Document) -> str:
    """The end of a sentence about the seat that opens the next round."""
    opener = reveal["next_opener"]
    opens = who.verb(opener, "open")
    if not reveal["next_palifico"]:
        return f" and {opens} the next round"
    down = f", {who.verb(opener, 'are')} down to one" if _is_down_to_one(reveal, opener) else ""
    return f"{down} and {opens} a palifico round: {_palifico_words(rules)}"


def _is_down_to_one(reveal: Document, seat: int) -> bool:
    return reveal["changes"].get(str(seat)) == -1 and len(reveal["hands"][str(seat)]) == 2


def _palifico_words(rules: Document) -> str:
    return "every raise keeps the face" if rules["ones"] == "straight" else "nothing is wild"


def _who_opens(reveal: Document, who: _Who, rules: Document) -> str:
    opener = reveal["next_opener"]
    subject = who.subject(opener)
    if not reveal["next_palifico"]:
        return f"{subject} {who.verb(opener, 'open')} the next round"
    down = f"{who.verb(opener, 'are')} down to one die and " if _is_down_to_one(reveal, opener) else ""
    return f"{subject} {down}{who.verb(opener, 'open')} a palifico round: {_palifico_words(rules)}"


def _end(reveal: Document, who: _Who, substitutes: Collection[int]) -> str:
    """The last sentence of a match that this call ended."""
    left = [int(seat) for seat in reveal["hands"] if int(seat) not in reveal["out"]]
    if len(left) > 1:
        return f"Round {reveal['number']} is the last there is: a draw between {who.list(left)}"
    if left[0] in substitutes:
        return f"The computer in {who.whose(left[0])} seat wins the match"
    return f"{who.subject(left[0])} {who.verb(left[0], 'win')} the match"
