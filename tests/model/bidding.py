"""Which bids are legal, found by trying every one of them, and what a bid is worth in the end."""

from __future__ import annotations

from typing import Any

Rules = dict[str, Any]
Bid = dict[str, int]  # {"quantity", "face"} or {"total"}; "seat" may stand beside them


def is_legal_raise(
    rules: Rules, standing: Bid | None, candidate: Bid, dice_in_play: int, palifico: bool, opening: bool
) -> bool:
    """May `candidate` be bid now? `opening` says that no bid stands yet in this round."""
    if opening != (standing is None):
        raise ValueError("a round is opened exactly when no bid stands")
    kind = {key for key in candidate if key != "seat"}
    if rules["bidding"] == "sum":
        return kind == {"total"} and _total_is_legal(standing, candidate["total"], dice_in_play)
    if kind != {"quantity", "face"}:
        return False
    if not 1 <= candidate["face"] <= 6 or not 1 <= candidate["quantity"] <= dice_in_play:
        return False
    if palifico:
        return standing is None or (
            candidate["face"] == standing["face"] and candidate["quantity"] > standing["quantity"]
        )
    if standing is None:
        return candidate["face"] != 1 or _may_open_on_ones(rules)
    if candidate["face"] == 1 and rules["ones"] == "wild":
        return False
    if rules["ones"] == "aces":
        return _beats_among_aces(standing, candidate)
    return _beats_ordinarily(standing, candidate)


def _total_is_legal(standing: Bid | None, total: int, dice_in_play: int) -> bool:
    if not 1 <= total <= 6 * dice_in_play:
        return False
    return standing is None or total > standing["total"]


def _may_open_on_ones(rules: Rules) -> bool:
    if rules["ones"] == "aces":
        return bool(rules["open_on_ones"])
    return rules["ones"] in ("low", "straight")


def _beats_ordinarily(standing: Bid, candidate: Bid) -> bool:
    if candidate["quantity"] == standing["quantity"]:
        return candidate["face"] > standing["face"]
    return candidate["quantity"] > standing["quantity"]


def _beats_among_aces(standing: Bid, candidate: Bid) -> bool:
    was, now = standing["quantity"], candidate["quantity"]
    if standing["face"] != 1 and candidate["face"] == 1:
        return 2 * now >= was  # at least half, rounded up
    if standing["face"] == 1 and candidate["face"] != 1:
        return now >= 2 * was + 1
    if standing["face"] == 1 and candidate["face"] == 1:
        return now > was
    return _beats_ordinarily(standing, candidate)


def every_bid(rules: Rules, dice_in_play: int) -> list[Bid]:
    """List every bid worth trying, with a margin of senseless ones around them."""
    if rules["bidding"] == "sum":
        return [{"total": total} for total in range(-1, 6 * dice_in_play + 3)]
    quantities = range(-1, dice_in_play + 3)
    return [{"quantity": quantity, "face": face} for face in range(8) for quantity in quantities]


def legal_bids(rules: Rules, standing: Bid | None, dice_in_play: int, palifico: bool) -> list[Bid]:
    """List every legal bid."""
    return [
        bid
        for bid in every_bid(rules, dice_in_play)
        if is_legal_raise(rules, standing, bid, dice_in_play, palifico, standing is None)
    ]


def ranges(rules: Rules, standing: Bid | None, dice_in_play: int, palifico: bool) -> dict[str, list[int]]:
    """Lowest and highest legal quantity of each face that may be bid, or of the total."""
    found: dict[str, list[int]] = {}
    for bid in legal_bids(rules, standing, dice_in_play, palifico):
        key, number = ("total", bid["total"]) if "total" in bid else (str(bid["face"]), bid["quantity"])
        found.setdefault(key, []).append(number)
    for key, numbers in found.items():
        if numbers != list(range(numbers[0], numbers[-1] + 1)):
            raise AssertionError(f"the legal bids on {key} have a gap: {numbers}")
    return {key: [numbers[0], numbers[-1]] for key, numbers in found.items()}


def suggested(legal: dict[str, list[int]], hand: list[int]) -> Bid | None:
    """The bid that the viewer's own dice speak for, at its lowest."""
    if not legal:
        return None
    if "total" in legal:
        return {"total": legal["total"][0]}
    best = max(legal, key=lambda face: (hand.count(int(face)), -legal[face][0], int(face)))
    return {"quantity": legal[best][0], "face": int(best)}


def count(rules: Rules, bid: Bid, hands: dict[int, list[int]], palifico: bool) -> int:
    """How many dice match the bid, or the sum of all pips with sum bidding."""
    dice = [die for hand in hands.values() for die in hand]
    if rules["bidding"] == "sum":
        return sum(dice)
    matching = [die for die in dice if die == bid["face"]]
    ones_help = rules["ones"] in ("aces", "wild", "low") and not palifico and bid["face"] != 1
    if ones_help:
        matching += [die for die in dice if die == 1]
    return len(matching)
