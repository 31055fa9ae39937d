"""How somebody plays at a browser: looks where the table stands, and does the next thing."""

import random
import time
from typing import Any

import httpx

from tests.browser.person import Person

API = "/api/v1"


def a_guest(site: str, name: str) -> str:
    """A guest of the API, by token."""
    answer = httpx.post(f"{site}{API}/guests", json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def asks(site: str, token: str, path: str, body: Any = None, *, method: str = "POST") -> Any:
    """What the API answers a token."""
    answer = httpx.request(
        method, f"{site}{API}/{path}", json=body, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.is_success, answer.text
    return answer.json()


def archive_of(site: str, table_id: str) -> dict[str, Any]:
    """The archive document of a finished match."""
    answer = httpx.get(f"{site}{API}/tables/{table_id}/archive")
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def view_of(site: str, table_id: str, token: str | None = None) -> dict[str, Any]:
    """The view of a table for a token, or for nobody."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    document: dict[str, Any] = httpx.get(f"{site}{API}/tables/{table_id}", headers=headers).json()
    return document


def moves_by_keys(person: Person, chance: random.Random) -> None:
    """Do the next thing by the keyboard alone: lift, go on, confirm, call or bid."""
    page = person.page
    if page.locator("[data-yes]").count():
        page.keyboard.press("Enter")
    elif page.locator("[data-lift], [data-next]").count():
        page.keyboard.press("n")
    elif page.locator("[data-call=liar]").count() and chance.random() < 0.4:
        page.keyboard.press("l")
    elif page.locator("[data-bid]:not([aria-disabled=true])").count():
        if chance.random() < 0.5:
            page.keyboard.press(chance.choice("23456"))
        if page.locator("[data-bid]:not([aria-disabled=true])").count():
            page.keyboard.press("Enter")
    elif page.locator("[data-call=liar]").count():
        page.keyboard.press("l")


def is_over(person: Person) -> bool:
    """Does the page show a match that has ended, with its cups lifted?"""
    page = person.page
    return page.locator("[data-finished]").count() > 0 and page.locator("[data-lift]").count() == 0


def plays_to_the_end(person: Person, *, seed: int, seconds: float = 240) -> None:
    """Play by the keyboard until the match is over."""
    chance = random.Random(seed)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if is_over(person):
            return
        moves_by_keys(person, chance)
        person.page.wait_for_timeout(30)
    raise AssertionError(f"no end: {person.page.inner_text('main')}")
