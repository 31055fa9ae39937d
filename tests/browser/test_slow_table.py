"""A slow table over days, on a clock that the test moves: deadlines, strikes, a match that is given up."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import hidden
from tests.browser.person import Person
from tests.browser.playing import archive_of
from tests.faults.times import MovedClock
from tests.serving import a_home, serving

HOUR = 3600.0
PATIENCE = 20_000


@pytest.fixture
def slow_site(tmp_path: Path) -> Iterator[tuple[str, MovedClock]]:
    """A site whose clock is the test's."""
    clock = MovedClock(tmp_path / "clock.json")
    with a_home() as home, serving(home, THROTTLE_LOOPBACK="false", **clock.variables) as served:
        yield served.address, clock


@pytest.fixture
def people(slow_site: tuple[str, MovedClock], chromium: Browser) -> Iterator[Callable[[], Person]]:
    with ExitStack() as leaving:

        def made() -> Person:
            context = chromium.new_context(base_url=slow_site[0], reduced_motion="reduce")
            leaving.callback(context.close)
            return Person(context.new_page())

        yield made


def days_pass(clock: MovedClock, hours: float) -> None:
    clock.set_back(-hours * HOUR)


def test_days_pass_and_the_clock_is_kept(
    slow_site: tuple[str, MovedClock], people: Callable[[], Person]
) -> None:
    site, clock = slow_site
    alice, bob = people(), people()
    page = alice.goes("/tables/new")
    page.locator("[name=seats][value='2']").check()
    page.locator("[name=turn]").fill("1")
    page.get_by_role("button", name="Open the table").click()
    table_id = re.findall(r"/tables/([a-z2-7]{16})", page.url)[0]
    bob.goes(f"/tables/{table_id}").get_by_role("button", name="Sit down").first.click()
    for person in (alice, bob):
        person.goes(f"/tables/{table_id}")
        person.page.wait_for_selector("[data-hide-key]")
    mover, waiter = (alice, bob) if alice.page.inner_text("h1") == "Your move" else (bob, alice)
    assert "23 h" in mover.page.inner_text(".turn") or "1 day left" in mover.page.inner_text(".turn")

    days_pass(clock, 20)
    mover.page.reload()
    expect(mover.page.locator(".turn [data-until]")).to_contain_text(re.compile(r"^(3 h 59 min|4 h) left$"))

    # A slow table asks before a move is sent; then it is the other's, for a day.
    mover.page.wait_for_selector("[data-hide-key]")
    mover.page.keyboard.press("Enter")
    expect(mover.page.locator("[data-yes]")).to_be_visible()
    mover.page.keyboard.press("Enter")
    expect(waiter.page.locator("h1")).to_have_text("Your move", timeout=PATIENCE)

    # Nobody looks while the day goes by: the computer moves, and both read that it did.
    days_pass(clock, 24.1)
    time.sleep(4)
    waiter.page.reload()
    expect(waiter.page.locator("h1")).not_to_have_text("Your move", timeout=PATIENCE)
    assert "ran out of time" in waiter.page.inner_text("main")

    # A second turn without a move of their own, and the match is given up.
    for _ in range(8):
        if mover.page.locator("[data-finished]").count():
            break
        moves(mover)
        days_pass(clock, 24.1)
        time.sleep(3)
        mover.page.reload()
    expect(mover.page.locator("h1")).to_have_text("You won", timeout=PATIENCE)

    archive = archive_of(site, table_id)
    seat = 0 if mover is alice else 1
    assert hidden.foreign_hands(mover, archive, seat) == [] or archive["rounds"] == []
    assert mover.complaints == []


def moves(person: Person) -> None:
    """Do what the page offers next, if it is one's own move."""
    page = person.page
    page.wait_for_timeout(500)
    for _ in range(3):
        if page.locator("[data-lift], [data-next]").count():
            page.keyboard.press("n")
        elif page.locator("[data-yes], [data-bid]").count():
            page.keyboard.press("Enter")
        page.wait_for_timeout(600)
