"""Accounts and pages about people in a real browser: passkeys, forms without script, axe."""

import re
import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person

PASSWORD = "seven grey geese"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def sign_up(page: Page, where: str = "") -> str:
    """Sign up as Alice under an e-mail that nobody had before, and return it."""
    email = f"alice-{secrets.token_hex(4)}@example.org"
    page.goto(f"{where}/sign-up")
    page.get_by_label("Name").fill("Alice")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Alice")
    return email


def test_a_passkey_is_added_and_signs_in(site: str, a_person: Callable[..., Person]) -> None:
    alice = a_person()
    page = alice.page
    named = f"http://localhost:{urlsplit(site).port}"  # a passkey belongs to a name, not to an address
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    sign_up(page, named)

    page.goto(f"{named}/account/passkeys/add")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Name").fill("Telephone")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("status")).to_have_text("The passkey is added. It signs you in from now on.")
    expect(page.get_by_role("listitem")).to_contain_text("Telephone")
    page.goto(f"{named}/sign-out")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{named}/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()

    page.wait_for_url(f"{named}/")
    page.goto(f"{named}/me")
    expect(page.get_by_role("heading", level=1)).to_have_text("Alice")
    assert alice.complaints == []


def test_a_passkey_that_a_device_refuses_leaves_a_sentence_and_other_ways(
    site: str, a_person: Callable[..., Person]
) -> None:
    page = a_person().page
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    refusing = AUTHENTICATOR | {"isUserVerified": False}
    line.send("WebAuthn.addVirtualAuthenticator", {"options": refusing})
    page.goto(f"http://localhost:{urlsplit(site).port}/sign-in")

    page.get_by_role("button", name="Sign in with a passkey").click()

    expect(page.get_by_text("Your device did not give a passkey")).to_be_visible(timeout=90_000)


def test_where_a_passkey_cannot_be_the_page_says_why(a_person: Callable[..., Person]) -> None:
    scripted, plain = a_person().goes("/sign-in"), a_person(script=False).goes("/sign-in")

    expect(scripted.get_by_text("this address has only numbers")).to_be_visible()
    expect(plain.get_by_text("It needs a browser with script")).to_be_visible()
    for page in (scripted, plain):
        expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()


def test_without_script_a_guest_keeps_preferences_and_signs_up_with_them(
    a_person: Callable[..., Person],
) -> None:
    page = a_person(script=False, width=360).goes("/me/preferences")
    page.get_by_label("Name").fill("Wanderer")
    page.get_by_label("Midnight, and a lamp.").check()
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    page.get_by_role("button", name="Keep them").click()
    expect(page.get_by_role("status")).to_have_text("Your preferences are kept.")

    page.goto("/sign-up")
    expect(page.get_by_label("Name")).to_have_value("Wanderer")
    page.get_by_label("E-mail").fill(f"{secrets.token_hex(6)}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    expect(page.get_by_label("Take along what Wanderer played here")).to_be_checked()
    page.get_by_role("button", name="Sign up").click()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("heading", level=1)).to_have_text("Wanderer")


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
def test_axe_finds_nothing_on_pages_about_people(
    width: int, dark: bool, a_person: Callable[..., Person]
) -> None:
    stranger, account, guest = (a_person(width=width, dark=dark) for _ in range(3))
    sign_up(account.page)
    me = account.page.get_by_role("link", name="How others see you").get_attribute("href") or ""
    guest.goes("/me/preferences").get_by_role("button", name="Keep them").click()
    expect(guest.page.get_by_role("status")).to_be_visible()
    visits = [
        *((stranger, page) for page in ("/sign-in", "/sign-up", "/password/reset", "/me", "/me/preferences")),
        *((guest, page) for page in ("/me", "/me/forget", "/sign-in", "/sign-up", me)),
        *((account, page) for page in ("/me", "/me/matches", "/me/matches?since=no&opponent=x", "/sign-out")),
        *((account, f"/account/{page}") for page in ("password", "passkeys", "places", "email", "who")),
    ]

    for person, page in visits:
        person.goes(page)
        assert person.violations() == [], page
        assert person.too_wide() <= 0, page
        assert not re.search(r"\bstyle=", person.page.content()), page
    assert [*stranger.complaints, *account.complaints, *guest.complaints] == []
