"""The hub by itself: who is told what, and how much is kept for whom."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from games.live import hub as hubs
from games.live.hub import Hub, Reader, Sight


class Rows:
    """Tables that can be looked at, and who may see them."""

    def __init__(self) -> None:
        self.versions = {"t": 1}
        self.finished = False
        self.unwelcome: set[Any] = set()
        self.away: Exception | None = None
        self.looks: list[set[str]] = []
        self.there: list[frozenset[Any]] = []

    async def look(self, asked: Mapping[str, frozenset[Any]]) -> Mapping[str, Sight]:
        self.looks.append(set(asked))
        if self.away:
            raise self.away
        return {
            table_id: Sight(self.versions[table_id], self.finished, who - self.unwelcome)
            for table_id, who in asked.items()
            if table_id in self.versions
        }

    async def attend(self, there: frozenset[Any]) -> None:
        self.there.append(there)

    def hub(self) -> Hub:
        return Hub(look=self.look, attend=self.attend)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Rows:
    monkeypatch.setattr(hubs, "LOOK_SECONDS", 30.0)
    return Rows()


async def stirred(reader: Reader) -> None:
    assert await reader.stirred(5)


def test_a_reader_is_kept_the_newest_version_and_nothing_else(rows: Rows) -> None:
    async def follow() -> list[int]:
        hub = rows.hub()
        reader = hub.join("t", "alice")
        await stirred(reader)
        told = [reader.version]
        for version in range(2, 500):
            rows.versions["t"] = version
            hub.hear("t", version)
            await asyncio.sleep(0)
        await stirred(reader)
        await asyncio.sleep(0.05)
        told.append(reader.version)
        hub.leave(reader)
        return told

    assert asyncio.run(follow()) == [1, 499]
    assert not hasattr(Reader("t", None), "__dict__")  # no room for a queue


def test_a_version_never_goes_back(rows: Rows) -> None:
    async def follow() -> int:
        hub = rows.hub()
        rows.versions["t"] = 9
        reader = hub.join("t", "alice")
        await stirred(reader)
        rows.versions["t"] = 4  # as a replica that lags behind would say
        hub.hear("t", 10)
        assert not await reader.stirred(0.05)
        return reader.version

    assert asyncio.run(follow()) == 9


def test_what_is_known_already_costs_no_look(rows: Rows) -> None:
    async def follow() -> int:
        hub = rows.hub()
        reader = hub.join("t", "alice")
        await stirred(reader)
        for _ in range(50):
            hub.hear("t", 1)
            hub.hear("elsewhere", 5)
        await asyncio.sleep(0.05)
        return len(rows.looks)

    assert asyncio.run(follow()) == 1


def test_many_changes_are_looked_at_together(rows: Rows) -> None:
    async def follow() -> list[set[str]]:
        hub = rows.hub()
        rows.versions = {f"t{number}": 1 for number in range(100)}
        readers = [hub.join(table_id, "alice") for table_id in rows.versions]
        for reader in readers:
            await stirred(reader)
        rows.looks.clear()
        for table_id in rows.versions:
            rows.versions[table_id] = 2
            hub.hear(table_id, 2)
        for reader in readers:
            await stirred(reader)
        return rows.looks

    assert len(asyncio.run(follow())) <= 100 / hubs.MOST_AT_ONCE + 1


def test_who_may_no_longer_see_is_ended_without_the_version(rows: Rows) -> None:
    async def follow() -> tuple[Reader, Reader]:
        hub = rows.hub()
        alice, bob = hub.join("t", "alice"), hub.join("t", "bob")
        await stirred(alice)
        await stirred(bob)
        rows.versions["t"], rows.unwelcome = 2, {"bob"}
        hub.hear("t", 2)
        await stirred(alice)
        await stirred(bob)
        return alice, bob

    alice, bob = asyncio.run(follow())

    assert (alice.version, alice.over) == (2, False)
    assert (bob.version, bob.over) == (1, True)


def test_streams_live_on_while_the_rows_are_away_and_newcomers_hear_why_they_cannot(
    rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "LOOK_SECONDS", 0.05)

    async def follow() -> tuple[Reader, Reader]:
        hub = rows.hub()
        alice = hub.join("t", "alice")
        await stirred(alice)
        rows.away = OSError("gone")
        bob = hub.join("t", "bob")
        await stirred(bob)
        rows.away = None
        rows.versions["t"] = 2
        await stirred(alice)
        return alice, bob

    alice, bob = asyncio.run(follow())

    assert (alice.version, alice.over) == (2, False)
    assert bob.over
    assert isinstance(bob.error, OSError)


def test_without_announcements_all_tables_are_looked_at_now_and_then_and_seldom_with_them(
    rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hubs, "SAFETY_SECONDS", 0.4)

    async def follow() -> tuple[int, int]:
        hub = rows.hub()
        rows.versions = {f"t{number}": 1 for number in range(500)}
        for table_id in rows.versions:
            hub.join(table_id, "alice")
        await asyncio.sleep(0.3)
        often = sum("t7" in look for look in rows.looks)
        hub.hears_others(True)
        await asyncio.sleep(0.05)
        rows.looks.clear()
        await asyncio.sleep(1.0)
        return often, sum("t7" in look for look in rows.looks)

    often, seldom = asyncio.run(follow())

    assert often >= 3
    assert 1 <= seldom <= 4
    assert max(map(len, rows.looks)) <= hubs.MOST_AT_ONCE


def test_everybody_is_noted_at_once_and_again_now_and_then(
    rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "PRESENCE_SECONDS", 0.05)

    async def follow() -> None:
        hub = rows.hub()
        hub.join("t", "alice")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert rows.there == [frozenset({"alice"})]
        gone = hub.join("t", "bob")
        await asyncio.sleep(0.2)
        assert frozenset({"alice", "bob"}) in rows.there
        hub.leave(gone)
        rows.there.clear()
        await asyncio.sleep(0.2)

    asyncio.run(follow())

    assert len(rows.there) >= 2
    assert rows.there[-1] == frozenset({"alice"})


def test_nothing_runs_any_more_when_the_last_reader_is_gone_and_it_begins_anew_with_the_next(
    rows: Rows,
) -> None:
    async def follow() -> int:
        hub = rows.hub()
        reader = hub.join("t", "alice")
        await stirred(reader)
        hub.leave(reader)
        hub.leave(reader)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        rows.versions["t"] = 3
        again = hub.join("t", "alice")
        await stirred(again)
        return again.version

    assert asyncio.run(follow()) == 3
