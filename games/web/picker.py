"""What I can do at my move: faces with their lowest raises, calls, and what I am asked before I send it."""

from collections.abc import Mapping
from typing import Any

from games.engine.moves import Bid, IllegalMove, bid_from, check_bid
from games.engine.rules import rules_of
from games.engine.words import face_words, number_words, sentence
from games.web import words
from games.web.counting import amount_words


def picker_of(doc: Mapping[str, Any]) -> dict[str, Any]:
    """The faces, or the total; what is chosen at first; and the words under it."""
    ranges, suggested = doc["legal"]["bids"], doc["legal"]["suggested"]
    picker: dict[str, Any] = {"possible": suggested is not None, "suggested": suggested}
    if doc["rules"]["bidding"] == "sum":
        low, high = ranges.get("total", (0, 0))
        hand = doc["round"]["hand"] or []
        return picker | {
            "total": True,
            "low": low,
            "high": high,
            "hold": f"Your dice show {sum(hand)}.",
            "below": _refusal(doc, Bid(total=low - 1)) if suggested else "",
            "rule": f"{low} is the lowest total." if suggested else _refusal(doc, Bid(total=1)),
        }
    picker["faces"] = [_face(doc, face) for face in range(1, 7)]
    if suggested is None:
        return picker | {"hold": "", "rule": _refusal(doc, Bid(quantity=1, face=6))}
    face = suggested["face"]
    return picker | {
        "low": ranges[str(face)][0],
        "high": doc["round"]["dice_in_play"],
        "hold": hold_words(doc, face),
        "rule": picker["faces"][face - 1]["rule"],
    }


def _face(doc: Mapping[str, Any], face: int) -> dict[str, Any]:
    found = doc["legal"]["bids"].get(str(face))
    if found is None:
        return {
            "face": face,
            "low": None,
            "why": _refusal(doc, Bid(quantity=doc["round"]["dice_in_play"], face=face)),
        }
    low, high = found
    opens = "opening bid" if not doc["round"]["bids"] else "raise"
    return {
        "face": face,
        "low": low,
        "high": high,
        "hold": hold_words(doc, face),
        "rule": f"{sentence(number_words(low))} is the lowest {opens} in {face_words(face)}.",
        "below": _refusal(doc, Bid(quantity=low - 1, face=face)) if low > 1 else "A bid is at least one.",
    }


def hold_words(doc: Mapping[str, Any], face: int) -> str:
    """How many of a face I hold: `You hold three fours, a wild one included.`"""
    hand = doc["round"]["hand"] or []
    rules = rules_of(doc)
    wild = hand.count(1) if rules.ones_are_wild and not doc["round"]["palifico"] and face != 1 else 0
    count = hand.count(face) + wild
    if not count:
        return f"You hold no {face_words(face)}."
    included = {0: "", 1: ", a wild one included"}.get(wild, f", {number_words(wild)} wild ones included")
    return f"You hold {number_words(count)} {face_words(face, count)}{included}."


def _refusal(doc: Mapping[str, Any], bid: Bid) -> str:
    """Why this bid may not be made, in the words of whoever refuses it; nothing where it may."""
    round = doc["round"]
    try:
        check_bid(
            rules_of(doc),
            bid,
            dice_in_play=round["dice_in_play"],
            palifico=round["palifico"],
            standing=bid_from(round["bids"][-1]) if round["bids"] else None,
        )
    except IllegalMove as refused:
        return refused.message
    return ""


def calls_of(doc: Mapping[str, Any]) -> list[dict[str, str]]:
    """The calls that are allowed, with what each of them claims."""
    if not doc["legal"]["liar"]:
        return []
    standing = bid_from(doc["round"]["bids"][-1])
    amount = amount_words(standing)
    fewer = f"{'less' if standing.total is not None else 'fewer'} than {amount}"
    claims = "there is none" if standing.quantity == 1 else fewer
    calls = [{"type": "liar", "name": "Liar!", "claims": claims, "look": "wax"}]
    if doc["legal"]["exact"]:
        calls.append({"type": "exact", "name": "Spot on!", "claims": f"exactly {amount}", "look": ""})
    return calls


def question_of(
    doc: Mapping[str, Any], sure: Mapping[str, Any], names: Mapping[int, str], you: int | None
) -> dict[str, Any] | None:
    """What I am asked before a move is sent; None for a move that is not possible now."""
    standing = doc["round"]["bids"][-1] if doc["round"]["bids"] else None
    if sure["type"] in ("liar", "exact"):
        if not doc["legal"][sure["type"]] or standing is None:
            return None
        said = "Call liar on" if sure["type"] == "liar" else "Say spot on to"
        asked = f"{said} {_whose(standing, names, you)} {words.bid_words(standing).removeprefix('a ')}?"
        return {"asked": asked, "after": "All cups are lifted then.", "move": sure}
    bid = Bid(quantity=sure.get("quantity"), face=sure.get("face"), total=sure.get("total"))
    try:
        wrong = _refusal(doc, bid)
    except ValueError:
        wrong = "A bid is a quantity and a face, or a total."
    if wrong:
        return {"wrong": wrong}
    over = (
        f"It goes over {_whose(standing, names, you)} {words.bid_words(standing).removeprefix('a ')}. "
        if standing
        else ""
    )
    return {"asked": f"Bid {bid.words()}?", "after": f"{over}{_next(doc, names, you)} is next.", "move": sure}


def _whose(bid: Mapping[str, Any], names: Mapping[int, str], you: int | None) -> str:
    return "your" if bid["seat"] == you else f"{names[bid['seat']]}’s"


def _next(doc: Mapping[str, Any], names: Mapping[int, str], you: int | None) -> str:
    """Who moves after me."""
    still_in = [seat["seat"] for seat in doc["seats"] if seat["dice"] > 0]
    after = [seat for seat in still_in if seat > (you or 0)] + still_in
    return names[after[0]]
