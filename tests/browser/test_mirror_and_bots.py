"""The mirror and the page of bots in a real browser: read by axe, narrow and wide, by day and by night."""

from collections.abc import Callable

import pytest

from tests.browser.person import Person
from tests.browser.test_people import sign_up


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_they_are_clean(a_person: Callable[..., Person], width: int, dark: bool) -> None:
    alice = a_person(width=width, dark=dark)
    page = alice.goes("/me/preferences")
    page.get_by_role("button", name="Keep them").click()  # which makes a guest of her
    page.wait_for_load_state()
    for path, heading in (("/me/mirror", "Your mirror"), ("/me/bots", "Your bots")):
        page = alice.goes(path)
        assert page.get_by_role("heading", name=heading).is_visible()
        assert alice.violations() == []
        assert alice.too_wide() <= 0
    assert alice.complaints == []


def test_an_account_makes_a_bot_and_sees_its_token_once(a_person: Callable[..., Person]) -> None:
    alice = a_person(width=320)
    sign_up(alice.page)
    page = alice.goes("/me/bots")
    page.get_by_label("Name of a new bot").fill("Robin")
    page.get_by_role("button", name="Make a bot").click()

    assert page.get_by_role("heading", name="The token of Robin").is_visible()
    assert alice.violations() == []
    assert alice.too_wide() <= 0
    page = alice.goes("/me/bots")
    assert page.get_by_role("link", name="Robin").is_visible()
    assert not page.get_by_role("heading", name="The token of Robin").is_visible()
