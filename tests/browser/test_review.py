"""Stepping through a past match with keys, slider and links; for every eye, and without script."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.playing import a_guest, asks
from tests.browser.test_fairness import brings
from tests.verify.samples import a_club_match, a_document, a_draw

PARTS = (".past > .sheet", "[data-part=history]", "#practise", "#fair-dice")


def where(person: Person) -> tuple[str, str]:
    page = person.page
    return page.url.split("/", 5)[-1], page.inner_text("[data-part=words] .label")


def press(person: Person, key: str, expected: str) -> None:
    person.page.keyboard.press(key)
    expect(person.page.locator("[data-part=words] .label")).to_contain_text(expected)
    person.page.wait_for_url(f"**/{expected.replace('Round ', '').replace(', move ', '/')}*")


def test_keys_step_through_the_match_without_a_reload(
    a_person: Callable[..., Person], tmp_path: Path
) -> None:
    person = a_person()
    brings(person, a_club_match(), tmp_path)
    last = len(a_club_match()["rounds"])
    bids = [len(reveal["bids"]) for reveal in a_club_match()["rounds"]]
    person.page.evaluate("window.stays = true")

    press(person, "ArrowLeft", f"Round {last}, move {bids[-1]}")
    press(person, "Home", f"Round {last}, move 1")
    press(person, "ArrowLeft", f"Round {last - 1}, move {bids[-2] + 1}")
    press(person, "ArrowRight", f"Round {last}, move 1")
    press(person, "End", f"Round {last}, move {bids[-1] + 1}")

    words = person.page.inner_text("#step-words")
    assert person.page.text_content("[data-spoken]") == words
    assert person.page.evaluate("window.stays")
    address = person.page.url
    person.page.reload()
    assert person.page.url == address
    assert person.page.inner_text("#step-words") == words
    assert person.complaints == []


def test_the_slider_the_chairs_and_the_tabs_keep_the_focus(
    a_person: Callable[..., Person], tmp_path: Path
) -> None:
    person = a_person(width=360, height=740)
    brings(person, a_club_match(), tmp_path)
    page = person.page
    page.click(".rounds a >> nth=2")
    page.wait_for_url("**/3/*")
    assert page.evaluate("document.activeElement.textContent") == "3"

    page.focus("[data-step]")
    page.locator("[data-step]").fill("1")
    page.wait_for_url("**/3/1")
    assert page.evaluate("document.activeElement.matches('[data-step]')")
    assert page.get_attribute("[data-step]", "aria-valuetext") == page.inner_text("#step-words")

    page.click(".chairs a >> nth=2")
    page.wait_for_url("**/3/1?chair=1")
    assert page.locator(".holder.lifted").count() == 1
    assert page.evaluate("document.activeElement.closest('.chairs') !== null")
    press(person, "ArrowRight", "Round 3, move 2")
    assert page.url.endswith("?chair=1")

    page.go_back()
    expect(page.locator(".rounds [aria-current]")).not_to_have_text("3")
    assert person.complaints == []


def test_the_tab_of_the_round_is_in_view_on_a_telephone(
    a_person: Callable[..., Person], tmp_path: Path
) -> None:
    person = a_person(width=360, height=740)
    brings(person, a_draw(), tmp_path)
    for number in (999, 500, 2):
        person.page.goto(f"{person.page.url.split('/review/')[0]}/review/{key(person)}/{number}")
        box = person.page.locator(".rounds [aria-current]").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 360 - box["width"]


def key(person: Person) -> str:
    return person.page.url.split("/review/")[1].split("/")[0]


def test_links_do_everything_without_script(a_person: Callable[..., Person], tmp_path: Path) -> None:
    person = a_person(script=False)
    brings(person, a_club_match(), tmp_path)
    last = len(a_club_match()["rounds"])
    page = person.page

    page.click("#way-first")
    page.click("#way-back")
    page.click(".chairs a >> nth=1")

    assert page.inner_text("[data-part=words] .label").startswith(f"Round {last - 1}, move")
    assert page.url.endswith("?chair=0")
    assert not page.is_visible("[data-step]")
    assert not page.is_visible("[data-check]")
    page.click(".history a >> nth=0")
    assert page.inner_text("[data-part=words] .label").startswith(f"Round {last - 1}, move 1")


def a_past_practice(site: str) -> str:
    """The table of a practice of one round that is over."""
    alice = a_guest(site, "Alice")
    wanted = {"mode": "practice", "rules": {"seats": 2, "starting_dice": 1}}
    table = asks(site, alice, "tables", wanted)
    opener, actions = table["round"]["turn"], f"tables/{table['id']}/actions"
    bid = {"type": "bid", "quantity": 1, "face": 6, "seat": opener, "version": table["version"]}
    view = asks(site, alice, actions, bid)
    asks(site, alice, actions, {"type": "liar", "seat": 1 - opener, "version": view["version"]})
    return str(table["id"])


def test_on_a_wide_screen_practice_and_dice_lie_right_under_the_step(
    a_person: Callable[..., Person], site: str
) -> None:
    person = a_person(width=1280, height=800)
    page = person.goes(f"/tables/{a_past_practice(site)}/review")
    sheet, beside = (page.locator(each).bounding_box() for each in (".past > .sheet", ".beside"))
    assert sheet
    assert beside

    for section in ("#practise", "#fair-dice"):
        box = page.locator(section).bounding_box()
        assert box
        assert 0 <= box["y"] - sheet["y"] - sheet["height"] < 48
        assert box["x"] + box["width"] < beside["x"]
        assert box["y"] < 800
    page.set_viewport_size({"width": 1280, "height": 500})
    for words, section in (("Practise from here", "#practise"), ("Check the dice", "#fair-dice")):
        page.get_by_role("link", name=words, exact=True).click()
        expect(page.locator(f"{section} h2")).to_be_in_viewport()
        page.evaluate("scrollTo(0, 0)")
    assert person.violations() == []
    page.get_by_role("button", name="Practise from round 1").click()
    page.wait_for_selector("#scene")
    assert person.complaints == []


def test_on_a_telephone_the_match_comes_after_what_the_step_was_worth(
    a_person: Callable[..., Person], site: str
) -> None:
    person = a_person(width=360, height=740)
    page = person.goes(f"/tables/{a_past_practice(site)}/review")
    tops = [page.locator(each).evaluate("each => each.getBoundingClientRect().top") for each in PARTS]
    assert tops == sorted(tops)
    assert not page.get_by_role("link", name="Check the dice").is_visible()
    assert person.too_wide() <= 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wrong_with_these_pages_for_anybody(
    a_person: Callable[..., Person], tmp_path: Path, width: int, dark: bool
) -> None:
    person = a_person(width=width, dark=dark)
    person.goes("/review")
    assert person.violations() == []
    assert person.too_wide() <= 0
    sums = a_document(
        lambda document: document["table"]["rules"]["bidding"] == "sum" and len(document["rounds"]) > 2
    )
    false = a_club_match()
    false["table"]["commitment"] = "ab" * 32
    for document in (a_club_match(), sums, false):
        brings(person, document, tmp_path)
        person.page.goto(f"{person.page.url}/2/1?chair=1")
        assert person.violations() == []
        assert person.too_wide() <= 0
    person.page.click("[data-check]")
    person.page.wait_for_selector(".finding.wrong")
    assert person.violations() == []
    assert person.complaints == []


def test_targets_are_large_enough_for_a_thumb(a_person: Callable[..., Person], tmp_path: Path) -> None:
    person = a_person(width=360)
    brings(person, a_club_match(), tmp_path)
    small = person.page.eval_on_selector_all(
        ".rounds a, .way, .chairs a, main .key, .history li, summary",
        "all => all.map(each => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([html]) => html)",
    )
    assert small == []
