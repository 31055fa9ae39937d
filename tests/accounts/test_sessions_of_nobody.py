"""Sessions before they are anybody's, and after their time: what a cookie may hold, what is kept."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.session_store import SessionStore
from games.tasks import forget_old_requests

pytestmark = pytest.mark.django_db

AJAX = {"X-Requested-With": "XMLHttpRequest"}

# A cookie in quotes may write any byte as three digits.
COOKIES = (
    '"abcdefgh\\000"',
    '"' + 9 * "\\000" + '"',
    '"abcdefgh\\377\\376"',
    "x" * 5000,
    "é" * 9,
    "'; --    ",
)


@pytest.mark.parametrize("cookie", COOKIES)
def test_a_cookie_that_is_no_key_of_ours_is_nobodys(cookie: str) -> None:
    sent = {"cookie": "; ".join(f"{name}={cookie}" for name in ("sessionid", "csrftoken", "messages", "tz"))}

    for path in ("/", "/me", "/sign-in", "/admin/login/"):
        assert Client().get(path, headers=sent).status_code == 200, path
    assert Client().get("/api/v1/me", headers=sent).status_code == 401
    assert Client().post("/play", headers=sent).status_code == 302
    assert Player.objects.count() == 1


def _a_session_of_nobody() -> Client:
    browser = Client()
    assert browser.get("/sign-in/passkey", headers=AJAX).status_code == 200
    assert Session.objects.filter(pk=browser.cookies["sessionid"].value).exists()
    return browser


def test_a_guest_begins_with_a_key_that_nobody_knew_before() -> None:
    browser = _a_session_of_nobody()
    known = browser.cookies["sessionid"].value
    other = Client()
    other.cookies["sessionid"] = known

    assert browser.post("/play").status_code == 302

    assert browser.cookies["sessionid"].value != known
    assert "You are new here" not in browser.get("/me").content.decode()
    assert "You are new here" in other.get("/me").content.decode()


def test_a_session_of_nobody_is_kept_for_a_day_and_that_of_a_guest_for_half_a_year() -> None:
    browser = _a_session_of_nobody()
    before = Session.objects.get().expire_date
    browser.post("/play")

    assert before <= timezone.now() + timedelta(days=1)
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=170)


def test_sessions_whose_time_is_over_are_forgotten() -> None:
    _a_session_of_nobody()
    guest = Client()
    guest.post("/play")

    forget_old_requests()
    assert Session.objects.count() == 2
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        forget_old_requests()

    assert SessionStore().exists(guest.cookies["sessionid"].value)
    assert Session.objects.count() == 1
