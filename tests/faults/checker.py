"""The checker of histories: what every client was told, held against what the database holds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.faults import acknowledging, deadlines, expiring, seeing
from tests.faults.deadlines import Patience
from tests.faults.findings import Finding
from tests.faults.replaying import replayed
from tests.faults.rows import Rows
from tests.faults.times import Clock
from tests.faults.told import Told


@dataclass
class Verdict:
    """What was found, and what was looked at."""

    findings: list[Finding] = field(default_factory=list)
    tables: int = 0
    versions: int = 0
    fired: int = 0  # deadlines
    lateness: list[float] = field(default_factory=list)  # of each, without the time that faults took


def check(rows: Rows, told: Told, *, clock: Clock, patience: Patience) -> Verdict:
    """Look at every table from every side."""
    verdict = Verdict([Finding("answer", "", words) for words in told.wrong])
    attempts, sights = defaultdict(list), defaultdict(list)
    for attempt in told.attempts:
        attempts[attempt.table].append(attempt)
    for sight in told.sights:
        sights[sight.table].append(sight)
    verdict.findings += acknowledging.tables(rows, told)
    verdict.findings += expiring.notices(rows)
    verdict.findings += expiring.expiries(rows, told, clock, late=clock.rate * (patience.seconds + 15))
    for table in sorted({*attempts, *sights} - rows.tables.keys() - expiring.gone(rows)):
        verdict.findings.append(Finding("lost", table, "was played at and is not there"))
    for id_, table in rows.tables.items():
        mine = Told(attempts=attempts[id_], sights=sights[id_])
        again = replayed(table)
        verdict.findings += again.findings
        verdict.findings += acknowledging.moves(table, again, mine.attempts)
        verdict.findings += acknowledging.leavings(table, again, mine)
        verdict.findings += seeing.versions(table, mine.sights, mine.attempts)
        verdict.findings += seeing.hands(table, mine.sights)
        timed = deadlines.timed(table, again, mine, clock, patience, read_at=rows.read_at)
        verdict.findings += timed.findings
        verdict.tables += 1
        verdict.versions += table.version
        verdict.fired += timed.fired
        verdict.lateness += timed.lateness
    return verdict
