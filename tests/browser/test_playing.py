"""Whole matches in the browser: against computers, live and watched, in practice, without script."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import hidden
from tests.browser.person import Person
from tests.browser.playing import archive_of, is_over, moves_by_keys, plays_to_the_end, view_of

People = Callable[..., Person]


def table_at(person: Person) -> str:
    found = re.search(r"/tables/([a-z2-7]{16})", person.page.url)
    assert found, person.page.url
    return found[1]


def sits_at(person: Person, table_id: str) -> None:
    page = person.goes(f"/tables/{table_id}")
    page.get_by_role("button", name="Sit down").first.click()
    page.wait_for_load_state()


def test_from_the_first_visit_to_the_end_against_three_computers_by_keyboard_alone(
    a_person: People, site: str
) -> None:
    alice = a_person(width=360, height=740)
    page = alice.goes("/")
    page.get_by_role("button", name="Play three computers now").press("Enter")
    page.wait_for_selector("#scene")
    table_id = table_at(alice)

    plays_to_the_end(alice, seed=1)

    archive = archive_of(site, table_id)
    assert archive["table"]["result"] is not None
    assert page.get_by_role("link", name="Review the match").is_visible()
    assert hidden.rounds_shown(alice) >= {1}
    assert hidden.foreign_hands(alice, archive, seat=0) == []
    assert hidden.early_secrets(alice, archive) == []
    assert alice.complaints == []


def test_two_people_and_a_watcher_at_a_live_table(a_person: People, site: str) -> None:
    alice, bob, carol = a_person(), a_person(width=360, height=740), a_person(width=768)
    page = alice.goes("/tables/new")
    page.locator("[name=seats][value='2']").check()
    page.locator("[name=starting_dice][value='3']").check()
    page.locator("[name=pace][value=live-relaxed]").check()
    page.get_by_role("button", name="Open the table").click()
    table_id = table_at(alice)
    sits_at(bob, table_id)
    alice.page.wait_for_selector("#scene")
    carol.goes(f"/tables/{table_id}")

    chance = random.Random(5)
    for _ in range(900):
        if is_over(alice) and is_over(bob):
            break
        for person in (alice, bob):
            if not is_over(person):
                moves_by_keys(person, chance)
        alice.page.wait_for_timeout(40)
    carol.page.wait_for_selector("[data-finished]")

    archive = archive_of(site, table_id)
    for person, seat in ((alice, 0), (bob, 1), (carol, None)):
        assert hidden.foreign_hands(person, archive, seat=seat) == []
        assert hidden.early_secrets(person, archive) == []
        assert person.complaints == []
    assert hidden.hands_shown(carol) == []
    assert hidden.hands_shown(alice) != []
    # What a live table tells arrives by itself: nobody reloaded.
    assert carol.page.locator(".outcome").count() == 1


def test_practice_looks_through_every_chair(a_person: People, site: str) -> None:
    alice = a_person()
    page = alice.goes("/tables/new")
    page.locator("[name=mode][value=practice]").check()
    page.locator("[name=seats][value='3']").check()
    page.locator("[name=starting_dice][value='2']").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#scene")
    assert "nothing counts" in page.inner_text("main")

    chairs = page.locator("[data-chair]")
    hands = set()
    for at in range(3):
        chairs.nth(at).click()
        expect(chairs.nth(at)).to_have_attribute("aria-current", "true")
        hands.add(tuple(page.locator("[data-hand] li").evaluate_all("all => all.map(li => li.dataset.face)")))
    assert len(hands) > 1

    carol = a_person()
    carol.goes(f"/tables/{table_at(alice)}").wait_for_selector("#scene")
    plays_to_the_end(alice, seed=3)

    assert view_of(site, table_at(alice))["status"] == "finished"
    expect(carol.page.locator("[data-finished]")).to_have_count(1, timeout=20_000)
    if carol.page.locator("[data-lift]").count():
        carol.page.locator("[data-lift]").first.click()
    expect(carol.page.locator(".outcome")).to_have_count(1)
    archive = archive_of(site, table_at(alice))
    assert hidden.hands_shown(alice)
    assert hidden.hands_shown(carol) == []
    assert hidden.foreign_hands(carol, archive, None) == []
    assert hidden.early_secrets(carol, archive) == []
    assert hidden.rounds_shown(carol)
    assert alice.complaints == carol.complaints == []


@pytest.mark.parametrize("dark", [False, True])
def test_practice_has_the_key_of_a_bid_on_the_first_screen_of_a_telephone(
    a_person: People, dark: bool
) -> None:
    alice = a_person(width=360, height=740, dark=dark)
    page = alice.goes("/tables/new")
    page.locator("[name=mode][value=practice]").check()
    page.locator("[name=seats][value='6']").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("[data-hide-key]")

    place = page.locator("[data-bid]").bounding_box()
    assert place
    assert place["y"] + place["height"] <= 740
    assert alice.too_wide() <= 0
    for chair in page.locator("[data-chair]").all():
        box = chair.bounding_box()
        assert box
        assert box["height"] >= 44
    page.locator("[data-chair]").last.click()
    last = page.locator("[data-chair]").last
    expect(last).to_have_attribute("aria-current", "true")
    expect(last).to_be_in_viewport(ratio=1)
    page.locator(".practice summary").click()
    expect(page.get_by_text("Every cup is open to you")).to_be_visible()
    assert alice.violations() == []
    assert alice.complaints == []


def test_without_script_a_match_goes_on_by_forms_alone(a_person: People, site: str) -> None:
    alice = a_person(script=False)
    page = alice.goes("/")
    page.get_by_role("button", name="Play three computers now").click()
    table_id = table_at(alice)
    moves = 0
    for _ in range(300):
        if is_over(alice):
            break
        for what in ("[data-yes]", "[data-lift]", "[data-next]"):
            if page.locator(what).count():
                page.locator(what).first.click()
                break
        else:
            if page.locator("[data-bid]").count():
                moves += 1
                liar = page.locator("[data-call=liar]")
                (liar if liar.count() and moves % 3 == 0 else page.locator("[data-bid]")).click()
            else:
                page.wait_for_timeout(100)
                page.reload()
    archive = archive_of(site, table_id)
    assert moves > 3
    assert archive["table"]["result"] is not None
    assert hidden.foreign_hands(alice, archive, seat=0) == []


def test_a_bid_that_is_not_allowed_says_why_and_stays(a_person: People) -> None:
    alice = a_person()
    page = alice.goes("/tables/new")
    page.locator("[name=mode][value=practice]").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("[data-hide-key]")  # which script shows
    page.keyboard.press("5")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".words")).to_have_text("two fives")

    page.keyboard.press("5")
    page.locator("[name=quantity]").fill("1")
    page.keyboard.press("Enter")

    assert "start at" in page.inner_text("#rule")
    assert page.locator("[data-bid]").get_attribute("aria-disabled") == "true"
    assert "two fives" in page.inner_text(".words")
    page.locator("[name=quantity]").fill("99")
    assert "dice are in play" in page.inner_text("#rule")
    assert alice.complaints == []


def test_the_masthead_counts_what_waits_without_a_new_page(a_person: People) -> None:
    alice, bob = a_person(), a_person()
    page = alice.goes("/tables/new")
    page.locator("[name=seats][value='2']").check()
    page.get_by_role("button", name="Open the table").click()
    table_id = table_at(alice)
    sits_at(bob, table_id)
    for person in (alice, bob):
        person.goes(f"/tables/{table_id}").wait_for_selector("#scene")
    mover, waiter = (alice, bob) if alice.page.inner_text("h1") == "Your move" else (bob, alice)
    expect(mover.page.locator("[data-tables] .count")).to_have_text("1")
    expect(waiter.page.locator("[data-tables] .count")).to_have_count(0)

    mover.page.locator("[data-bid]").click()
    mover.page.locator("[data-yes]").click()

    expect(waiter.page.locator("[data-tables] .count")).to_have_text("1", timeout=20_000)
    expect(mover.page.locator("[data-tables] .count")).to_have_count(0)
    assert mover.page.locator("[data-tables]").inner_text() == "Tables"
    assert alice.complaints == bob.complaints == []
