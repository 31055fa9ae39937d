"""Did a version ever go back for anybody, and did anybody see a die before its time?"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.faults.findings import Finding
from tests.faults.rows import TableRows
from tests.faults.told import Attempt, Sight


def versions(rows: TableRows, sights: list[Sight], attempts: list[Attempt]) -> Iterator[Finding]:
    """Nobody who asks is told less than anybody was told before they asked; no stream goes back."""
    looks = [(s.asked, s.seen, s.version, s.by) for s in sights if not s.by.startswith("stream")]
    looks += [
        (a.sent, a.answered, a.told, "action")
        for a in attempts
        if a.acknowledged and not a.replayed and a.told is not None and a.answered is not None
    ]
    yield from _back(rows.id, looks)
    streams: dict[str, list[Sight]] = defaultdict(list)
    for sight in sights:
        if sight.by.startswith("stream"):
            streams[sight.by].append(sight)
    for name, told in streams.items():
        for before, after in itertools.pairwise(told):
            if after.version < before.version:
                yield Finding("back", rows.id, f"{name}: version {after.version} after {before.version}")
    highest = max((version for _, _, version, _ in looks), default=0)
    highest = max([highest, *(sight.version for sight in sights)])
    if highest > rows.version:
        yield Finding("lost", rows.id, f"version {highest} was told, and the rows are at {rows.version}")


def _back(table: str, looks: list[tuple[float, float, int, str]]) -> Iterator[Finding]:
    by_end = sorted(looks, key=lambda look: look[1])
    highest, place = 0, 0
    for asked, _, version, by in sorted(looks):
        while place < len(by_end) and by_end[place][1] < asked:
            highest = max(highest, by_end[place][2])
            place += 1
        if version < highest:
            yield Finding("back", table, f"a {by} told version {version} after version {highest}")


def hands(rows: TableRows, sights: Iterable[Sight]) -> Iterator[Finding]:
    """A live hand goes to its own seat, a revealed one to everybody, and no other anywhere."""
    holders = {seat.number: seat.player for seat in rows.seats}
    called = {event.number: event.version for event in rows.events if event.kind in ("liar", "exact")}
    left = {event.seat: event.version for event in rows.events if event.kind == "left"}
    for sight in sights:
        if sight.strange:
            yield Finding("leaked", rows.id, f"numbers at {sight.strange} in version {sight.version}")
        if sight.hand is not None:
            mine = sight.seat is not None and holders.get(sight.seat) == sight.viewer and sight.viewer
            gone = sight.seat in left and left[sight.seat] <= sight.version
            dealt = rows.hands.get((sight.number or 0, sight.seat if sight.seat is not None else -1))
            if not mine or gone or sight.hand != dealt:
                words = f"version {sight.version} showed {sight.hand} to {sight.viewer} as seat {sight.seat}"
                yield Finding("leaked", rows.id, f"{words}; dealt there: {dealt}")
        if sight.reveal is not None:
            yield from _revealed(rows, sight, called)


def _revealed(rows: TableRows, sight: Sight, called: dict[int, int]) -> Iterator[Finding]:
    number = sight.reveal or 0
    if called.get(number, sight.version + 1) > sight.version:
        yield Finding(
            "leaked", rows.id, f"round {number} was shown in version {sight.version}, before its call"
        )
    dealt = {seat: hand for (round_, seat), hand in rows.hands.items() if round_ == number}
    if sight.shown != dealt:
        yield Finding("leaked", rows.id, f"the reveal of round {number} showed {sight.shown}, not {dealt}")
