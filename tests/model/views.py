"""What a viewer must be shown of the match: the parts of a table's view that the rules decide."""

from __future__ import annotations

from typing import Any

from tests.model.match import Match

SPECTATOR = "spectator"
OWNER = "owner"  # of a practice table, looking through no seat

Viewer = int | str


def expected_view(match: Match, viewer: Viewer) -> dict[str, Any]:
    """The view without times, names and versions, as one viewer must get it."""
    return {
        "status": match.status,
        "seats": [_seat(match, seat) for seat in match.seats],
        "round": _round(match, viewer),
        "legal": _legal(match, viewer),
        "reveal": with_text_keys(match.reveals[-1]) if match.reveals else None,
        "result": with_text_keys(match.result) if match.result else None,
    }


def with_text_keys(value: Any) -> Any:
    """The same with seat numbers as text where they are keys, as JSON has them."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(each) for key, each in value.items()}
    if isinstance(value, list):
        return [with_text_keys(each) for each in value]
    return value


def _seat(match: Match, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "dice": match.dice[seat],
        "place": match.places()[seat],
        "substitute": match.is_substituted(seat),
        "ready": seat in match.ready,
    }


def _looks_through(match: Match, viewer: Viewer) -> int | None:
    """The seat whose dice the viewer sees; who left sees none."""
    if isinstance(viewer, int) and viewer not in match.left:
        return viewer
    return None


def _round(match: Match, viewer: Viewer) -> dict[str, Any] | None:
    if match.status != "bidding":
        return None
    seat = _looks_through(match, viewer)
    return {
        "number": match.round,
        "palifico": match.palifico,
        "opener": match.opener,
        "turn": match.turn,
        "dice_in_play": match.dice_in_play(),
        "bids": [dict(bid) for bid in match.bids],
        "hand": match.hands.get(seat) if seat is not None and match.dice[seat] else None,
    }


def _legal(match: Match, viewer: Viewer) -> dict[str, Any] | None:
    seat = _looks_through(match, viewer)
    if match.status == "revealed":
        waits_for = [presser for presser in match.pressers() if presser not in match.ready]
        may_press = bool(waits_for) if viewer == OWNER else seat in waits_for
        if not may_press:
            return None
        return {"bids": {}, "liar": False, "exact": False, "next_round": True, "suggested": None}

    if match.status != "bidding":
        return None
    if viewer == OWNER:
        seat = match.turn
    if seat != match.turn or match.by_computer(match.turn):
        return None
    return {
        "bids": match.ranges(),
        "liar": match.may_call("liar"),
        "exact": match.may_call("exact"),
        "next_round": False,
        "suggested": match.suggested(seat),
    }
