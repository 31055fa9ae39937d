"""Readers that are slow, gone, or no longer welcome; and how a server lets go of them."""

import asyncio
import itertools
import json
import socket
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.test import AsyncClient, Client
from django.utils import timezone

from accounts.models import Player, Token, User
from accounts.visitors import note_seen
from config import asgi, streaming
from games.api import streams
from games.live import hub
from games.live.hub import Sight
from games.models import Table
from tests.people import API, a_guest
from tests.streams import one_looker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hub, "SAFETY_SECONDS", 0.05)
    with one_looker(monkeypatch):
        yield


class Wire:
    """The server's side of one connection, as ASGI has it."""

    def __init__(self, table_id: str, token: str | None = None) -> None:
        headers = [(b"host", b"localhost")] + (
            [(b"authorization", f"Bearer {token}".encode())] if token else []
        )
        path = f"{API}/tables/{table_id}/events"
        self.scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        self._asked = False
        self.sent: list[dict[str, Any]] = []
        self.flowing, self.gone = asyncio.Event(), asyncio.Event()
        self.flowing.set()
        self.transport = self
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True

    async def receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.flowing.wait()
        self.sent.append(dict(message))

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    async def says(self, text: str) -> None:
        async with asyncio.timeout(5):
            while text not in self.text:
                await asyncio.sleep(0.01)

    def start(self) -> "asyncio.Task[None]":
        return asyncio.create_task(asgi.application(self.scope, self.receive, self.send))


def test_a_reader_who_takes_nothing_is_dropped_and_nothing_of_it_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streaming, "SEND_SECONDS", 0.2)
    alice = a_guest("Alice")
    table = alice.opens()

    async def follow() -> Wire:
        wire, other = Wire(table["id"]), Wire(table["id"])
        served, also = wire.start(), other.start()
        await wire.says("id: ")
        await other.says("id: ")
        wire.flowing.clear()
        await sync_to_async(alice.post)(f"tables/{table['id']}/computers", {"level": "easy"})
        await asyncio.wait_for(served, 5)
        await other.says(f"id: {table['version'] + 1}")
        assert streams._open.total() == 1
        other.gone.set()
        await asyncio.wait_for(also, 5)
        return wire

    wire = asyncio.run(follow())

    assert wire.aborted
    assert streams._open.total() == 0


def test_a_reader_who_goes_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = a_guest("Alice").opens()["id"]
    before = threading.active_count()  # other tests of this process may have left some that carry

    async def follow() -> None:
        wires = [Wire(table_id) for _ in range(20)]
        served = [wire.start() for wire in wires]
        for wire in wires:
            await wire.says("id: ")
        threads = threading.active_count() - before
        assert streams._open.total() == 20
        assert threads < 8
        for wire in wires:
            wire.gone.set()
        await asyncio.wait_for(asyncio.gather(*served), 5)
        assert not any(wire.aborted for wire in wires)

    asyncio.run(follow())

    assert streams._open.total() == 0
    assert streaming._open == set()


def test_all_streams_can_be_ended_and_their_answers_are_whole() -> None:
    table_id = a_guest("Alice").opens()["id"]

    async def follow() -> list[Wire]:
        wires = [Wire(table_id) for _ in range(5)]
        served = [wire.start() for wire in wires]
        for wire in wires:
            await wire.says("id: ")
        asgi.end_streams()
        await asyncio.wait_for(asyncio.gather(*served), 5)
        return wires

    for wire in asyncio.run(follow()):
        assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert streams._open.total() == 0


def test_refusals_come_whole_through_the_server() -> None:
    async def ask() -> Wire:
        wire = Wire("nowhere")
        await asyncio.wait_for(wire.start(), 5)
        return wire

    wire = asyncio.run(ask())

    assert wire.sent[0]["status"] == 404
    assert json.loads(wire.text)["code"] == "not_found"
    assert not wire.sent[-1].get("more_body")


def test_a_token_that_is_taken_away_ends_the_stream() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens()["id"]

    async def follow() -> tuple[Wire, Wire]:
        hers, his = Wire(table_id, alice.token), Wire(table_id, bob.token)
        served, also = hers.start(), his.start()
        await hers.says("id: ")
        await his.says("id: ")
        await Token.objects.filter(player_id=bob.id).adelete()
        await asyncio.wait_for(also, 5)
        assert not served.done()
        hers.gone.set()
        await asyncio.wait_for(served, 5)
        return hers, his

    _, his = asyncio.run(follow())

    assert his.sent[-1]["more_body"] is False


def signed_in(name: str) -> tuple[Client, User]:
    user = User.objects.create_user(name, password="teaspoon-harbour")
    client = Client()
    client.force_login(user)
    return client, user


