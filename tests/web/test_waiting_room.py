"""A table before its match: who sees it, sits down, fills it, starts it, closes it; each refusal in words."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import Player, User
from games import invites
from games.models import Table
from tests.people import Person, a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 9


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


def said(browser: Client, answer: Any) -> str:
    """The sentence that comes with the page to which an answer leads."""
    assert answer.status_code == 302
    page = text(browser.get(answer["Location"]))
    found = re.search(r'<p class="said [^"]*" role="status">(.*?)</p>', page)
    return found[1] if found else ""


def sitting(table_id: str) -> list[str]:
    """Who sits there by now, in the order of the seats."""
    seats = Table.objects.get(pk=table_id).seats.order_by("number").select_related("player")
    return [seat.player.name if seat.player else seat.character or "-" for seat in seats]


@pytest.fixture
def alice() -> Person:
    return a_guest("Alice")


@pytest.fixture
def bob() -> Person:
    return a_guest("Bob")


def test_a_stranger_sees_who_sits_there_the_rules_and_where_to_sit(alice: Person) -> None:
    table = alice.opens(name="Harbour <Club>", preset="low-ones", computers=[{"level": "hard"}])

    page = text(Client().get(f"/tables/{table['id']}"))

    assert "Alice and Quill sit here; two of four seats are free." in page
    assert "computer, hard" in page
    assert page.count("Sit here</button>") == 2
    assert "Your name at this table" in page
    assert "Wild for every other face, and may be bid as the lowest one." in page
    assert "Five dice each · two days a move" in page
    assert re.search(r'href="/guide/rules#[\w-]+"', page)
    assert table["commitment"] in page
    assert "You are the host" not in page
    assert "Harbour <Club>" in page
    assert "<Club>" not in Client().get(f"/tables/{table['id']}").content.decode()


def test_who_is_nobody_yet_sits_down_under_a_name_and_plays_on(alice: Person) -> None:
    table_id = alice.opens(rules={"seats": 2})["id"]
    browser = Client()

    answer = browser.post(f"/tables/{table_id}/sit", {"own_name": "Dave", "client_seed": "d" * 32})

    assert answer["Location"] == f"/tables/{table_id}"
    assert sitting(table_id) == ["Alice", "Dave"]
    table = Table.objects.get(pk=table_id)
    assert table.status == "bidding"
    assert table.seats.get(number=1).client_seed == "d" * 32
    assert Player.objects.filter(name="Dave").count() == 1


def test_one_sits_on_the_seat_that_one_pressed_or_on_the_first_that_is_free(alice: Person) -> None:
    table_id = alice.opens()["id"]

    Client().post(f"/tables/{table_id}/sit", {"own_name": "Bob", "seat": "2"})
    Client().post(f"/tables/{table_id}/sit", {"own_name": "Carol"})

    assert sitting(table_id) == ["Alice", "Carol", "Bob", "-"]


def test_whoever_gives_no_name_is_a_guest(alice: Person) -> None:
    table_id = alice.opens()["id"]
    Client().post(f"/tables/{table_id}/sit", {})

    assert re.fullmatch("Guest [A-Z0-9]{4}", sitting(table_id)[1])


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"own_name": "\u3164"}, "A name has at least one letter, digit or sign."),
        (
            {"own_name": "Dave", "client_seed": "a|b"},
            "A client seed holds no |, no NUL and no lone surrogates.",
        ),
        ({"own_name": "\x00"}, "Null characters are not allowed."),
    ],
)
def test_a_name_or_seed_that_cannot_be_says_why_beside_it_and_nobody_sits(
    alice: Person, form: dict[str, str], sentence: str
) -> None:
    for visibility in ("public", "private"):
        table_id = alice.opens(visibility=visibility)["id"]
        answer = Client().post(f"/tables/{table_id}/sit", {**form, "invite": invites.invite_to(table_id)})

        assert answer.status_code == 422
        assert sentence in text(answer)
        if form["own_name"] == "Dave":
            assert 'value="Dave"' in text(answer)
        assert sitting(table_id) == ["Alice", "-", "-", "-"]
    assert Player.objects.count() == 1


def test_a_seat_that_was_taken_meanwhile_is_told_and_others_stay_free(alice: Person, bob: Person) -> None:
    table_id = alice.opens()["id"]
    bob.sits(table_id, seat=2)
    browser = a_browser(a_guest("Carol"))

    answer = browser.post(f"/tables/{table_id}/sit", {"seat": "2"})

    assert said(browser, answer) == "That seat has just been taken."


def test_sitting_down_twice_is_sitting_down_once(alice: Person, bob: Person) -> None:
    table_id = alice.opens()["id"]
    browser = a_browser(bob)
    browser.post(f"/tables/{table_id}/sit", {})

    assert said(browser, browser.post(f"/tables/{table_id}/sit", {})) == ""
    assert sitting(table_id) == ["Alice", "Bob", "-", "-"]


def test_nobody_becomes_a_guest_for_a_match_that_has_begun(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 2})["id"]
    bob.sits(table_id)
    browser = Client()

    assert said(browser, browser.post(f"/tables/{table_id}/sit", {})) == "This match has begun."
    assert Player.objects.count() == 2


def test_a_ranked_table_is_for_accounts_and_says_so() -> None:
    host, other = Client(), Client()
    host.force_login(User.objects.create_user("alice"))
    other.force_login(User.objects.create_user("bob"))
    made = host.post(
        "/api/v1/tables", {"mode": "ranked", "rules": {"seats": 3}}, content_type="application/json"
    )
    table_id = made.json()["id"]
    stranger = Client()

    assert "Ranked tables are for people with an account." in text(stranger.get(f"/tables/{table_id}"))
    refused = stranger.post(f"/tables/{table_id}/sit", {"own_name": "Dave"})
    assert said(stranger, refused) == "Ranked tables are for people with an account."
    page = text(host.get(f"/tables/{table_id}"))
    assert "A ranked match begins when every seat is taken." in page
    assert "A computer for a free seat" not in page
    other.post(f"/tables/{table_id}/sit", {})
    assert sitting(table_id) == ["alice", "bob", "-"]


def test_others_never_see_one_s_seed_before_the_start(alice: Person, bob: Person) -> None:
    table_id = alice.opens(client_seed="the seed of alice")["id"]
    bob.sits(table_id, client_seed="the seed of bob")

    for browser in (Client(), a_browser(bob)):
        assert "the seed of alice" not in text(browser.get(f"/tables/{table_id}"))


def test_a_private_table_is_not_there_for_others(alice: Person) -> None:
    table_id = alice.opens(name="Secret", visibility="private")["id"]
    browser = Client()

    assert browser.get(f"/tables/{table_id}").status_code == 404
    assert browser.get(f"/tables/{table_id}?invite=guessed").status_code == 404
    for door in ("sit", "computers", "free", "start", "close"):
        assert browser.post(f"/tables/{table_id}/{door}", {"invite": "guessed"}).status_code == 404
    assert not Player.objects.exclude(name="Alice").exists()


def test_an_invitation_tells_nothing_and_lets_one_sit(alice: Person) -> None:
    table_id = alice.opens(name="Secret", visibility="private")["id"]
    link = re.search(
        r'id="link" type="text" readonly value="([^"]+)"', text(a_browser(alice).get(f"/tables/{table_id}"))
    )
    assert link
    path = link[1].removeprefix("http://testserver")
    browser = Client()

    page = text(browser.get(path))

    assert "You are invited to a private table" in page
    assert "Secret" not in page
    assert "Alice" not in page
    invite = path.partition("?invite=")[2]
    browser.post(f"/tables/{table_id}/sit", {"own_name": "Dave", "invite": invite})
    assert sitting(table_id) == ["Alice", "Dave", "-", "-"]
    assert "Dave" in text(browser.get(path))


def test_an_invitation_to_a_table_that_was_closed_says_so(alice: Person) -> None:
    table_id = alice.opens(visibility="private")["id"]
    invite = invites.invite_to(table_id)
    alice.delete(f"tables/{table_id}")
    browser = Client()

    answer = browser.post(f"/tables/{table_id}/sit", {"invite": invite})

    assert said(browser, answer) == "This table is no longer there: its host closed it."


def test_only_the_host_of_a_private_table_has_its_invitation(alice: Person, bob: Person) -> None:
    table_id = alice.opens(visibility="private")["id"]
    bob.sits(table_id, invite=invites.invite_to(table_id))

    assert "invite=" in text(a_browser(alice).get(f"/tables/{table_id}"))
    assert "invite=" not in text(a_browser(bob).get(f"/tables/{table_id}"))


def test_the_host_adds_computers_frees_seats_and_starts(alice: Person, bob: Person) -> None:
    table_id = alice.opens()["id"]
    bob.sits(table_id)
    browser = a_browser(alice)
    page = text(browser.get(f"/tables/{table_id}"))
    assert "Start now with these two" in page
    assert "Free this seat" in page

    browser.post(f"/tables/{table_id}/computers", {"level": "hard", "character": "osier"})
    browser.post(f"/tables/{table_id}/free", {"seat": "1"})
    assert sitting(table_id) == ["Alice", "-", "osier", "-"]
    answer = browser.post(f"/tables/{table_id}/start")

    assert answer["Location"] == f"/tables/{table_id}"
    table = Table.objects.get(pk=table_id)
    assert table.status == "bidding"
    assert sitting(table_id) == ["Alice", "osier"]


def test_a_host_alone_hears_why_nothing_begins(alice: Person) -> None:
    table_id = alice.opens()["id"]
    browser = a_browser(alice)

    page = text(browser.get(f"/tables/{table_id}"))

    assert "A match needs two who play: wait for somebody, or add a computer." in page
    assert "Start now" not in page
    refused = browser.post(f"/tables/{table_id}/start")
    assert said(browser, refused) == "A match needs at least two seats that are taken."


@pytest.mark.parametrize(
    ("door", "form"),
    [("computers", {"level": "easy"}), ("free", {"seat": "0"}), ("start", {}), ("close", {})],
)
def test_what_is_the_host_s_to_do_others_are_refused(
    alice: Person, bob: Person, door: str, form: dict[str, str]
) -> None:
    table_id = alice.opens()["id"]
    bob.sits(table_id)
    for browser in (a_browser(bob), Client()):
        answer = browser.post(f"/tables/{table_id}/{door}", form)

        assert said(browser, answer) == "Only the host of this table may do that."
    assert sitting(table_id) == ["Alice", "Bob", "-", "-"]
    assert Table.objects.get(pk=table_id).status == "open"


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        ({"level": "divine"}, 422, "divine is not one of the available choices."),
        ({"level": "easy", "character": "nobody"}, 422, "nobody is not one of the available choices."),
        ({"level": "easy", "character": "quill"}, 302, "Quill sits at this table already."),
        ({"level": "easy", "seat": "0"}, 302, "That seat has just been taken."),
        ({"level": "easy", "seat": "5"}, 302, "The seats of this table are 0 to 3."),
    ],
)
def test_a_computer_that_cannot_come_is_refused_in_words(
    alice: Person, form: dict[str, str], status: int, sentence: str
) -> None:
    table_id = alice.opens(computers=[{"level": "easy", "character": "quill"}])["id"]
    browser = a_browser(alice)

    answer = browser.post(f"/tables/{table_id}/computers", form)

    assert answer.status_code == status
    assert sentence in (text(answer) if status == 422 else said(browser, answer))
    assert sitting(table_id) == ["Alice", "quill", "-", "-"]


@pytest.mark.parametrize("seat", ["9", "-1", "", "x", "²", "1" * 400])
def test_a_seat_that_is_none_cannot_be_freed(alice: Person, seat: str) -> None:
    table_id = alice.opens()["id"]
    browser = a_browser(alice)

    assert (
        said(browser, browser.post(f"/tables/{table_id}/free", {"seat": seat}))
        == "This table has no such seat."
    )


def test_who_leaves_before_the_match_frees_the_seat(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 3})["id"]
    bob.sits(table_id)
    browser = a_browser(bob)

    answer = browser.post(f"/tables/{table_id}/stand-up")

    assert said(browser, answer) == "You left the table. Your seat is free again."
    assert sitting(table_id) == ["Alice", "-", "-"]


def test_a_key_of_the_waiting_room_loses_no_match_that_began_meanwhile(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 2})["id"]
    bob.sits(table_id)
    browser = a_browser(bob)

    browser.post(f"/tables/{table_id}/stand-up")

    assert Table.objects.get(pk=table_id).status == "bidding"
    assert sitting(table_id) == ["Alice", "Bob"]


def test_who_leaves_a_private_table_comes_home(alice: Person, bob: Person) -> None:
    table_id = alice.opens(visibility="private")["id"]
    bob.sits(table_id, invite=invites.invite_to(table_id))

    assert a_browser(bob).post(f"/tables/{table_id}/stand-up")["Location"] == "/"


def test_the_host_closes_the_table(alice: Person) -> None:
    table_id = alice.opens(name="Harbour")["id"]
    browser = a_browser(alice)
    assert "Yes, close it" in text(browser.get(f"/tables/{table_id}"))

    assert said(browser, browser.post(f"/tables/{table_id}/close")) == "Harbour is closed."
    assert not Table.objects.exists()
    assert browser.get(f"/tables/{table_id}").status_code == 404


@pytest.mark.parametrize("door", ["sit", "stand-up", "computers", "free", "start", "close"])
def test_doors_open_by_post_from_this_site_alone(alice: Person, door: str) -> None:
    table_id = alice.opens()["id"]

    assert a_browser(alice).get(f"/tables/{table_id}/{door}").status_code == 405
    assert (
        a_browser(alice, csrf=True).post(f"/tables/{table_id}/{door}", {"level": "easy"}).status_code == 403
    )
    assert a_browser(alice).post(f"/tables/nowhere/{door}", {"level": "easy"}).status_code in (302, 404)
    assert sitting(table_id) == ["Alice", "-", "-", "-"]


def test_a_flood_of_forms_is_told_to_wait(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = alice.opens()["id"]
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "play", "2/min")
    browser = a_browser(alice)

    answers = [browser.post(f"/tables/{table_id}/free", {"seat": "9"}) for _ in range(4)]

    assert answers[0].status_code == 302
    assert answers[3].status_code == 429
    assert int(answers[3]["Retry-After"]) >= 1


def test_a_flood_of_guests_who_sit_down_is_told_to_wait(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = alice.opens(rules={"seats": 6})["id"]
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "guests", "3/min")  # Alice was the first

    answers = [Client().post(f"/tables/{table_id}/sit", {}) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert len([name for name in sitting(table_id) if name != "-"]) == 3


def test_the_room_takes_few_statements_for_whoever_looks(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 6}, computers=[{"level": "easy"}] * 3)["id"]
    bob.sits(table_id)

    for browser in (Client(), a_browser(alice), a_browser(bob)):
        browser.get(f"/tables/{table_id}")
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(f"/tables/{table_id}").status_code == 200
        assert len(captured) <= MOST_STATEMENTS
