"""Table talk: what computers say to what everybody at the table has seen.

Nothing of it is stored. A line follows from what was bid and called in the round, and from nothing else, so
that everybody who reads it reads the same; and nobody hears more than the facts on the page tell anyway.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from games.engine.moves import amount_of, bid_from
from games.web import words
from games.web.computers import computers_at
from games.web.talk_lines import LINES

Document: TypeAlias = Mapping[str, Any]
Occasion: TypeAlias = tuple[int, str, str]
"""Whose occasion to speak, which one, and the story of the round up to it."""


class Said(NamedTuple):
    """What is said, by whom, and the face that goes with it."""

    character: str
    name: str
    line: str


AT_A_BID: Mapping[str, float] = {"chatty": 0.7, "some": 0.2, "off": 0.0}
AT_A_REVEAL: Mapping[str, float] = {"chatty": 1.0, "some": 0.55, "off": 0.0}
"""How often somebody who has an occasion to speak does, by what the reader likes."""

LATEST = {"chatty": 3, "some": 1, "off": 0}
"""How many lines are shown at once."""


def talk_of(document: Document, preference: str, *, stage: str = "bidding") -> list[Said]:
    """What computers say to what is on the table, the latest last.

    While the cups of a reveal wait to be lifted nobody says anything.
    """
    most = LATEST.get(preference, 0)
    if not most or stage == "cups":
        return []
    reveals = stage in ("reveal", "ended")
    occasions = list(_in_reveal(document) if reveals else _in_round(document))
    share = (AT_A_REVEAL if reveals else AT_A_BID)[preference]
    names, computers = words.names_of(document), computers_at(document)
    said = [
        Said(who["key"], names[seat], _line(who["key"], occasion, occasions[: place + 1]))
        for place, (seat, occasion, story) in enumerate(occasions)
        if (who := computers.get(seat)) and _chance(f"{story} {seat} speaks") < share
    ]
    return said[-most:]


def _in_round(document: Document) -> Iterator[Occasion]:
    round = document["round"]
    bids = round["bids"] if round else []
    for place, (before, bid) in enumerate(zip([None, *bids], bids, strict=False), 1):
        yield bid["seat"], _of_bid(bid, before), _story(round["number"], bids[:place])


def _story(number: int, bids: Sequence[Document]) -> str:
    return " ".join([str(number), *(f"{bid['seat']} {words.bid_words(bid)}," for bid in bids)])


def _of_bid(bid: Document, before: Document | None) -> str:
    if before is None:
        return "open"
    step = amount_of(bid_from(bid)) - amount_of(bid_from(before))
    return "leap" if step > (6 if "total" in bid else 1) else "raise"


def _in_reveal(document: Document) -> Iterator[Occasion]:
    reveal = document["reveal"]
    if reveal is None:
        return
    caller, bidder = reveal["call"]["seat"], reveal["bid"]["seat"]
    story = f"{_story(reveal['number'], reveal['bids'])} {reveal['call']['type']}"
    result = document["result"]
    if result and result["winner"] is not None and reveal["next_opener"] is None:
        yield result["winner"], "won", story
    for seat in reveal["out"]:
        yield seat, "out", story
    spoken = {result["winner"] if result else None, *reveal["out"]}
    if caller not in spoken:
        call = "call" if reveal["call"]["type"] == "liar" else "spot"
        yield caller, f"{call}_right" if reveal["right"] else f"{call}_wrong", story
    if bidder not in spoken and reveal["call"]["type"] == "liar":
        yield bidder, "caught" if reveal["right"] else "safe", story


def _line(character: str, occasion: str, occasions: Sequence[Occasion]) -> str:
    """The line for the last of these occasions; nobody repeats themselves while they have more to say."""
    seat, lines = occasions[-1][0], LINES[character][occasion]
    alike = [story for whose, which, story in occasions if (whose, which) == (seat, occasion)]
    first = int(_chance(f"{alike[0]} {character} {occasion}") * len(lines))
    return lines[(first + len(alike) - 1) % len(lines)]


def _chance(what: str) -> float:
    """A number from 0 up to 1 that follows from this text alone."""
    digest = hashlib.sha256(what.encode()).digest()
    return int.from_bytes(digest[:4]) / 2**32