@pytest.mark.parametrize("what", ["signs out", "changes the password", "is shut out", "is forgotten"])
def test_a_session_that_no_longer_counts_ends_the_stream(what: str) -> None:
    table_id = a_guest("Alice").opens()["id"]
    client, user = signed_in("carol")

    def happens() -> None:
        if what == "signs out":
            client.logout()
        elif what == "changes the password":
            user.set_password("harbour-teaspoon")
            user.save()
        elif what == "is shut out":
            User.objects.filter(pk=user.pk).update(is_active=False)
        else:
            Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

    async def follow() -> None:
        asking = AsyncClient()
        asking.cookies = client.cookies
        answer: Any = await asking.get(f"{API}/tables/{table_id}/events")
        stream = aiter(answer)
        assert (await anext(stream)).startswith(b"id: ")
        await asyncio.sleep(0.3)
        assert streams._open.total() == 1
        await sync_to_async(happens)()
        assert [part async for part in stream] == []

    asyncio.run(asyncio.wait_for(follow(), 10))


def test_an_open_stream_counts_as_being_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PRESENCE_SECONDS", 0.1)
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens()["id"]
    long_ago = timezone.now() - timedelta(hours=1)
    Player.objects.update(seen_at=long_ago)

    async def seen_again() -> None:
        async with asyncio.timeout(5):
            while (await Player.objects.aget(pk=bob.id)).seen_at == long_ago:
                await asyncio.sleep(0.02)

    async def follow() -> None:
        wire = Wire(table_id, bob.token)
        served = wire.start()
        await seen_again()
        await Player.objects.aupdate(seen_at=long_ago)
        await seen_again()
        wire.gone.set()
        await served

    asyncio.run(follow())

    assert Player.objects.get(pk=alice.id).seen_at == long_ago


def test_who_was_noted_a_moment_ago_costs_no_change() -> None:
    alice = a_guest("Alice")
    now = timezone.now() + timedelta(hours=1)

    note_seen([alice.id], now=now)
    note_seen([alice.id], now=now + timedelta(seconds=14))
    assert Player.objects.get(pk=alice.id).seen_at == now
    note_seen([alice.id], now=now + timedelta(seconds=15))

    assert Player.objects.get(pk=alice.id).seen_at == now + timedelta(seconds=15)


def test_so_many_streams_and_no_more_go_to_one_address(settings: Any) -> None:
    settings.STREAMS_PER_ADDRESS = 2
    table_id = a_guest("Alice").opens()["id"]

    async def ask() -> list[Wire]:
        wires, served = [], []
        for address in ["10.0.0.1"] * 3 + ["10.0.0.2"] + ["127.0.0.1"] * 3:
            wires.append(Wire(table_id))
            wires[-1].scope["client"] = (address, 80)
            served.append(wires[-1].start())
            await wires[-1].says("d")
        for wire in wires:
            wire.gone.set()
        await asyncio.gather(*served)
        return wires

    wires = asyncio.run(ask())

    assert [wire.sent[0]["status"] for wire in wires] == [200, 200, 429, 200, 200, 200, 200]
    assert b"retry-after" in {name.lower() for name, _ in wires[2].sent[0]["headers"]}
    assert json.loads(wires[2].text)["code"] == "slow_down"


def test_a_change_without_announcement_is_found_all_the_same() -> None:
    table = a_guest("Alice").opens()

    async def follow() -> None:
        wire = Wire(table["id"])
        served = wire.start()
        await wire.says(f"id: {table['version']}")
        await Table.objects.filter(pk=table["id"]).aupdate(version=table["version"] + 1)
        await wire.says(f"id: {table['version'] + 1}")
        wire.gone.set()
        await served

    asyncio.run(follow())


async def a_server() -> tuple[uvicorn.Server, "asyncio.Task[None]", int]:
    """uvicorn within this test: what runs it, and its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(asgi.application, lifespan="off", log_level="error"))
    running = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    return server, running, int(listener.getsockname()[1])


def test_a_connection_that_nobody_reads_is_cut_with_what_waits_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "SEND_SECONDS", 0.3)
    table_id, versions = "abcdefgh23456789", itertools.count(1)
    monkeypatch.setattr(
        streams, "sights", lambda watched, now: {table_id: Sight(next(versions), False, watched[table_id])}
    )

    async def follow() -> int:
        server, running, port = await a_server()
        loop = asyncio.get_running_loop()
        with socket.socket() as client:
            client.setblocking(False)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await loop.sock_connect(client, ("127.0.0.1", port))
            asked = f"GET {API}/tables/{table_id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            await loop.sock_sendall(client, asked.encode())
            assert (await loop.sock_recv(client, 1000)).startswith(b"HTTP/1.1 200")
            async with asyncio.timeout(30):
                while server.server_state.connections:
                    for each in streams._hubs.values():
                        each.hear(table_id, 1_000_000)
                    await asyncio.sleep(0)
            kept = streams._open.total()
        server.should_exit = True
        await asyncio.wait_for(running, 5)
        return kept

    assert asyncio.run(follow()) == 0
    assert next(versions) > 100
