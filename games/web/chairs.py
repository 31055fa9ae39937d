"""Practice: which seats its owner moves, whose chair they look through, and who sat there before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from games.access import NothingThere
from games.queries.review import past
from games.web.words import names_of

Document: TypeAlias = Mapping[str, Any]


def own_seats(document: Document, *, still_in: bool = False) -> list[int]:
    """The seats that are people's, or those still in: on a practice table all of them are the owner's."""
    return [
        seat["seat"]
        for seat in document["seats"]
        if seat["player"] and seat["player"]["kind"] != "computer" and (seat["dice"] or not still_in)
    ]


def chair_of(document: Document, wanted: int | None) -> int:
    """The chair that an owner looks through: as they wish, else the one to move, else their first."""
    chairs = [seat["seat"] for seat in document["seats"] if seat["player"]]
    if wanted in chairs:
        return int(wanted or 0)
    own = own_seats(document)
    turn = document["round"]["turn"] if document["round"] else None
    return int(turn) if turn in own else own[0]


def move_for(document: Document, scene: Document) -> str:
    """Whose chair an owner would take to move: another of their own whose turn it is."""
    turn = document["round"]["turn"] if document["round"] else None
    if not scene["owner"] or turn == scene["you"] or turn not in own_seats(document):
        return ""
    return str(scene["names"][turn])


def practice_of(document: Document, player_id: str | None, names: Mapping[int, str]) -> dict[str, Any] | None:
    """What the page of a practice table says of itself, and its chairs; None for any other table."""
    if document["mode"] != "practice":
        return None
    if document["viewer"]["role"] != "owner":
        return {"line": "Practice: one person plays every seat here.", "owner": False, "chairs": []}
    if document["status"] != "bidding":  # no cup is closed, and nobody looks through a chair
        return {"line": "Practice: every cup is open, nothing counts.", "owner": True, "chairs": []}
    sat = _who_sat(document, player_id)
    chairs = [(seat["seat"], names[seat["seat"]], sat.whose(seat["seat"])) for seat in document["seats"]]
    return {"line": _line(document["viewer"]["seat"], sat, names), "owner": True, "chairs": chairs}


@dataclass(frozen=True, slots=True)
class _Sat:
    """Who sat on the owner's seats in the match that the first hands are from."""

    names: Mapping[int, str] = field(default_factory=dict)
    mine: int | None = None  # the owner's own seat, where they had dice in that round
    was_there: bool = False

    def whose(self, seat: int) -> str:
        if seat not in self.names:
            return ""
        return "yours" if seat == self.mine else f"{self.names[seat]}’s"


def _who_sat(document: Document, player_id: str | None) -> _Sat:
    if not document.get("given"):
        return _Sat()
    try:
        before = past(document["given"]["table"], player_id).table
    except NothingThere:  # it may be gone, and the practice goes on
        return _Sat()
    names, own = names_of(before), own_seats(document)
    mine = [seat["seat"] for seat in before["seats"] if seat["player"] and seat["player"]["id"] == player_id]
    if len(mine) > 1:  # that was practice too, and every chair of it theirs
        return _Sat()
    return _Sat(
        names={seat: name for seat, name in names.items() if seat in own},
        mine=next((seat for seat in mine if seat in own), None),
        was_there=bool(mine),
    )


def _line(seat: int, sat: _Sat, names: Mapping[int, str]) -> str:
    """Whose chair this is, and why it is not the owner's own where it is not."""
    whose = sat.whose(seat)
    if not whose:
        return "Practice: look from any chair, nothing counts."
    if seat == sat.mine:
        return "Practice on your own chair."
    if sat.mine is not None:
        return f"Practice on {whose} chair; yours is {names[sat.mine]}."
    return f"Practice on {whose} chair: you {'were out' if sat.was_there else 'did not play'}."
