"""Every deadline of a table, worked out again from its events: did it fire once, not early, and in time?

The times of events are what the site's clock showed. Whether a turn was cut short is also held against the
clock of the clients, which no process of the site can move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.faults.findings import Finding
from tests.faults.replaying import Replayed, Step
from tests.faults.rows import TableRows
from tests.faults.times import Clock
from tests.faults.told import Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """From when to when a fault kept the clocks from being looked at, in real time."""

    what: str
    began: float
    ended: float


@dataclass(kw_only=True)
class Patience:
    """How late is late: so many real seconds beyond what the faults explain."""

    seconds: float = 5.0
    outages: list[Outage] = field(default_factory=list)

    def excess(self, due: float, fired: float) -> float:
        """By how much a deadline was late beyond what is allowed, in real seconds; 0 where it was in time."""
        return max(0.0, self.waited(due, fired) - self.seconds)

    def waited(self, due: float, fired: float) -> float:
        """How long it waited while no fault kept it."""
        free, at = 0.0, due
        for outage in sorted(self.outages, key=lambda outage: outage.began):
            if outage.ended <= at or outage.began >= fired:
                continue
            free += max(0.0, outage.began - at)
            at = max(at, outage.ended)
        return free + max(0.0, fired - at)


@dataclass(slots=True, kw_only=True)
class Term:
    """One turn of a person, or one reveal, with its end as the clock showed it."""

    kind: str  # "turn" or "reveal"
    began: Step
    due: float


@dataclass(slots=True)
class Timed:
    """The deadlines of a table."""

    findings: list[Finding] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)  # of those that fired, in real seconds
    fired: int = 0


def timed(rows: TableRows, replayed: Replayed, told: Told, clock: Clock, patience: Patience, *,
          read_at: float) -> Timed:  # fmt: skip
    """Follow every deadline of a table to its end, or to the moment the rows were read."""
    done = Timed()
    walk = _Walk(rows, clock, patience, done)
    for step in replayed.steps:
        walk.take(step)
    walk.ends(clock.shows(read_at))
    done.findings += _cut_short(rows, replayed, told, clock)
    return done


class _Walk:
    def __init__(self, rows: TableRows, clock: Clock, patience: Patience, done: Timed) -> None:
        self.rows, self.clock, self.patience, self.done = rows, clock, patience, done
        bank = rows.clock.get("bank_seconds") or 0
        self.banks = {seat.number: float(bank) for seat in rows.seats}
        self.term: Term | None = None
        self.struck: set[int] = set()  # versions at which turns began that a strike has ended

    def take(self, step: Step) -> None:
        event, term = step.event, self.term
        if term is not None:
            self._end_of(term, step)
        if event.kind in ("started", "bid", "liar", "exact", "round"):
            self.term = Term(kind="turn", began=step, due=0.0)

    def _end_of(self, term: Term, step: Step) -> None:
        event = step.event
        span = self._span(step)
        if span is None or event.kind in ("ready", "left", "abandoned"):
            return
        due = term.began.event.at + span
        if event.kind == "strike":
            self._fires(event.version, due, event.at)
            if term.began.event.version in self.struck:
                self._found("doubled", f"version {event.version} is a second strike in one turn")
            self.struck.add(term.began.event.version)
            self._draw(step, term)
        elif step.status == "revealed" and event.seat is None:
            self._fires(event.version, due, event.at)
        elif not step.at_once and not step.auto:
            self._may_be_late(event.version, due, event.at)
            if step.by_person:
                self._draw(step, term)

    def _span(self, step: Step) -> float | None:
        """How long this turn or reveal may take, in seconds; None where nothing runs."""
        if step.status == "revealed":
            return None if self.rows.look is None else self.rows.look / 1000
        if self.rows.span is None or not step.by_person or step.turn is None:
            return None
        return self.rows.span / 1000 + self.banks[step.turn]

    def _draw(self, step: Step, term: Term) -> None:
        assert step.turn is not None
        assert self.rows.span is not None
        overrun = step.event.at - term.began.event.at - self.rows.span / 1000
        self.banks[step.turn] = max(0.0, self.banks[step.turn] - max(0.0, overrun))

    def _fires(self, version: int, due: float, at: float) -> None:
        self.done.fired += 1
        if at < due - 0.0015:  # times are kept in milliseconds
            self._found("early", f"version {version} fired {due - at:.3f} s before its time")
            return
        began, ended = self.clock.real(due), self.clock.real(at)
        self.done.lateness.append(self.patience.waited(began, ended))
        self._may_be_late(version, due, at)

    def _may_be_late(self, version: int, due: float, at: float, kind: str = "late") -> None:
        began, ended = self.clock.real(due), self.clock.real(at)
        if excess := self.patience.excess(began, ended):
            words = f"version {version} came {ended - began:.1f} real seconds after its deadline"
            self._found(kind, f"{words}, {excess:.1f} more than the faults explain")

    def ends(self, now: float) -> None:
        """The deadline that runs when the rows are read must not be over for long."""
        rows = self.rows
        if self.term is None or rows.status not in ("bidding", "revealed"):
            return
        waits = rows.computer_due_at
        if waits is not None:
            self._may_be_late(rows.version + 1, waits, now, "never")
            return
        if rows.due_at is None:
            return
        span = rows.look if rows.status == "revealed" else rows.span
        assert span is not None
        bank = self.banks[rows.turn] if rows.turn is not None else 0.0
        due = self.term.began.event.at + span / 1000 + bank
        if abs(due - rows.due_at) > 0.002:
            self._found("illegal", f"due_at is {rows.due_at - due:+.3f} s from what its events give")
        self._may_be_late(rows.version + 1, due, now, "never")

    def _found(self, kind: str, words: str) -> None:
        self.done.findings.append(Finding(kind, self.rows.id, words))


def _cut_short(rows: TableRows, replayed: Replayed, told: Told, clock: Clock) -> Iterator[Finding]:
    """Turns that ended for the clients sooner than they could, whatever the clocks of the site showed."""
    made: dict[int, float] = {}
    for attempt in told.attempts:
        if attempt.table == rows.id:
            # The first sending of it may be the one that was done, whatever became of its answer.
            version = attempt.answers + 1
            made[version] = min(attempt.sent, made.get(version, attempt.sent))
    first_seen: dict[int, float] = {}
    for sight in told.sights:
        if sight.table == rows.id:
            first_seen[sight.version] = min(sight.seen, first_seen.get(sight.version, sight.seen))
    began: int | None = None
    for step in replayed.steps:
        version = step.event.version
        over = step.event.kind == "strike" or (
            step.event.kind == "round" and step.event.seat is None and not step.at_once
        )
        seen = min((at for seen, at in first_seen.items() if seen >= version), default=None)
        span = rows.look if step.status == "revealed" else rows.span
        if over and began in made and seen is not None and span is not None:
            lasted = (seen - made[began]) * clock.rate
            if lasted < span / 1000:
                words = f"version {version} came {lasted:.2f} s after the move before it, not {span / 1000} s"
                yield Finding("early", rows.id, words)
        if step.event.kind in ("started", "bid", "liar", "exact", "round"):
            began = version
