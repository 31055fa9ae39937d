"""A reveal written down as a sum: one row a hand, from the caller clockwise to the bidder."""

from collections.abc import Mapping
from typing import Any

from games.engine.moves import amount_of, bid_from
from games.engine.rules import rules_of
from games.engine.words import number_words, sentence
from games.web.counting import Counting, amount_words, counted_in, needed_words, seats_from
from games.web.words import call_words


def ledger_of(
    doc: Mapping[str, Any], names: Mapping[int, str], you: int | None, *, tells: bool = True
) -> dict[str, Any]:
    """The rows with their dice, each counted die with its number; the total, and what there had to be."""
    reveal = doc["reveal"]
    bid = bid_from(reveal["bid"])
    counting = Counting(rules_of(doc), bid, palifico=reveal["palifico"])
    return {
        "number": reveal["number"],
        "rows": _rows(doc, counting, names, you, tells=tells),
        "call": reveal["call"]["type"],
        "right": reveal["right"],
        "sum": bid.total is not None,
        "wild": counting.wild,
        "counted": counted_in(bid),
        "total_words": sentence(counting.words),
        "had_to_be": needed_words(bid, reveal["call"]),
        "count": reveal["count"],
        "verdict": _verdict(reveal, names, you),
    }


def _rows(
    doc: Mapping[str, Any], counting: Counting, names: Mapping[int, str], you: int | None, *, tells: bool
) -> list[dict[str, Any]]:
    """The hands from the caller clockwise; the bidder sat before the caller, and comes last."""
    reveal = doc["reveal"]
    kinds = {seat["seat"]: seat["player"]["kind"] for seat in doc["seats"] if seat["player"]}
    hands = [(seat, reveal["hands"][str(seat)]) for seat in seats_from(reveal, reveal["call"]["seat"])]
    return [
        {
            "seat": seat,
            "name": "You" if seat == you else names[seat],
            "did": _did(seat, reveal, bot=kinds[seat] == "bot", tells=tells),
            "kind": "computer" if kinds[seat] == "computer" else "person",
            "dice": counting.dice(hand),
            "count": counting.worth(hand),
        }
        for seat, hand in hands
    ]


def _did(seat: int, reveal: Mapping[str, Any], *, bot: bool, tells: bool) -> str:
    """What a seat did at the end of the round; that it is a bot; and what showed in its face."""
    surprised = tells and seat == reveal["bid"]["seat"] and reveal["bids"][-1].get("tell")
    said = ["bot" if bot else "", _said(seat, reveal), "looked surprised" if surprised else ""]
    return " · ".join(filter(None, said))


def _said(seat: int, reveal: Mapping[str, Any]) -> str:
    if seat == reveal["call"]["seat"]:
        return call_words(reveal["call"])
    return f"bid {amount_words(bid_from(reveal['bid']))}" if seat == reveal["bid"]["seat"] else ""


def _verdict(reveal: Mapping[str, Any], names: Mapping[int, str], you: int | None) -> str:
    """How far off the bid was, and who was right."""
    off = reveal["count"] - amount_of(bid_from(reveal["bid"]))
    seat = reveal["call"]["seat"] if reveal["right"] else reveal["bid"]["seat"]
    who = "You were" if seat == you else f"{names[seat]} was"
    much = number_words(abs(off)).capitalize()
    right = "Exactly right" if reveal["call"]["type"] == "exact" else "Exactly enough"
    how = right if off == 0 else f"{much} too few" if off < 0 else f"{much} to spare"
    if reveal["call"]["type"] == "exact" and not reveal["right"]:
        caller = reveal["call"]["seat"]
        wrong = "You were" if caller == you else f"{names[caller]} was"
        return f"{much} {'too few' if off < 0 else 'too many'}. {wrong} wrong."
    return f"{how}. {who} right."
