"""Table talk: what computers say to what everybody at the table has seen.

Nothing of it is stored. A line follows from the table, the round and the place in it alone, so that everybody
who reads it reads the same; and nobody hears more than the facts on the page tell anyway.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from games.engine.moves import amount_of, bid_from
from games.web import words
from games.web.talk_lines import LINES

Document: TypeAlias = Mapping[str, Any]
Said: TypeAlias = tuple[str, str]
"""Who says it, and the line."""

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
    occasions, share = _occasions(document, stage), AT_A_BID[preference]
    if stage in ("reveal", "ended"):
        share = AT_A_REVEAL[preference]
    names = words.names_of(document)
    said = [
        (names[seat], _line(document, character, occasion, place))
        for seat, character, occasion, place in occasions
        if _chance(document, f"{place} {seat} speaks") < share
    ]
    return said[-most:]


def _occasions(document: Document, stage: str) -> Iterator[tuple[int, str, str, str]]:
    """Seat, character, occasion, and what tells this occasion from every other at the table."""
    characters = _characters(document)
    found = _in_reveal(document) if stage in ("reveal", "ended") else _in_round(document)
    for seat, occasion, place in found:
        if seat in characters:
            yield seat, characters[seat], occasion, place


def _characters(document: Document) -> dict[int, str]:
    """The characters at this table, by seat; a substitute is nobody in particular."""
    return {
        seat["seat"]: seat["player"]["character"]
        for seat in document["seats"]
        if seat["player"] and seat["player"]["kind"] == "computer" and seat["player"]["character"] in LINES
    }


def _in_round(document: Document) -> Iterator[tuple[int, str, str]]:
    round = document["round"]
    before: Document | None = None
    for place, bid in enumerate(round["bids"] if round else []):
        yield bid["seat"], _of_bid(bid, before), f"{round['number']}.{place}"
        before = bid


def _of_bid(bid: Document, before: Document | None) -> str:
    if before is None:
        return "open"
    step = amount_of(bid_from(bid)) - amount_of(bid_from(before))
    return "leap" if step > (6 if "total" in bid else 1) else "raise"


def _in_reveal(document: Document) -> Iterator[tuple[int, str, str]]:
    reveal = document["reveal"]
    if reveal is None:
        return
    place, caller, bidder = f"{reveal['number']}.reveal", reveal["call"]["seat"], reveal["bid"]["seat"]
    result = document["result"]
    if result and result["winner"] is not None and reveal["next_opener"] is None:
        yield result["winner"], "won", place
    for seat in reveal["out"]:
        yield seat, "out", place
    spoken = {result["winner"] if result else None, *reveal["out"]}
    if caller not in spoken:
        yield caller, "call_right" if reveal["right"] else "call_wrong", place
    if bidder not in spoken and reveal["call"]["type"] == "liar":
        yield bidder, "caught" if reveal["right"] else "safe", place


def _line(document: Document, character: str, occasion: str, place: str) -> str:
    lines = LINES[character][occasion]
    return lines[int(_chance(document, f"{place} {character} {occasion}") * len(lines))]


def _chance(document: Document, what: str) -> float:
    """A number from 0 up to 1 that follows from the table and this text alone."""
    digest = hashlib.sha256(f"{document['id']} {what}".encode()).digest()
    return int.from_bytes(digest[:4]) / 2**32
