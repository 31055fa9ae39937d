"""The stream of a table: its id and version, and nothing else."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from games.api import streams
from games.live import hub
from tests.people import API, Person, a_guest, nobody
from tests.streams import one_looker
from tests.tables import a_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(streams, "COMMENT_SECONDS", 0.1)
    monkeypatch.setattr(hub, "LOOK_SECONDS", 60.0)  # what is not announced does not come
    with one_looker(monkeypatch):
        yield


async def opened(person: Person, table_id: str) -> Any:
    return await AsyncClient().get(f"{API}/tables/{table_id}/events", headers=person._headers({}))


async def parts(response: Any) -> AsyncGenerator[str, None]:
    async for part in response:
        yield part.decode()


def test_every_change_is_told_until_the_end_and_nothing_else_is() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = a_match(alice, bob, rules={"first_opener": "host"})

    async def read() -> list[str]:
        response = await opened(nobody(), table["id"])
        assert response["Content-Type"] == "text/event-stream"
        stream = parts(response)
        told = [await anext(stream)]
        await sync_to_async(alice.acts)(table["id"], table["version"], type="bid", quantity=1, face=2)
        told.append(await anext(stream))
        await sync_to_async(bob.delete)(f"tables/{table['id']}/seats/me")
        told += [part async for part in stream]
        return told

    told = [part for part in asyncio.run(read()) if not part.startswith(":")]

    versions = [table["version"], table["version"] + 1, table["version"] + 2]
    assert told == [
        f"id: {version}\nevent: table\ndata: {json.dumps({'id': table['id'], 'version': version})}\n\n"
        for version in versions
    ]


def test_a_quiet_stream_says_now_and_then_that_it_lives() -> None:
    table_id = a_guest("Alice").opens()["id"]

    async def read() -> list[str]:
        stream = parts(await opened(nobody(), table_id))
        return [await anext(stream), await anext(stream)]

    assert asyncio.run(read())[1].startswith(":")


def test_a_private_table_tells_strangers_nothing_and_who_was_put_out_no_more() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens(visibility="private")["id"]
    bob.sits(table_id, invite=alice.post(f"tables/{table_id}/invites").json()["invite"])

    async def read() -> list[str]:
        assert (await opened(nobody(), table_id)).status_code == 404
        assert (await opened(Person(token="bad"), table_id)).status_code == 401
        stream = parts(await opened(bob, table_id))
        told = [await anext(stream)]
        await sync_to_async(alice.delete)(f"tables/{table_id}/seats/1")
        told += [part async for part in stream]
        return told

    assert len([part for part in asyncio.run(read()) if part.startswith("id:")]) == 1


def test_a_stream_ends_with_a_closed_table() -> None:
    alice = a_guest("Alice")
    table_id = alice.opens()["id"]

    async def read() -> list[str]:
        stream = parts(await opened(nobody(), table_id))
        told = [await anext(stream)]
        await sync_to_async(alice.delete)(f"tables/{table_id}")
        return told + [part async for part in stream]

    assert asyncio.run(read())


def test_many_streams_share_few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = a_guest("Alice").opens()["id"]
    looked: list[int] = []
    look = streams.sights

    def looking(*asked: Any, **named: Any) -> Any:
        looked.append(threading.get_ident())
        return look(*asked, **named)

    monkeypatch.setattr(streams, "sights", looking)

    async def read() -> None:
        readers = [parts(await opened(nobody(), table_id)) for _ in range(20)]
        for _ in range(3):
            await asyncio.gather(*(anext(reader) for reader in readers))
        assert streams._open.total() == 20
        for reader in readers:
            await reader.aclose()

    asyncio.run(read())

    assert len(set(looked)) == 1  # as many as there are threads for it here
    # One for everybody who came, one when announcements come in, and none while nothing changes.
    assert len(looked) <= 21
    assert streams._open.total() == 0


def test_a_stream_too_many_is_told_to_look_now_and_then(settings: Any) -> None:
    table_id = a_guest("Alice").opens()["id"]
    settings.STREAMS_MOST = 0

    answer = asyncio.run(opened(nobody(), table_id))

    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert streams._open.total() == 0


def test_a_server_without_an_event_loop_tells_the_version_and_lets_its_reader_come_back() -> None:
    alice = a_guest("Alice")
    table = alice.opens()

    answer = alice.get(f"tables/{table['id']}/events")

    assert answer["Content-Type"] == "text/event-stream"
    assert answer.content.decode() == (
        f"retry: 2000\nid: {table['version']}\nevent: table\n"
        f"data: {json.dumps({'id': table['id'], 'version': table['version']})}\n\n"
    )
