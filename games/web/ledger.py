"""A reveal written down as a sum: one row a hand, from the caller clockwise to the bidder."""

from collections.abc import Mapping
from typing import Any

from games.engine.moves import bid_from, count_matching
from games.engine.rules import rules_of
from games.engine.words import face_words, number_words


def ledger_of(
    doc: Mapping[str, Any], names: Mapping[int, str], you: int | None, *, tells: bool = True
) -> dict[str, Any]:
    """The rows with their dice, each counted die with its number; the total, and what there had to be."""
    reveal, said = doc["reveal"], rules_of(doc)
    bid = bid_from(reveal["bid"])
    kinds = {seat["seat"]: seat["player"]["kind"] for seat in doc["seats"] if seat["player"]}
    counted_before = 0
    rows = []
    for seat in _from_caller(reveal):
        hand = reveal["hands"][str(seat)]
        dice, counted = [], 0
        for face in hand:
            worth = count_matching(said, bid, [[face]], palifico=reveal["palifico"])
            counted += worth
            counts = worth > 0 and bid.total is None
            dice.append({"face": face, "number": counted_before + counted if counts else None})
        counted_before += counted
        rows.append(
            {
                "seat": seat,
                "name": _name(seat, names, you),
                "did": _did(seat, reveal, bot=kinds[seat] == "bot", tells=tells),
                "kind": "computer" if kinds[seat] == "computer" else "person",
                "dice": dice,
                "count": counted,
            }
        )
    wild = said.ones_are_wild and not reveal["palifico"]
    return {
        "number": reveal["number"],
        "rows": rows,
        "call": reveal["call"]["type"],
        "right": reveal["right"],
        "sum": bid.total is not None,
        "wild": wild,
        "counted": "pips" if bid.total is not None else face_words(bid.parts[1]),
        "total_words": _total_words(bid.total, bid.face, wild=wild and bid.face != 1),
        "had_to_be": _had_to_be(reveal),
        "count": reveal["count"],
        "verdict": _verdict(reveal, names, you),
    }


def _from_caller(reveal: Mapping[str, Any]) -> list[int]:
    """The seats that were in, from the caller clockwise; the bidder sat before the caller, and comes last."""
    seats = sorted(int(seat) for seat in reveal["hands"])
    at = seats.index(reveal["call"]["seat"])
    return seats[at:] + seats[:at]


def _name(seat: int, names: Mapping[int, str], you: int | None) -> str:
    return "You" if seat == you else names[seat]


def _did(seat: int, reveal: Mapping[str, Any], *, bot: bool, tells: bool) -> str:
    """What a seat did at the end of the round; that it is a bot; and what showed in its face."""
    surprised = tells and seat == reveal["bid"]["seat"] and reveal["bids"][-1].get("tell")
    said = ["bot" if bot else "", _said(seat, reveal), "looked surprised" if surprised else ""]
    return " · ".join(filter(None, said))


def _said(seat: int, reveal: Mapping[str, Any]) -> str:
    if seat == reveal["call"]["seat"]:
        return "called liar" if reveal["call"]["type"] == "liar" else "said spot on"
    if seat == reveal["bid"]["seat"]:
        bid = bid_from(reveal["bid"])
        return f"bid {bid.total if bid.total is not None else number_words(bid.parts[0])}"
    return ""


def _total_words(total: int | None, face: int | None, *, wild: bool) -> str:
    if total is not None or face is None:
        return "All pips"
    words = face_words(face)
    return f"{words[:1].upper()}{words[1:]}{', with wild ones' if wild else ''}"


def _had_to_be(reveal: Mapping[str, Any]) -> str:
    bid = bid_from(reveal["bid"])
    amount = str(bid.total) if bid.total is not None else number_words(bid.parts[0])
    if reveal["call"]["type"] == "exact":
        return f"said to be exactly {amount}"
    return f"there had to be {amount}"


def _verdict(reveal: Mapping[str, Any], names: Mapping[int, str], you: int | None) -> str:
    """How far off the bid was, and who was right."""
    bid = bid_from(reveal["bid"])
    amount = bid.total if bid.total is not None else bid.parts[0]
    off = reveal["count"] - amount
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
