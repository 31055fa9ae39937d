"""From the first visit to a table that begins, in a real browser: with script, without, narrow, dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browser.person import Person

A = Callable[..., Person]
WIDTHS = (320, 360, 768, 1280)


def a_table(person: Person, name: str, *, own_name: str = "", choose: tuple[str, ...] = ()) -> str:
    """Open a table through the form, and return its address."""
    page = person.goes("/tables/new")
    for choice in choose:
        # A number is a key with its radio button beneath: what is pressed is the label.
        page.locator(f"label[for={choice}]").click()
    if own_name:
        page.get_by_label("Your name at this table").fill(own_name)
    page.get_by_label("The table’s name").fill(name)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(lambda address: not address.endswith("/new"))
    return page.url


def looks_right(person: Person) -> None:
    assert person.violations() == []
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 740})
        assert person.too_wide() <= 0, width
    assert person.complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_a_newcomer_plays_with_one_press(a_person: A, script: bool) -> None:
    dave = a_person(width=360, script=script)
    dave.goes("/").get_by_role("button", name="Play three computers now").click()

    dave.page.wait_for_url("**/tables/*")

    assert "Three computers" in dave.page.content()
    assert dave.page.get_by_role("link", name="Guest").count() >= 1
    assert dave.complaints == []


@pytest.mark.parametrize("dark", [False, True])
def test_home_the_form_and_the_room_are_accessible_and_fit(a_person: A, dark: bool) -> None:
    alice, dave = a_person(dark=dark), a_person(dark=dark)
    dave.goes("/")
    looks_right(dave)
    alice.goes("/tables/new")
    alice.page.get_by_text("Change single rules").click()
    looks_right(alice)
    private = a_table(
        alice, "A long name for a table among friends", own_name="Alice", choose=("visibility-private",)
    )
    looks_right(alice)
    invitation = alice.page.get_by_label("Invitation").input_value()
    assert invitation.startswith(private)
    dave.goes(invitation)
    looks_right(dave)
    a_table(alice, "Begun", choose=("seats-2", "visibility-public", "mode-practice"))
    alice.goes("/")
    assert alice.page.locator(".letter").count() == 1
    looks_right(alice)


def test_what_does_not_go_together_is_off_and_says_why(a_person: A) -> None:
    page = a_person().goes("/tables/new")
    page.get_by_text("Change single rules").click()
    wild, palifico = page.locator("#ones-wild"), page.locator("#palifico-yes")
    wild.check()
    palifico.check()

    page.get_by_label("Sum", exact=True).check()

    assert wild.is_disabled()
    assert palifico.is_disabled()
    assert page.locator("#ones-wild-why").inner_text() == "Where the total is bid, nothing is wild."
    assert page.locator("#ones-preset").is_checked()
    assert page.locator("#ones-preset-effect").inner_text() == "Plain."
    assert page.locator("#palifico-preset").is_checked()
    page.locator("#bidding-faces").check()
    assert wild.is_enabled()
    assert page.locator("#ones-wild-why").is_hidden()
    assert page.locator("#mode-ranked").is_disabled()


def test_practice_has_no_clock_and_computers_fill_what_seats_there_are(a_person: A) -> None:
    page = a_person().goes("/tables/new")
    page.get_by_label("Practice", exact=True).check()
    assert page.locator("#pace-none").is_checked()
    assert page.locator("#pace-slow").is_disabled()
    assert page.get_by_label("For each move", exact=True).is_hidden()

    page.get_by_label("Casual", exact=True).check()
    page.locator("label[for=seats-3]").click()
    for number in (1, 2):
        page.get_by_label(f"Level of computer {number}").select_option("easy")

    assert page.get_by_label("Level of computer 3").is_hidden()
    assert page.locator("#outlook").inner_text() == "Every seat is taken: the match begins at once."
    page.locator("label[for=seats-2]").click()
    assert page.locator("#id_level_2").input_value() == ""


def test_a_seed_is_proposed_by_the_browser_and_a_form_is_sent_once(a_person: A) -> None:
    dave = a_person()
    page = dave.goes("/tables/new")
    seed = page.locator("#id_client_seed").input_value()
    assert len(seed) == 32
    int(seed, 16)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)

    page.get_by_role("button", name="Open the table").dblclick()
    page.wait_for_url(lambda address: not address.endswith("/new"))

    assert len(sent) == 1


def test_who_comes_and_goes_shows_by_itself_and_the_match_opens(a_person: A) -> None:
    alice, bob = a_person(), a_person(script=False)
    address = a_table(alice, "Harbour", own_name="Alice", choose=("seats-3",))
    alice.page.locator("#id_level").select_option("hard")

    bob.goes(address)
    bob.page.get_by_label("Your name at this table").fill("Bob")
    bob.page.get_by_role("button", name="Sit here").first.click()

    alice.page.get_by_text("You and Bob sit here; one of three seats is free.").first.wait_for()
    assert alice.page.locator("#news").inner_text() == "You and Bob sit here; one of three seats is free."
    assert alice.page.locator("#id_level").input_value() == "hard"  # what was chosen stays
    bob.page.get_by_role("button", name="Leave this seat").click()
    alice.page.get_by_text("You sit here; two of three seats are free.").first.wait_for()

    bob.page.get_by_role("button", name="Sit down").click()
    alice.page.get_by_role("button", name="Start now with these two").click()
    alice.page.locator("#seats").wait_for(state="detached")
    bob.goes(address)
    assert bob.page.locator("#seats").count() == 0
    assert alice.complaints == bob.complaints == []


def test_a_table_that_its_host_closes_says_so_to_who_waits(a_person: A) -> None:
    alice, bob = a_person(), a_person()
    address = a_table(alice, "Harbour", own_name="Alice")
    bob.goes(address)

    alice.page.get_by_text("Close this table").click()
    alice.page.get_by_role("button", name="Yes, close it").click()

    bob.page.get_by_text("This table is closed.").first.wait_for()
    assert bob.page.get_by_role("button", name="Sit down").is_disabled()


def test_home_looks_again_when_somebody_comes_back_to_it(a_person: A) -> None:
    alice, bob = a_person(), a_person()
    address = a_table(alice, "Two at sea", own_name="Alice", choose=("seats-2", "preset-calza"))
    alice.goes("/")
    assert alice.page.title().startswith("Nothing waits for you")
    bob.goes(address).get_by_role("button", name="Sit down").click()
    bob.page.locator("#seats").wait_for(state="detached")

    # As a browser tells it, after a while in another window.
    alice.page.evaluate(
        "() => { const now = Date.now; Date.now = () => now() + 60000;"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )

    alice.page.get_by_role("heading", name="One table waits for you.").wait_for()
    assert alice.page.title().startswith("One table waits for you")
    assert alice.page.locator("#news").inner_text() == "One table waits for you."
    assert alice.page.locator(".masthead .count").inner_text() == "1"


def test_news_does_not_overtake_the_answer_to_a_form(a_person: A) -> None:
    """It brings a new guest the cookie that knows them: a page that loads anew meanwhile loses their seat."""
    alice, bob = a_person(), a_person()
    address = a_table(alice, "Harbour", own_name="Alice", choose=("seats-2",))
    bob.goes(address)

    pages: list[str] = []
    before_the_answer: list[str] = []

    def answered_late(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        alice.page.locator("#scene").wait_for()  # the match has begun, and Bob's page was told as hers was
        bob.page.wait_for_timeout(1000)
        before_the_answer.extend(pages)
        route.fulfill(response=answer)

    bob.page.route("**/sit", answered_late)
    bob.page.on(
        "request", lambda asked: pages.append(asked.method) if asked.is_navigation_request() else None
    )
    bob.page.get_by_role("button", name="Sit down").click()

    bob.page.locator("[data-hand]").wait_for()
    assert before_the_answer == ["POST"]
    assert bob.complaints == []


def test_a_form_without_an_answer_does_not_keep_news_away(a_person: A) -> None:
    """Somebody stops it, or it answers with nothing that is a page: the page stays, and follows the table."""
    alice, bob, carol = a_person(), a_person(), a_person()
    address = a_table(alice, "Harbour", own_name="Alice", choose=("seats-2",))
    bob.page.clock.install()
    bob.goes(address)
    bob.page.route("**/sit", lambda route: route.fulfill(status=204))
    bob.page.get_by_role("button", name="Sit down").click()
    bob.page.wait_for_timeout(500)

    carol.goes(address).get_by_role("button", name="Sit down").click()
    carol.page.locator("#scene").wait_for()
    bob.page.wait_for_timeout(1000)
    bob.page.clock.fast_forward(31_000)

    bob.page.locator("#scene").wait_for()
    assert bob.complaints == []


def test_a_form_without_an_answer_can_be_sent_again_later(a_person: A) -> None:
    """A double press sends nothing twice, but whoever stopped it is not left with a dead key."""
    alice, bob = a_person(), a_person()
    address = a_table(alice, "Harbour", own_name="Alice", choose=("seats-3",))
    bob.page.clock.install()
    bob.goes(address)
    sent: list[str] = []
    bob.page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    bob.page.route("**/sit", lambda route: route.fulfill(status=204))
    for presses in (1, 2):
        for _ in range(3):
            bob.page.get_by_role("button", name="Sit down").click()
            bob.page.wait_for_timeout(300)
        assert len(sent) == presses
        bob.page.clock.fast_forward(31_000)
    assert bob.complaints == []
