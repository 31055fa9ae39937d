"""Is every acknowledged move in the rows, once and where it belongs, and nothing there that nobody did?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.faults import expiring
from tests.faults.findings import Finding
from tests.faults.replaying import Replayed, Step
from tests.faults.rows import Event, Rows, TableRows
from tests.faults.told import Attempt, Told

AWAY_SECONDS = 55.0  # about a minute without a request, after which somebody has left a live table


def moves(rows: TableRows, replayed: Replayed, attempts: list[Attempt]) -> Iterator[Finding]:
    """Compare one table's events with all attempts to act there."""
    by_version = {event.version: event for event in rows.events}
    claimed: dict[int, str] = {}
    for same in _by_key(attempts):
        yield from _one_answer(rows, same)
        acknowledged = next((each for each in same if each.acknowledged and not each.replayed), None)
        acknowledged = acknowledged or next((each for each in same if each.acknowledged), None)
        if acknowledged is None:
            continue
        event = _event_of(acknowledged, rows, by_version)
        if event is None:
            yield Finding("lost", rows.id, f"acknowledged and not there: {_words(acknowledged)}")
        elif event.kind in ("bid", "liar", "exact"):
            if event.version in claimed:
                words = f"version {event.version} was acknowledged to two: {_words(acknowledged)}"
                yield Finding("lost", rows.id, words)
            claimed[event.version] = _words(acknowledged)
    yield from _done_by_nobody(rows, replayed, attempts)
    left = {event.seat for event in rows.events if event.kind == "left"}
    for attempt in attempts:
        if attempt.status == 403 and attempt.seat not in left:
            yield Finding("answer", rows.id, f"403 to somebody who sits there: {_words(attempt)}")


def _by_key(attempts: list[Attempt]) -> Iterable[list[Attempt]]:
    found: dict[object, list[Attempt]] = defaultdict(list)
    for attempt in sorted(attempts, key=lambda attempt: attempt.sent):
        found[(attempt.player, attempt.key) if attempt.key else id(attempt)].append(attempt)
    return found.values()


def _one_answer(rows: TableRows, same: list[Attempt]) -> Iterator[Finding]:
    """A key has one answer, however often it is asked."""
    answers = {
        (a.status, a.code, a.told) for a in same if a.status not in (None, 503) and a.code != "in_progress"
    }
    if len(answers) > 1:
        yield Finding("doubled", rows.id, f"one key, several answers: {answers} to {_words(same[0])}")


def _event_of(attempt: Attempt, rows: TableRows, by_version: dict[int, Event]) -> Event | None:
    """The event that this attempt was acknowledged for."""
    kind = attempt.action["type"]
    if kind in ("bid", "liar", "exact"):
        event = by_version.get(attempt.answers + 1)
        return event if event is not None and _is(event, attempt) else None
    told = attempt.told or 0
    if kind == "leave":
        return _leaving(attempt, rows)
    # A press: its own event, or any round that began meanwhile; pressing late changes nothing.
    since = attempt.answers if by_version.get(attempt.answers) else 0
    pressed = (e for e in rows.events if e.kind in ("ready", "round") and e.version <= told)
    return next((e for e in pressed if e.version > since or e.seat == attempt.seat), None)


def _leaving(attempt: Attempt, rows: TableRows) -> Event | None:
    """The event of a leaving; who is out, or comes when all is over, changes nothing by it."""
    mine = next((e for e in rows.events if e.kind == "left" and e.seat == attempt.seat), None)
    out = any(seat.number == attempt.seat and seat.dice == 0 for seat in rows.seats)
    over = out or attempt.seat is None or rows.status == "finished"
    return mine or (rows.events[-1] if over else None)


def _is(event: Event, attempt: Attempt) -> bool:
    wanted = {name: attempt.action[name] for name in ("quantity", "face", "total") if name in attempt.action}
    return (event.kind, event.seat, event.bid or {}) == (attempt.action["type"], attempt.seat, wanted)


def _done_by_nobody(rows: TableRows, replayed: Replayed, attempts: list[Attempt]) -> Iterator[Finding]:
    """Every move of a person must be one that this person sent, answering the version before."""
    sent: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        sent[attempt.answers + 1].append(attempt)
    players = {seat.number: seat.player for seat in rows.seats}
    for step in replayed.steps:
        event = step.event
        if event.kind in ("bid", "liar", "exact") and step.by_person and not step.auto:
            mine = [a for a in sent[event.version] if a.player == players[event.seat or 0] and _is(event, a)]
            if not mine:
                words = (
                    f"version {event.version}: {event.kind} {event.bid} of seat {event.seat}, sent by nobody"
                )
                yield Finding("doubled", rows.id, words)
        pressed = event.kind == "ready" or (event.kind == "round" and event.seat is not None)
        if pressed and not any(a.action["type"] == "next_round" and a.seat == event.seat for a in attempts):
            yield Finding("doubled", rows.id, f"version {event.version}: a press that nobody sent")


def leavings(rows: TableRows, replayed: Replayed, told: Told) -> Iterator[Finding]:
    """Nobody leaves who did not ask to, was not struck twice and was there."""
    players = {seat.number: seat.player for seat in rows.seats}
    for step in replayed.steps:
        if step.event.kind != "left" or step.event.facts["why"] == "strikes":
            continue
        player = players[step.event.seat or 0]
        asked = any(
            a.table == rows.id and a.player == player and a.action["type"] == "leave" for a in told.attempts
        )
        if not asked and not _was_away(player, step, told):
            words = f"version {step.event.version}: seat {step.event.seat} left and was there"
            yield Finding("doubled", rows.id, words)


def _was_away(player: str | None, step: Step, told: Told) -> bool:
    at = step.event.at
    return not any(s.viewer == player and at - AWAY_SECONDS < s.seen < at for s in told.sights)


def tables(rows: Rows, told: Told) -> Iterator[Finding]:
    """Every table that was asked for once is there once."""
    for opening in told.openings.values():
        if opening.table is not None and opening.table not in rows.tables.keys() | expiring.gone(rows):
            yield Finding("lost", opening.table, "acknowledged and not there")
    by_host: dict[str, int] = defaultdict(int)
    for table in rows.tables.values():
        by_host[table.host] += 1
    for host, made in by_host.items():
        asked = sum(1 for opening in told.openings.values() if opening.player == host)
        if made > asked > 0:
            yield Finding("doubled", "", f"{host} asked for {asked} tables and has {made}")


def _words(attempt: Attempt) -> str:
    return f"{attempt.action} of seat {attempt.seat} to version {attempt.answers}, told {attempt.told}"
