"""Every door through which something of a table could come out, as requests of one viewer."""

import asyncio
import difflib
import re
import secrets
from collections.abc import Iterator
from typing import Any

from django.test import AsyncClient, Client

from tests.people import API, Person
from tests.web.visiting import a_browser

Answer = tuple[str, int, tuple[tuple[str, str], ...], bytes]

GUIDE = ("rules", "ones", "odds", "strategy", "questions", "fair-dice")

# Drawn anew for every answer.
_BY_CHANCE = {"Set-Cookie", "X-Request-ID"}
_CSRF = re.compile(rb'name="(csrfmiddlewaretoken|key)" value="[^"]*"')


def everything_read(viewer: Person, table_id: str) -> Iterator[Answer]:
    """The answers to everything that this viewer may ask without changing anything."""
    tag = viewer.get(f"tables/{table_id}")["ETag"]
    for path in (
        f"tables/{table_id}",
        f"tables/{table_id}?as=0",
        f"tables/{table_id}?as=1",
        f"tables/{table_id}/rounds",
        *(f"tables/{table_id}/rounds/{number}" for number in range(1, 6)),
        f"tables/{table_id}/archive",
        "tables",
        "tables?status=bidding",
        "tables?mine=true",
        "tables?mode=casual",
        "me",
        "presets",
    ):
        yield _answer(f"GET {path}", viewer.get(path))
    yield _answer("GET unchanged", viewer.get(f"tables/{table_id}", if_none_match=tag))
    for page in ("/", f"/tables/{table_id}"):
        yield _answer(f"page {page}", viewer.client.get(page))
    for page in ("/", "/tables/new"):
        # A browser of its own for each, so that no page has a message left over from another.
        yield _answer(f"own page {page}", a_browser(viewer).get(page))
    for page in _pages_of_the_table(table_id, viewer.get(f"tables/{table_id}").json()["version"]):
        yield _answer(f"own page {page}", a_browser(viewer).get(page))
        yield _answer(f"part of {page}", a_browser(viewer).get(page, headers={"HX-Request": "true"}))
    for page in ("/computers", "/guide", *(f"/guide/{slug}" for slug in GUIDE)):
        yield _answer(f"own page {page}", a_browser(viewer).get(page))
    host = viewer.get(f"tables/{table_id}").json()["host"]
    people = (
        f"/players/{host}",
        "/me",
        "/me/matches",
        "/me/preferences",
        "/me/mirror",
        "/me/bots",
        f"/players/{host}/mirror",
        "/me/forget",
        "/sign-in",
        "/sign-up",
    )
    for page in people:
        yield _answer(f"own page {page}", a_browser(viewer).get(page))
    for page in _pages_of_the_past(table_id):
        yield _answer(f"own page {page}", a_browser(viewer).get(page))
    yield "events [api-events]", 200, (), asyncio.run(_first_event(viewer, table_id))


def _pages_of_the_table(table_id: str, version: int) -> Iterator[str]:
    """The page of a table as it can be asked for, and the pages that know no table."""
    yield from ("/manifest.webmanifest", "/offline", "/service-worker.js")
    yield from (f"/tables/{table_id}/leave", f"/tables/{table_id}/again")
    move = f"version={version}&type=bid&quantity=30&face=6"
    for asked in ("", "?last", "?lifted=99", "?lifted=99&last", "?as=0", "?as=1", f"?{move}"):
        yield f"/tables/{table_id}{asked}"


def _pages_of_the_past(table_id: str) -> Iterator[str]:
    """Every step of the first rounds, revealed or not; and archives that nobody brought."""
    yield f"/tables/{table_id}/review"
    yield f"/tables/{table_id}/review/chances"
    for number in range(1, 4):
        yield f"/tables/{table_id}/review/{number}"
        yield f"/tables/{table_id}/review/{number}/1?chair=0"
    yield from ("/review", "/review/0-x", "/review/0-x/1", "/review/0-x/1/1", "/review/0-x/archive.json")


