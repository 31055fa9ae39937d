"""A whole match, round by round: what is kept of each round, and what all of them come to.

A match is added up one round after another, in as many sittings as one likes: what was added up so far is
itself a document. Chances are shares of one, rounded to four places.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from games.analysis import ANALYSIS_VERSION, mirror
from games.analysis.chances import chances_after, chances_at_the_end, chances_before
from games.analysis.decisions import (
    decision_at,
    decisions_in,
    placed_at,
    seat_of,
    situation_before,
)
from games.analysis.judging import Judgement, judged
from games.computers.situation import Decision
from games.engine.moves import Call
from games.engine.rules import Rules, rules_of

Document: TypeAlias = Mapping[str, Any]

PLACES = 4
TURNS = 4
"""So many turning points are named at most."""

TURN = 0.1
"""A round turns the match where somebody's chance changes by so much."""

COSTLY = 0.04
"""From here on a move is what turned a round; else it was the call."""


def weigh_decision(rules: Rules, reveal: Document, move: int) -> dict[str, Any]:
    """One decision of a revealed round, counted from 1, as it is kept."""
    situation, played = situation_before(rules, reveal, move), decision_at(reveal, move)
    return {"seat": situation.seat, **_written(judged(situation, played), played)}


def weigh_round(rules: Rules, reveal: Document) -> list[dict[str, Any]]:
    """Every decision of a revealed round."""
    return [weigh_decision(rules, reveal, move) for move in range(1, decisions_in(reveal) + 1)]


def _written(judgement: Judgement, played: Decision) -> dict[str, Any]:
    odds = judgement.odds
    return {
        "move": _move(played),
        "held": odds.held,
        "hidden": odds.hidden,
        "needed": odds.needed,
        "expected": round(odds.expected, 2),
        "true": _rounded(odds.chance),
        "told": _rounded(judgement.told),
        "exactly": _rounded(judgement.exactly),
        "mix": [[_move(move), _rounded(share)] for move, share in _likeliest_first(judgement.mix)],
        "cost": _rounded(judgement.cost),
    }


def _likeliest_first(mix: Mapping[Decision, float]) -> list[tuple[Decision, float]]:
    return sorted(mix.items(), key=lambda item: (-item[1], str(item[0])))


def _move(move: Decision) -> dict[str, Any]:
    return {"call": move.type} if isinstance(move, Call) else move.document()


def _rounded(value: float) -> float:
    """Rounded, but for what is certain or next to it: only what is certain is ever 0 or 1."""
    least = 10**-PLACES
    rounded: float = round(value, PLACES)
    if rounded in (0.0, 1.0) and value not in (0.0, 1.0) and abs(value - rounded) > 1e-12:
        return float(least if rounded == 0.0 else 1 - least)
    return rounded


def begun(frame: Document) -> dict[str, Any]:
    """The sum of a match of which no round was added yet; `frame` is its archive without the rounds."""
    seats = [seat["seat"] for seat in frame["table"]["seats"]]
    return {
        "version": ANALYSIS_VERSION,
        "seats": seats,
        "chances": [],
        "costs": {str(seat): 0.0 for seat in seats},
        "decisions": {str(seat): 0 for seat in seats},
        "turns": [],
        "mirrors": {},
    }


def add_round(
    frame: Document, so_far: Document, reveal: Document, decisions: Sequence[Document]
) -> dict[str, Any]:
    """The sum with one more round, which must be the next."""
    rules, seats = rules_of(frame["table"]), so_far["seats"]
    before, after = chances_before(rules, reveal, seats), chances_after(rules, reveal, seats)
    costs, numbers = dict(so_far["costs"]), dict(so_far["decisions"])
    own = own_decisions(frame["events"], reveal)
    for move in own:
        seat = str(decisions[move - 1]["seat"])
        costs[seat] = round(costs[seat] + decisions[move - 1]["cost"], PLACES)
        numbers[seat] += 1
    earlier = so_far["chances"][:-1]
    return {
        **so_far,
        "chances": [*earlier, _in_order(before, seats), _in_order(after, seats)],
        "costs": costs,
        "decisions": numbers,
        "turns": _turns(so_far["turns"], reveal, decisions, before, after),
        "mirrors": mirror.added(so_far["mirrors"], rules, reveal, decisions, own),
    }


def _in_order(chances: Mapping[int, float], seats: Iterable[int]) -> list[float]:
    return [round(chances[seat], PLACES) for seat in seats]


def _turns(
    turns: Sequence[Document],
    reveal: Document,
    decisions: Sequence[Document],
    before: Mapping[int, float],
    after: Mapping[int, float],
) -> list[Document]:
    """The rounds that changed most so far, the greatest change first."""
    seat = max(before, key=lambda seat: (abs(after[seat] - before[seat]), -seat))
    if abs(after[seat] - before[seat]) < TURN:
        return list(turns)
    dearest = max(range(len(decisions)), key=lambda at: decisions[at]["cost"])
    costly = decisions[dearest]["cost"] >= COSTLY
    turn = {
        "round": reveal["number"],
        "move": dearest + 1 if costly else len(decisions),
        "costly": costly,
        "seat": seat,
        "before": round(before[seat], PLACES),
        "after": round(after[seat], PLACES),
    }
    return sorted([*turns, turn], key=lambda turn: (-abs(turn["after"] - turn["before"]), turn["round"]))[
        :TURNS
    ]


def finished(frame: Document, so_far: Document) -> dict[str, Any]:
    """The sum of a match whose rounds were all added: with its end, and skill apart from luck."""
    seats, chances = so_far["seats"], so_far["chances"]
    end = chances_at_the_end(frame["table"]["result"], seats)
    if chances and end is not None and _in_order(end, seats) != chances[-1]:
        chances = [*chances, _in_order(end, seats)]
    return {**so_far, "chances": chances, "players": _players(frame, so_far)}


def _players(frame: Document, so_far: Document) -> dict[str, Any]:
    """Of everybody who stayed: what their own moves cost, and what else became of their chance."""
    gone = {event["seat"] for event in frame["events"] if event["kind"] == "left"}
    if not so_far["chances"]:
        return {}
    first, last = so_far["chances"][0], so_far["chances"][-1]
    players = {}
    for at, seat in enumerate(so_far["seats"]):
        if seat not in gone:
            cost = so_far["costs"][str(seat)]
            luck = round(last[at] - first[at] + cost, PLACES)
            players[str(seat)] = {
                "skill": -cost,
                "luck": luck,
                "decisions": so_far["decisions"][str(seat)],
            }
    return players


def own_decisions(events: Iterable[Document], reveal: Document) -> list[int]:
    """The moves of a round that whoever holds the seat made themselves, not a computer in their place."""
    marks = [(event["kind"], event["seat"], event["at"]) for event in events if event["seat"] is not None]
    left = {seat: at for kind, seat, at in marks if kind == "left"}
    struck = {(seat, at) for kind, seat, at in marks if kind == "strike"}
    own = []
    for move in range(1, decisions_in(reveal) + 1):
        seat, at = seat_of(reveal, move), placed_at(reveal, move)["at"]
        if (seat, at) not in struck and not (seat in left and at >= left[seat]):
            own.append(move)
    return own


def analysed(document: Document) -> dict[str, Any]:
    """The sum of a whole match at once, with every round under `rounds`."""
    rules, so_far, rounds = rules_of(document["table"]), begun(document), []
    for reveal in document["rounds"]:
        decisions = weigh_round(rules, reveal)
        so_far = add_round(document, so_far, reveal, decisions)
        rounds.append({"number": reveal["number"], "decisions": decisions})
    return {**finished(document, so_far), "rounds": rounds}
