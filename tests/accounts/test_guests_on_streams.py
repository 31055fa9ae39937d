"""A guest of a browser on a stream of the API: it ends with the session."""

import asyncio
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client

from games.live import hub
from tests.people import API, a_guest
from tests.streams import one_looker
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hub, "SAFETY_SECONDS", 0.05)
    with one_looker(monkeypatch):
        yield


@pytest.mark.parametrize("way", ["forgets", "signs up"])
def test_a_stream_ends_with_the_session_that_opened_it(way: str) -> None:
    alice = a_guest("Alice")
    table_id = alice.opens(visibility="private")["id"]
    browser = a_browser(alice)

    heard = asyncio.run(_until_the_end(browser, table_id, way))

    assert heard == 1


async def _until_the_end(browser: Client, table_id: str, way: str) -> int:
    following = AsyncClient()
    following.cookies = browser.cookies
    stream = await following.get(f"{API}/tables/{table_id}/events")
    assert stream.status_code == 200
    events = aiter(stream)
    await anext(events)
    await sync_to_async(_go)(browser, way)

    async def rest() -> int:
        return 1 + len([event async for event in events if b"event:" in event])

    return await asyncio.wait_for(rest(), 10)


def _go(browser: Client, way: str) -> None:
    if way == "forgets":
        browser.post("/me/forget")
    else:
        form = {"name": "Alice", "email": "alice@example.org", "password1": "seven grey geese", "keep": "on"}
        assert browser.post("/sign-up", form).status_code == 302