def everything_refused(viewer: Person, table_id: str, version: int) -> Iterator[Answer]:
    """The answers to requests that must change nothing for this viewer, whatever lies under the cups."""
    actions = (
        {"type": "bid", "quantity": 31, "face": 6},
        {"type": "bid", "quantity": 1, "face": 7},
        {"type": "bid", "total": 999},
        {"type": "bid", "quantity": 0, "face": 2},
        {"type": "fold"},
        {"type": "bid"},
    )
    for action in actions:
        for seen in (version, version - 1, version + 1):
            body = {"version": seen, "seat": 0, **action}
            answer = viewer.post(f"tables/{table_id}/actions", body, idempotency_key=secrets.token_hex(16))
            yield _answer(f"refused {body}", answer)
    yield _answer("sit", viewer.post(f"tables/{table_id}/seats", {"seat": 0}))
    yield _answer("start", viewer.post(f"tables/{table_id}/start"))
    yield _answer("close", viewer.delete(f"tables/{table_id}"))
    yield _answer("free", viewer.delete(f"tables/{table_id}/seats/1"))
    yield _answer("leave", viewer.post(f"tables/{table_id}/seats/me"))  # DELETE would change something
    yield _answer("computer", viewer.post(f"tables/{table_id}/computers", {"level": "easy"}))
    yield _answer("invite", viewer.post(f"tables/{table_id}/invites"))
    yield _answer("guest", viewer.post("guests", {"name": 5}))
    yield _answer("garbage", viewer.post(f"tables/{table_id}/actions", b"{"))
    yield from _forms_refused(viewer, table_id)


def _forms_refused(viewer: Person, table_id: str) -> Iterator[Answer]:
    """Forms that nobody may send about a match that has begun."""
    yield _answer("page play", a_browser(viewer).get("/play"))
    yield _answer("page new", a_browser(viewer).post("/tables/new", {"mode": "none"}))
    for name in ("sit", "stand-up", "computers", "free", "start", "close"):
        form = {"seat": "1", "level": "easy"}
        yield _answer(f"page {name}", a_browser(viewer).post(f"/tables/{table_id}/{name}", form))
    for form in ({"type": "bid", "quantity": "31", "face": "6"}, {"type": "fold"}, {"type": "liar"}, {}):
        for seen in ("0", "x"):
            answer = a_browser(viewer).post(f"/tables/{table_id}/act", {"version": seen, **form})
            yield _answer(f"page act {form} {seen}", answer)
    for number in ("999", "x"):
        yield _answer("page lift", a_browser(viewer).post(f"/tables/{table_id}/lift", {"round": number}))
    for way in ("token", "rest"):
        yield _answer(f"page bot {way}", a_browser(viewer).post(f"/me/bots/nobody/{way}"))
    yield _answer("page practise", a_browser(viewer).post(f"/tables/{table_id}/review/999/practise"))


def everything_staff_reads(staff: Client, table_id: str) -> Iterator[Answer]:
    """Every page of the admin that could have to do with a table."""
    index = staff.get("/admin/games/")
    yield _answer("admin", index)
    for kind in sorted(set(re.findall(r"/admin/games/(\w+)/", index.content.decode()))):
        listing = staff.get(f"/admin/games/{kind}/")
        yield _answer(f"admin {kind}", listing)
        for page in sorted(
            set(re.findall(rf'href="(/admin/games/{kind}/[^"/]+/change/)', listing.content.decode()))
        ):
            yield _answer(f"admin {page}", staff.get(page))
            yield _answer(f"admin history of {page}", staff.get(page.replace("change", "history")))


def _answer(name: str, response: Any) -> Answer:
    return (
        f"{name} [{response.resolver_match.url_name}]",
        response.status_code,
        headers_of(response),
        _CSRF.sub(b"", response.content),
    )


def headers_of(response: Any) -> tuple[tuple[str, str], ...]:
    """The headers of an answer that should be the same for the same answer."""
    return tuple(sorted((key, value) for key, value in response.headers.items() if key not in _BY_CHANCE))


async def _first_event(viewer: Person, table_id: str) -> bytes:
    response = await AsyncClient().get(f"{API}/tables/{table_id}/events", headers=viewer._headers({}))
    if not response.streaming:
        return bytes(response.content)
    return bytes(await anext(aiter(response)))


def differences(first: list[Answer], second: list[Answer]) -> list[str]:
    """Where two lists of answers are not equal to the byte."""
    assert [answer[0] for answer in first] == [answer[0] for answer in second]
    return [_difference(a, b) for a, b in zip(first, second, strict=True) if a != b]


def _difference(a: Answer, b: Answer) -> str:
    """What is not equal in two answers, in few words."""
    lines = difflib.unified_diff(a[3].decode().split(","), b[3].decode().split(","), lineterm="", n=1)
    return f"{a[0]}: {a[1]} {b[1]} {sorted(set(a[2]) ^ set(b[2]))} {' '.join(lines)[:2000]}"
