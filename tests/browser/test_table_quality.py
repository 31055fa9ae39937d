"""The page of a table: clean for axe, light, still, told to who cannot see, honest without a line."""

import gzip
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person
from tests.browser.playing import a_guest, asks

People = Callable[..., Person]

MOST_BYTES = 60_000
MOST_REQUESTS = 12


def an_own_match(person: Person, *, seats: int = 4, mode: str = "practice") -> Page:
    """A match that this person began at the form of a new table; its page."""
    page = person.goes("/tables/new")
    page.locator(f"[name=mode][value={mode}]").check()
    page.locator(f"[name=seats][value='{seats}']").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("[data-hide-key]")
    return page


def calls(page: Page) -> None:
    """Make a bid and call it, through whoever is to move."""
    page.keyboard.press("Enter")
    expect(page.locator("[data-call=liar]")).to_be_visible()
    page.keyboard.press("l")
    expect(page.locator("[data-lift]")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_and_nothing_is_too_wide(a_person: People, width: int, dark: bool) -> None:
    alice = a_person(width=width, dark=dark)
    page = an_own_match(alice, seats=6)
    seen: dict[str, Any] = {"bidding": (alice.violations(), alice.too_wide())}

    calls(page)
    seen["cups"] = (alice.violations(), alice.too_wide())
    page.keyboard.press("n")
    expect(page.locator(".ledger")).to_be_visible()
    seen["reveal"] = (alice.violations(), alice.too_wide())
    page.get_by_role("button", name="End this practice").click()
    page.wait_for_selector("[data-finished]")
    seen["ended"] = (alice.violations(), alice.too_wide())
    alice.goes(page.url + "/leave")
    seen["leave"] = (alice.violations(), alice.too_wide())

    assert {stage: found for stage, found in seen.items() if found[0] or found[1] > 0} == {}
    assert alice.complaints == []


def test_the_page_weighs_little_asks_for_little_and_stands_still(a_person: People) -> None:
    alice = a_person(width=360, height=740)
    page = an_own_match(alice, seats=6)
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    page.add_init_script(
        "window.shifted = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) =>"
        " (window.shifted += entry.hadRecentInput ? 0 : entry.value)))"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    page.reload(wait_until="load")
    page.wait_for_timeout(700)

    weights = {}
    for answer in answers:
        if "event-stream" not in answer.headers.get("content-type", ""):
            weights[answer.url] = len(gzip.compress(answer.body(), 6))
    assert sum(weights.values()) <= MOST_BYTES, weights
    assert len(answers) <= MOST_REQUESTS, list(weights)
    assert page.evaluate("window.shifted") < 0.02


def test_nothing_of_a_move_scrolls_on_a_small_telephone(a_person: People) -> None:
    alice = a_person(width=360, height=740)
    page = an_own_match(alice, seats=6)
    page.keyboard.press("Enter")
    lowest = page.locator("[data-call=liar]")
    expect(lowest).to_be_visible()
    box = lowest.bounding_box()
    assert box is not None
    # As many pixels may be needed for a notice that practice has and other tables do not.
    notice = page.locator(".notice").bounding_box()
    assert notice is not None
    assert box["y"] + box["height"] - notice["height"] - 12 <= 740


def test_a_reader_hears_each_move_once(a_person: People, site: str) -> None:
    alice = a_person()
    page = an_own_match(alice, seats=2)
    heard: list[str] = []
    page.expose_function("hear", lambda words: heard.append(words))
    page.evaluate(
        "new MutationObserver(() => window.hear(document.getElementById('heard').textContent))"
        ".observe(document.getElementById('heard'), { childList: true, characterData: true, subtree: true })"
    )
    for _ in range(2):
        before = page.get_attribute("#now", "data-version")
        page.keyboard.press("Enter")
        expect(page.locator("#now")).not_to_have_attribute("data-version", before or "")
    page.wait_for_timeout(1500)

    told = [words for words in heard if words]
    assert len(told) == 2, told
    assert "opened with" in told[0]
    assert "raised to" in told[1] or "went over to" in told[1]
    assert "Your move" in told[0]


def test_the_cups_lift_one_by_one_and_any_key_ends_it(a_person: People) -> None:
    alice = a_person(moving=True)
    page = an_own_match(alice, seats=3)
    calls(page)
    page.keyboard.press("n")
    page.wait_for_selector(".opening")
    assert page.locator(".outcome").evaluate("each => getComputedStyle(each).visibility") == "hidden"
    assert page.locator("h1").evaluate("each => getComputedStyle(each).visibility") == "hidden"

    page.keyboard.press("Escape")

    expect(page.locator(".opening")).to_have_count(0)
    expect(page.locator(".outcome")).to_be_visible()
    total = page.inner_text("[data-total]")
    page.reload()
    assert page.inner_text("[data-total]") == total
    assert page.locator(".opening").count() == 0
    assert alice.complaints == []


def test_the_cups_come_to_rest_by_themselves(a_person: People) -> None:
    alice = a_person(moving=True)
    page = an_own_match(alice, seats=2)
    calls(page)
    page.keyboard.press("n")
    page.wait_for_selector(".opening")

    expect(page.locator(".opening")).to_have_count(0, timeout=10_000)

    expect(page.locator(".stamp")).to_be_visible()
    expect(page.locator(".outcome")).to_be_visible()


def test_the_odds_follow_what_is_chosen(a_person: People) -> None:
    alice = a_person()
    page = alice.goes("/me/preferences")
    page.get_by_label("Odds helper").check()
    page.get_by_role("button", name="Keep them").click()
    an_own_match(alice, seats=2)
    page.keyboard.press("4")
    before = page.inner_text("[data-odds=figure]"), page.inner_text("[data-odds=likely]")

    for _ in range(6):
        page.keyboard.press("ArrowUp")

    assert "seven fours" in page.inner_text("[data-odds=likely]")
    assert int(page.inner_text("[data-odds=figure]").strip("<>")) < int(before[0].strip("<>"))
    assert page.get_attribute("[data-odds=bar]", "width") != "100%"
    assert alice.violations() == []
    assert alice.complaints == []


def test_hidden_dice_are_hidden_on_this_device_and_seen_by_a_peek(a_person: People) -> None:
    alice = a_person()
    page = an_own_match(alice)
    drawn = page.locator("[data-hand] use").evaluate_all("all => all.map((use) => use.getAttribute('href'))")

    page.get_by_role("button", name="Hide dice").click()
    assert page.locator("[data-hand] use").evaluate_all(
        "all => all.every((use) => use.getAttribute('href') === '#fx')"
    )
    page.reload()
    page.wait_for_selector("[data-peek-key]:visible")
    assert page.locator("[data-hand] use").first.get_attribute("href") == "#fx"
    page.get_by_role("button", name="Peek").click()
    shown = page.locator("[data-hand] use").evaluate_all("all => all.map((use) => use.getAttribute('href'))")

    assert shown == drawn
    assert alice.complaints == []


def test_without_a_line_the_page_says_so_and_a_move_is_sent_once(a_person: People) -> None:
    alice = a_person()
    page = an_own_match(alice, seats=2)
    version = page.get_attribute("#now", "data-version")
    page.context.set_offline(True)

    page.keyboard.press("Enter")

    expect(page.locator("#line")).to_contain_text("No connection.")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.locator(".words")).not_to_have_text("no bid yet")
    assert int(page.get_attribute("#now", "data-version") or 0) == int(version or 0) + 1


def test_a_dropped_answer_does_not_send_a_bid_twice(a_person: People) -> None:
    alice = a_person()
    page = an_own_match(alice, seats=2)
    sent = []

    def lose_the_first(route: Any) -> None:
        sent.append(route.request.post_data)
        if len(sent) == 1:
            httpx.post(
                route.request.url,
                content=route.request.post_data,
                headers={**route.request.all_headers()},
            )
            route.abort()
        else:
            route.continue_()

    page.route("**/act", lose_the_first)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.wait_for_timeout(1500)

    page.reload()
    assert page.locator(".history li").count() == 1


def test_a_page_opens_without_a_connection_once_it_was_visited(a_person: People) -> None:
    alice = a_person()
    page = alice.goes("/")
    for _ in range(100):
        if page.evaluate("navigator.serviceWorker.controller !== null"):
            break
        page.wait_for_timeout(100)
        page.reload()
    page.context.set_offline(True)

    page.goto("/tables/new")

    assert page.inner_text("h1") == "No connection"


def test_a_link_to_a_table_says_nothing_of_its_people_or_dice(site: str) -> None:
    token = a_guest(site, "Nobody Knows")
    table = asks(site, token, "tables", {"mode": "practice", "visibility": "unlisted"})
    page = httpx.get(f"{site}/tables/{table['id']}").text

    head = page.split("</head>")[0]
    described = re.findall(r'<meta name="description" content="([^"]*)"', head)
    assert described == ["A table of Liar’s Dice."]
    assert "Nobody Knows" not in head.replace("Nobody Knows’s table", "")
