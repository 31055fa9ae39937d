"""Signing up, in and out through the pages; a guest keeps what they played, and nobody takes another's."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import Player, Preferences, User
from accounts.sessions import RENEWED_EVERY
from accounts.templatetags.places import browser_words

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SIGN_UP = {"name": "Alice", "email": "alice@example.org", "password1": "seven grey geese"}
SIGN_IN = {"login": "alice@example.org", "password": "seven grey geese"}


def signed_up(client: Client | None = None, **fields: str) -> Client:
    client = client or Client()
    answer = client.post("/sign-up", {**SIGN_UP, **fields})
    assert (answer.status_code, answer.url) == (302, "/me"), answer.content.decode()
    return client


def a_guest_browser(name: str = "Wanderer") -> tuple[Client, Player]:
    """A browser in which somebody plays as a guest."""
    client = Client()
    form = {"name": name, "confirm": "slow", "talk": "off", "notices": "off", "theme": "dark"}
    assert client.post("/me/preferences", form).status_code == 302
    return client, Player.objects.get(name=name)


@pytest.fixture
def with_mail(settings: Any) -> None:
    """The settings of a site that was told of a mail server."""
    settings.MAIL = settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = settings.ACCOUNT_LOGIN_BY_CODE_ENABLED = True
    settings.ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.MFA_PASSKEY_SIGNUP_ENABLED = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False


def the_code() -> str:
    """The code in the last mail."""
    found = re.search(r"^([A-Z0-9-]{6,12})$", mail.outbox[-1].body, re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[1]


def test_who_signs_up_takes_along_what_they_played_as_a_guest() -> None:
    browser, guest = a_guest_browser()

    assert "Wanderer" in browser.get("/sign-up").content.decode()
    signed_up(browser, keep="on")

    player = Player.objects.get()
    assert (player.pk, player.name, player.kind) == (guest.pk, "Alice", "account")
    assert Preferences.objects.get(player=player).theme == "dark"
    assert "Alice" in browser.get("/me").content.decode()


def test_who_does_not_take_the_guest_along_finds_them_again_after_signing_out() -> None:
    browser, guest = a_guest_browser()

    signed_up(browser)
    page = browser.get("/me").content.decode()
    browser.post("/sign-out")

    assert User.objects.get().player.pk != guest.pk
    assert "this browser played as Wanderer" in page
    assert Player.objects.get(pk=guest.pk).kind == "guest"
    assert "Wanderer" in browser.get("/me").content.decode()


def test_signing_in_to_an_account_merges_nothing_and_says_so() -> None:
    signed_up()
    browser, guest = a_guest_browser()

    assert "Signing in does not carry those tables over" in browser.get("/sign-in").content.decode()
    assert browser.post("/sign-in", SIGN_IN).status_code == 302

    assert browser.get("/api/v1/me").json()["player"]["name"] == "Alice"
    assert Player.objects.get(pk=guest.pk).user is None
    assert "Those tables and matches stay with that name" in browser.get("/me").content.decode()
    browser.post("/sign-out")
    assert browser.get("/api/v1/me").json()["player"]["id"] == guest.pk


def test_signing_out_leaves_nothing_of_the_account() -> None:
    browser = signed_up()

    browser.post("/sign-out")

    assert browser.get("/api/v1/me").status_code == 401
    assert "Alice" not in browser.get("/").content.decode()


def test_a_session_that_once_spoke_for_a_guest_never_speaks_for_the_account() -> None:
    browser, guest = a_guest_browser()
    other = Client()
    session = other.session
    session["guest"] = guest.pk
    session.save()
    signed_up(browser, keep="on")

    assert other.get("/api/v1/me").status_code == 401


def test_an_e_mail_has_one_account() -> None:
    signed_up()

    page = Client().post("/sign-up", {**SIGN_UP, "name": "Bob"}).content.decode()

    assert "There is an account with this e-mail already" in page
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "x" * 41, "40"),
        ("name", "\u200b", "at least one letter"),
        ("email", "no address", "valid"),
        ("password1", "password", "common"),
        ("password1", "short", "8 characters"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(field: str, value: str, said: str) -> None:
    page = Client().post("/sign-up", {**SIGN_UP, field: value}).content.decode()

    assert said in page
    assert 'aria-invalid="true"' in page
    assert not User.objects.exists()


def test_nobody_learns_an_e_mail_from_a_name() -> None:
    signed_up()

    player = Player.objects.get()
    page = Client().get(f"/players/{player.pk}").content.decode()

    assert "Alice" in page
    assert "example.org" not in page
    assert "alice" not in User.objects.get().username


def test_guessing_a_password_is_slowed_down_by_address_as_our_proxies_tell_it(settings: Any) -> None:
    signed_up()
    settings.TRUSTED_PROXIES = 1
    wrong = {**SIGN_IN, "password": "guess"}

    def tries(address: str) -> list[int]:
        heard = {"HTTP_X_FORWARDED_FOR": f"6.6.6.{address}, 192.0.2.{address}"}
        return [Client().post("/sign-in", {**wrong, "login": f"{n}@example.org"}, **heard) for n in range(12)]

    slowed = ["Too many attempts" in answer.content.decode() for answer in tries("1")]
    elsewhere = ["Too many attempts" in answer.content.decode() for answer in tries("2")[:5]]

    assert slowed == [False] * 10 + [True] * 2
    assert not any(elsewhere)


def test_without_a_cache_nobody_signs_in_and_everybody_hears_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from redis.exceptions import ConnectionError as Away

    def away(*args: Any, **named: Any) -> None:
        raise Away("gone")

    monkeypatch.setattr("allauth.core.internal.ratelimit.cache.add", away)

    answer = Client().post("/sign-in", SIGN_IN)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "tables do" in answer.content.decode()


def test_the_admin_keeps_its_own_way_in() -> None:
    User.objects.create_superuser("staff", password="only for this test")
    staff = Client()

    answer = staff.post("/admin/login/?next=/admin/", {"username": "staff", "password": "only for this test"})

    assert answer.status_code == 302
    assert staff.get("/admin/").status_code == 200


def test_where_one_is_signed_in_is_told_and_ended() -> None:
    here, there = signed_up(), Client()
    there.post("/sign-in", SIGN_IN, headers={"user-agent": "An old telephone"})

    assert "An old telephone" in here.get("/account/places").content.decode()
    here.post("/account/places")

    assert there.get("/api/v1/me").status_code == 401
    assert here.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit Chrome/140.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("Mozilla/5.0 (Macintosh) AppleWebKit Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on a Mac"),
        ("Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18.0 Mobile Safari/604.1", "Safari on an iPhone"),
        ("curl/8.0", "curl/8.0"),
        ("", "A browser that does not say what it is"),
    ],
)
def test_a_browser_is_told_in_words(said: str, words: str) -> None:
    assert browser_words(said) == words


def test_a_new_password_signs_out_everywhere_else() -> None:
    here, there = signed_up(), Client()
    there.post("/sign-in", SIGN_IN)
    form = {"oldpassword": SIGN_IN["password"], "password1": "nine white swans"}

    page = here.get("/account/password").content.decode()
    form |= {"password2": "nine white swans"} if 'name="password2"' in page else {}
    assert here.post("/account/password", form).status_code == 302

    assert there.get("/api/v1/me").status_code == 401
    assert here.get("/api/v1/me").status_code == 200


def test_without_mail_the_pages_say_what_cannot_be() -> None:
    browser = Client()

    for address in ("/password/reset", "/sign-in/code/send", "/sign-up/passkey"):
        assert "This site sends no mail" in browser.get(address).content.decode()
    assert "nothing is sent to it" in browser.get("/sign-up").content.decode()
    assert "Have a code sent" not in browser.get("/sign-in").content.decode()


def test_with_mail_an_account_begins_once_its_e_mail_is_confirmed(with_mail: None) -> None:
    browser, guest = a_guest_browser()

    sent = browser.post("/sign-up", {**SIGN_UP, "keep": "on"})
    assert sent.url == "/sign-up/confirm"
    assert browser.get("/api/v1/me").json()["player"]["kind"] == "guest"
    assert "Enter the code" in browser.get("/sign-up/confirm").content.decode()
    wrong = browser.post("/sign-up/confirm", {"code": "AAAAAA"})
    assert "This is not the code" in wrong.content.decode()
    browser.post("/sign-up/confirm", {"code": the_code()})

    assert browser.get("/api/v1/me").json()["player"] == {"id": guest.pk, "name": "Alice", "kind": "account"}
    assert mail.outbox[0].subject == "Your code for Longbluff"


def test_with_mail_nobody_learns_whether_an_e_mail_has_an_account(with_mail: None) -> None:
    browser = Client()
    browser.post("/sign-up", SIGN_UP)
    browser.post("/sign-up/confirm", {"code": the_code()})

    cache.clear()  # a mail to the same address may be asked for every ten seconds
    known, unknown = Client(), Client()
    answers = [
        known.post("/sign-up", SIGN_UP),
        unknown.post("/sign-up", {**SIGN_UP, "email": "dave@example.org"}),
    ]

    assert len({(answer.status_code, answer.url) for answer in answers}) == 1


def test_with_mail_a_code_signs_in_and_another_sets_a_new_password(with_mail: None) -> None:
    first = Client()
    first.post("/sign-up", SIGN_UP)
    first.post("/sign-up/confirm", {"code": the_code()})

    by_code = Client()
    by_code.post("/sign-in/code/send", {"email": SIGN_UP["email"]})
    by_code.post("/sign-in/code", {"code": the_code()})
    anew = Client()
    anew.post("/password/reset", {"email": SIGN_UP["email"]})
    anew.post("/password/reset/code", {"code": the_code()})
    form = {"password1": "nine white swans", "password2": "nine white swans"}
    anew.post("/password/reset/new", form)

    assert first.get("/api/v1/me").status_code == 401  # the new password ended it
    later = Client()
    assert later.post("/sign-in", {**SIGN_IN, "password": "nine white swans"}).status_code == 302
    assert later.get("/api/v1/me").json()["player"]["name"] == "Alice"


def test_a_guest_is_remembered_for_months_of_visits() -> None:
    with time_machine.travel(NOW, tick=False):
        browser, _ = a_guest_browser()
    for week in range(1, 60):
        later = NOW + timedelta(weeks=week)
        with time_machine.travel(later, tick=False):
            assert "Wanderer" in browser.get("/me").content.decode(), week


def test_a_session_is_renewed_now_and_then_and_not_at_every_visit() -> None:
    with time_machine.travel(NOW, tick=False):
        browser, _ = a_guest_browser()
        browser.get("/me")
        assert "sessionid" not in browser.get("/me").cookies
    with time_machine.travel(NOW + RENEWED_EVERY):
        assert "sessionid" in browser.get("/me").cookies
        assert "sessionid" not in browser.get("/me").cookies


def test_somebody_who_only_looks_gets_no_session() -> None:
    assert "sessionid" not in Client().get("/").cookies
    assert "sessionid" not in Client().get("/sign-in").cookies


def test_a_guest_may_be_forgotten_for_good_after_a_question() -> None:
    browser, guest = a_guest_browser()

    assert "Forget Wanderer?" in browser.get("/me/forget").content.decode()
    assert browser.get("/api/v1/me").status_code == 200
    browser.post("/me/forget")

    assert browser.get("/api/v1/me").status_code == 401
    assert Player.objects.get(pk=guest.pk).name == "Wanderer"


def test_a_guest_at_the_api_needs_the_token_of_the_form_to_change_anything() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/me/preferences")
    token = browser.cookies["csrftoken"].value
    form = {
        "name": "Wanderer",
        "confirm": "slow",
        "talk": "off",
        "notices": "off",
        "csrfmiddlewaretoken": token,
    }
    assert browser.post("/me/preferences", form).status_code == 302

    refused = browser.post("/api/v1/tables", "{}", content_type="application/json")
    token = browser.cookies["csrftoken"].value
    taken = browser.post(
        "/api/v1/tables", "{}", content_type="application/json", headers={"x-csrftoken": token}
    )

    assert refused.status_code == 403
    assert taken.status_code == 201


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000", "192.168.1.20:8080"])
def test_passkeys_are_not_offered_at_an_address_of_numbers(host: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    browser = signed_up()

    mine = browser.get("/me", headers={"host": host}).content.decode()
    passkeys = browser.get("/account/passkeys", headers={"host": host}).content.decode()

    assert 'href="/account/passkeys"' not in mine
    assert "not possible here: this address has only numbers" in mine
    assert 'href="/account/passkeys/add"' not in passkeys
    assert "None can be added here" in passkeys


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "dice.example.org", "4.example.org:443"])
def test_passkeys_are_offered_at_a_name(host: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    browser = signed_up()

    mine = browser.get("/me", headers={"host": host}).content.decode()
    passkeys = browser.get("/account/passkeys", headers={"host": host}).content.decode()

    assert 'href="/account/passkeys"' in mine
    assert 'href="/account/passkeys/add"' in passkeys
    assert "only numbers" not in mine + passkeys


def test_every_page_of_signing_in_has_nothing_inline() -> None:
    browser = signed_up()
    pages = [Client().get(address) for address in ("/sign-in", "/sign-up", "/password/reset")]
    addresses = ("/account/password", "/account/passkeys", "/account/places", "/account/email", "/sign-out")
    pages += [browser.get(address) for address in addresses]
    browser.post("/account/who", {"password": SIGN_IN["password"]})
    pages.append(browser.get("/account/passkeys/add"))

    for answer in pages:
        page = answer.content.decode()
        assert answer.status_code == 200
        assert not re.search(r"\sstyle=|\son\w+=|javascript:", page)
        for script in re.findall(r"<script([^>]*)>", page):
            assert "src=" in script or 'type="application/json"' in script
        assert "script-src 'unsafe" not in answer["Content-Security-Policy"]
