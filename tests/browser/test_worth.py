"""The panel of a past step in a real browser: read by axe, in both themes, narrow and without script."""

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.browser.person import Person


@pytest.fixture(scope="module")
def played(site: str) -> str:
    """A short match against a computer, played to its end and worked out: the address of its review."""
    with httpx.Client(base_url=f"{site}/api/v1") as api:
        token = api.post("/guests", json={"name": "Alice"}).json()["token"]
        api.headers["Authorization"] = f"Bearer {token}"
        wanted = {"rules": {"seats": 2, "starting_dice": 1}, "computers": [{"level": "normal"}]}
        table = api.post("/tables", json={**wanted, "clock": {"kind": "none"}}).json()
        _play(api, table["id"])
        review = f"/tables/{table['id']}/review"
        deadline = time.monotonic() + 90
        while api.get(f"{site}{review}/chances").status_code != 200:
            assert time.monotonic() < deadline, "no worker has worked the match out"
            time.sleep(0.2)
    return review


def _play(api: httpx.Client, table_id: str) -> None:
    """Call where that is possible, else make the lowest bid or go on, until the match is over."""
    while (view := api.get(f"/tables/{table_id}").json())["status"] != "finished":
        legal = view["legal"]
        if legal is None:
            time.sleep(0.05)
            continue
        action: dict[str, Any] = {"type": "liar"}
        if legal["next_round"]:
            action = {"type": "next_round"}
        elif not legal["liar"]:
            action = {"type": "bid", **legal["suggested"]}
        api.post(f"/tables/{table_id}/actions", json={**action, "version": view["version"]})


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_panel_is_clean(a_person: Callable[..., Person], played: str, width: int, dark: bool) -> None:
    someone = a_person(width=width, dark=dark)
    for path in (f"{played}/1", f"{played}/1/1", f"{played}/chances"):
        page = someone.goes(path)
        assert someone.violations() == []
        assert someone.too_wide() <= 0
    page = someone.goes(f"{played}/1")
    assert page.get_by_role("heading", name="What the bid was worth").is_visible()
    assert page.get_by_role("img", name="Winning chances after each round").is_visible()
    assert someone.complaints == []


def test_the_panel_follows_the_steps_and_leads_to_the_figures(
    a_person: Callable[..., Person], played: str
) -> None:
    page = a_person().goes(f"{played}/1")
    there = page.locator("[data-part=worth] .odds-figure")
    before = there.inner_text()

    page.get_by_role("link", name="One move back").click()
    page.wait_for_url(f"**{played}/1/*")
    page.wait_for_function(
        "before => document.querySelector('.odds-figure').innerText !== before", arg=before
    )
    page.get_by_role("link", name="The same as a table").click()
    page.wait_for_url(f"**{played}/chances")

    assert page.get_by_role("columnheader", name="Alice").is_visible()


def test_the_panel_is_there_without_script(a_person: Callable[..., Person], played: str) -> None:
    page = a_person(script=False).goes(f"{played}/1/1")

    assert page.locator("[data-part=worth] .odds-figure").is_visible()
    assert page.locator("svg.graph polyline").count() == 2
