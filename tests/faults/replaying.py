"""The events of a table, played again by the independent model: is all of it legal, and is it all there?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.faults.findings import Finding
from tests.faults.rows import Event, TableRows
from tests.model.match import Match, Refused
from tests.model.views import with_text_keys

REVEALED = ("number", "palifico", "opener", "call", "bid", "count", "right", "changes", "out",
            "next_opener", "next_palifico", "hands")  # fmt: skip


@dataclass(slots=True)
class Step:
    """One event, and what the model says of the moment before it."""

    event: Event
    status: str  # before it
    turn: int | None  # of a person or a computer
    by_person: bool  # is it a person's turn?
    auto: bool = False  # made by the computer for a person whose time was over
    at_once: bool = False  # a round that nobody had to start


@dataclass(slots=True)
class Replayed:
    """What came of it."""

    steps: list[Step] = field(default_factory=list)
    match: Match | None = None
    findings: list[Finding] = field(default_factory=list)


def replayed(rows: TableRows) -> Replayed:
    """Play it again, as far as it is legal."""
    done = Replayed(findings=list(_gaps(rows)))
    if done.findings:
        return done
    for place, event in enumerate(rows.events):
        if event.kind == "started":
            done.match = _begun(rows, event)
            done.steps.append(Step(event=event, status="open", turn=None, by_person=False))
        elif done.match is not None:
            try:
                _take(done, rows, event, rows.events[place - 1])
            except (Refused, ValueError, _Differs) as refusal:
                done.findings.append(Finding("illegal", rows.id, f"version {event.version}: {refusal}"))
                return done
    if done.match is not None:
        done.findings += _ends(rows, done.match)
    return done


class _Differs(Exception):
    """The rows say something else than the model."""


def _gaps(rows: TableRows) -> Iterator[Finding]:
    versions = [event.version for event in rows.events]
    if versions != list(range(1, rows.version + 1)):
        doubled = sorted({version for version in versions if versions.count(version) > 1})
        missing = sorted(set(range(1, rows.version + 1)) - set(versions))
        kind = "doubled" if doubled else "lost" if missing else "order"
        yield Finding(kind, rows.id, f"versions to {rows.version}: twice {doubled}, missing {missing}")
    for before, after in zip(rows.events, rows.events[1:], strict=False):
        if after.at < before.at:
            words = f"version {after.version} is {before.at - after.at:.3f} s before version {before.version}"
            yield Finding("order", rows.id, words)


def _begun(rows: TableRows, event: Event) -> Match:
    return Match(
        rows.rules,
        event.facts["seats"],
        opener=event.facts["opener"],
        computers=[seat.number for seat in rows.seats if seat.computer],
        clock="live" if rows.clock["kind"] == "live" else "none",
        practice=rows.mode == "practice",
    )


def _take(done: Replayed, rows: TableRows, event: Event, before: Event) -> None:
    match = done.match
    assert match is not None
    bidding = match.status == "bidding"
    step = Step(
        event=event,
        status=match.status,
        turn=match.turn if bidding else None,
        by_person=bidding and not match.by_computer(match.turn),
        auto=before.kind == "strike" and before.seat == event.seat,
    )
    done.steps.append(step)
    struck_out = event.kind == "left" and before.kind == "strike"  # which may have ended the match
    if match.status == "finished" and not struck_out:
        raise _Differs(f"{event.kind} after the end")
    match_kind = _TAKING.get(event.kind)
    if match_kind is None:
        raise _Differs(f"an event of a kind unknown here: {event.kind}")
    match_kind(match, rows, step)


def _bid(match: Match, rows: TableRows, step: Step) -> None:
    event = step.event
    assert event.bid is not None
    if event.number != match.round:
        raise _Differs(f"a bid of round {event.number} in round {match.round}")
    match.bid(_seat(event), event.bid, auto=step.auto)


def _call(match: Match, rows: TableRows, step: Step) -> None:
    event = step.event
    dealt = {seat: list(hand) for (number, seat), hand in rows.hands.items() if number == match.round}
    expected = with_text_keys(match.call(_seat(event), event.kind, dealt, auto=step.auto))
    for name in REVEALED:
        written = event.facts[name]
        if name in ("call", "bid"):
            written = {key: each for key, each in written.items() if key != "at"}
        if written != expected[name]:
            raise _Differs(f"{name} of the reveal is {written}, not {expected[name]}")


def _round(match: Match, rows: TableRows, step: Step) -> None:
    event = step.event
    if match.status == "revealed":
        if event.seat is None:
            match.reveal_over()
        else:
            match.next_round(event.seat)
    else:
        step.at_once = True
    begun = {"number": match.round, "opener": match.opener, "palifico": match.palifico}
    if match.status != "bidding" or match.bids or begun != event.facts:
        raise _Differs(f"round {event.facts} began, the model has {begun} and is {match.status}")


def _ready(match: Match, rows: TableRows, step: Step) -> None:
    if not match.next_round(_seat(step.event)) or match.status != "revealed":
        raise _Differs("a press that changed nothing, or began the round")


def _strike(match: Match, rows: TableRows, step: Step) -> None:
    if match.turn != step.event.seat:
        raise _Differs(f"a strike for seat {step.event.seat} at the turn of {match.turn}")
    match.timeout()
    if match.strikes[_seat(step.event)] != step.event.facts["strikes"]:
        raise _Differs(f"strike {step.event.facts}, not {match.strikes[_seat(step.event)]}")


def _left(match: Match, rows: TableRows, step: Step) -> None:
    seat = _seat(step.event)
    struck_out = step.event.facts["why"] == "strikes"
    if struck_out != (seat in match.left) or not (struck_out or match.leave(seat)):
        raise _Differs(f"seat {seat} left ({step.event.facts}) and could not")
    if step.event.facts["forfeit"] != (seat in match.forfeited):
        raise _Differs(f"seat {seat} left: forfeit {step.event.facts['forfeit']}")


def _abandoned(match: Match, rows: TableRows, step: Step) -> None:
    if not match.leave(_seat(step.event)):
        raise _Differs("the owner left and could not")


_TAKING = {
    "bid": _bid,
    "liar": _call,
    "exact": _call,
    "round": _round,
    "ready": _ready,
    "strike": _strike,
    "left": _left,
    "abandoned": _abandoned,
}


def _seat(event: Event) -> int:
    if event.seat is None:
        raise _Differs(f"{event.kind} of no seat")
    return event.seat


def _ends(rows: TableRows, match: Match) -> Iterator[Finding]:
    """Are the columns at hand what follows from the events?"""
    turn = match.turn if match.status == "bidding" else None
    if (rows.status, rows.turn) != (match.status, turn):
        words = f"{rows.status}, turn {rows.turn}; its events give {match.status}, turn {turn}"
        yield Finding("illegal", rows.id, words)
    for seat in rows.seats:
        if seat.number not in match.seats:
            continue
        gone = seat.number in match.left  # whose strikes count for nothing any more
        had = (seat.dice, None if gone else seat.strikes)
        follows = (match.dice[seat.number], None if gone else match.strikes.get(seat.number, 0))
        if had != follows:
            words = f"seat {seat.number} has (dice, strikes) {had}; its events give {follows}"
            yield Finding("illegal", rows.id, words)
    if match.status == "finished" and with_text_keys(match.result) != _result(rows):
        yield Finding("illegal", rows.id, f"result {rows.result}; its events give {match.result}")


def _result(rows: TableRows) -> object:
    return rows.result and {name: rows.result[name] for name in ("winner", "drawn", "places")}
