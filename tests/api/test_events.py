"""The stream of a table: its id and version, and nothing else."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient

from games.api import events
from tests.people import API, Person, a_guest, nobody
from tests.tables import a_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(events, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(events, "COMMENT_SECONDS", 0.1)
    yield
    asyncio.run(sync_to_async(connections.close_all)())  # the one of the thread that read the tables


async def opened(person: Person, table_id: str) -> Any:
    return await AsyncClient().get(f"{API}/tables/{table_id}/events", headers=person._headers({}))


async def parts(response: Any) -> AsyncIterator[str]:
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
