"""The page of bots: made, shown their token once, given another, put to rest; and how they are marked."""

import html
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.commands import MOST_BOTS, create_bot
from accounts.models import Player, Token, User
from tests.people import Person, a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", password="correct horse", date_joined=NOW)


@pytest.fixture
def browser(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def token_on(page: str) -> str:
    (token,) = re.findall(r'<code class="token">([^<]+)</code>', page)
    return html.unescape(token)


def kind_of(token: str) -> str | None:
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    return answer.json()["player"]["kind"] if answer.status_code == 200 else None


def test_a_new_bot_gets_a_token_that_is_shown_once(browser: Client) -> None:
    made = browser.post("/me/bots", {"name": "Robin"})
    token = token_on(made.content.decode())

    assert kind_of(token) == "bot"
    assert "no-store" in made["Cache-Control"]
    later = browser.get("/me/bots").content.decode()
    assert "Robin" in later
    assert token not in later
    assert "token</h2>" not in later


def test_another_token_ends_the_one_before_and_rest_ends_all(browser: Client) -> None:
    first = token_on(browser.post("/me/bots", {"name": "Robin"}).content.decode())
    bot = Player.objects.get(name="Robin")

    second = token_on(browser.post(f"/me/bots/{bot.id}/token").content.decode())
    assert (kind_of(first), kind_of(second)) == (None, "bot")
    browser.post(f"/me/bots/{bot.id}/rest")
    assert kind_of(second) is None
    assert "at rest: it has no token" in browser.get("/me/bots").content.decode()


def test_nobody_has_a_hand_in_the_bots_of_another(browser: Client, alice: User) -> None:
    bot, _ = create_bot(owner=alice, name="Robin", now=NOW)
    bob = Client()
    bob.force_login(User.objects.create_user("bob"))

    for client in (bob, Client()):
        for way in ("token", "rest"):
            assert client.post(f"/me/bots/{bot.id}/{way}").status_code == 302
        assert "Robin" not in client.get("/me/bots").content.decode()
    assert Token.objects.filter(player=bot).count() == 1
    assert browser.post("/me/bots/x\0y/token").status_code in (302, 404)


def test_who_has_no_account_is_told_how_to_get_one_and_makes_none() -> None:
    answer = Client().post("/me/bots", {"name": "Robin"})

    assert "Bots belong to an account" in answer.content.decode()
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["", " ", "\u202e", "x" * 41])
def test_a_name_that_nobody_may_bear_is_refused_with_the_reason(browser: Client, name: str) -> None:
    answer = browser.post("/me/bots", {"name": name})

    assert answer.status_code == 422
    assert "A name has" in answer.content.decode()
    assert not Player.objects.filter(bot_since__isnull=False).exists()


def test_an_account_has_so_many_bots_and_no_more(browser: Client, alice: User) -> None:
    for number in range(MOST_BOTS):
        create_bot(owner=alice, name=f"Robin {number}", now=NOW)

    answer = browser.post("/me/bots", {"name": "One more"})

    assert answer.status_code == 422
    assert f"{MOST_BOTS} bots at most" in answer.content.decode()


def test_a_bot_is_marked_wherever_it_is_seen(alice: User) -> None:
    bot, token = create_bot(owner=alice, name="Robin", now=NOW)
    robin, bob = Person(id=bot.id, name="Robin", token=token), a_guest("Bob")
    table = bob.opens(rules={"seats": 2})
    waiting = robin.sits(table["id"])
    page = Client().get(f"/tables/{table['id']}").content.decode()

    assert [seat["player"]["kind"] for seat in waiting["seats"]] == ["guest", "bot"]
    assert "Robin <small>bot</small>" in page
    assert "A bot: a program that plays by itself" in Client().get(f"/players/{bot.id}").content.decode()
    listed = bob.get("tables?mine=true").json()["results"][0]["seats"][1]["player"]
    assert listed == {"id": bot.id, "name": "Robin", "kind": "bot"}


def test_a_bot_is_marked_in_lists_in_reveals_and_in_review(alice: User) -> None:
    bot, token = create_bot(owner=alice, name="Robin", now=NOW)
    robin, bob = Person(id=bot.id, name="Robin", token=token), a_guest("Bob")
    table_id = bob.opens(rules={"seats": 2, "starting_dice": 1, "first_opener": "host"})["id"]
    assert "Robin" not in Client().get("/").content.decode()

    view = robin.sits(table_id)
    assert "Bob, Robin (bot) · " in Client().get("/").content.decode()
    assert bob.acts(table_id, view["version"], type="bid", quantity=2, face=6).status_code == 200
    assert "Robin (bot) to move" in a_browser(bob).get("/").content.decode()
    assert robin.acts(table_id, view["version"] + 1, type="liar").status_code == 200

    ended = Client().get(f"/tables/{table_id}?lifted=1&last").content.decode()
    assert "<small>bot · called liar</small>" in ended
    assert re.search(r"<b>\d[a-z]+</b> Robin \(bot\)", ended)
    assert '<span class="name">Robin (bot)</span>' in ended
    past = Client().get(f"/tables/{table_id}/review/1").content.decode()
    assert "Robin <small>bot</small></a>" in past
    assert "Bob</a>" in past
    assert "<small>bot · called liar</small>" in past
    assert "Robin (bot)</b>" in past


def test_a_ranked_table_is_for_people(alice: User) -> None:
    bot, token = create_bot(owner=alice, name="Robin", now=NOW)
    robin = Person(id=bot.id, name="Robin", token=token)

    answer = robin.post("tables", {"mode": "ranked", "rules": {"seats": 2}})

    assert answer.status_code == 422
    assert answer.json()["code"] == "no_bots"
    assert answer.json()["message"] == "Bots do not sit at ranked tables: those are for people."


def test_the_page_costs_as_much_for_ten_as_for_one(browser: Client, alice: User) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert browser.get("/me/bots").status_code == 200
        return len(caught)

    create_bot(owner=alice, name="Robin", now=NOW)
    browser.get("/me/bots")
    one = statements()
    for number in range(MOST_BOTS - 1):
        create_bot(owner=alice, name=f"Robin {number}", now=NOW)
    assert statements() == one <= 8


def test_the_command_makes_bots_and_says_what_it_does_not_find(
    alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("bot", "alice", "--name", "Robin")
    bot = Player.objects.get(name="Robin")
    first = capsys.readouterr().out.split()[-1]
    call_command("bot", "alice", "--token-for", bot.id)
    second = capsys.readouterr().out.split()[-1]

    assert (kind_of(first), kind_of(second)) == (None, "bot")
    with pytest.raises(CommandError, match="no account"):
        call_command("bot", "nobody", "--name", "Robin")
    with pytest.raises(CommandError, match="no such bot"):
        call_command("bot", "alice", "--token-for", "x")


def test_too_much_at_once_is_slowed_down(
    browser: Client, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "play", "5/min")

    made = [browser.post("/me/bots", {"name": "Robin"}).status_code for _ in range(3)]
    bot = Player.objects.filter(owner=alice).first()
    assert bot is not None
    renewed = [browser.post(f"/me/bots/{bot.id}/token").status_code for _ in range(4)]

    assert made == [200, 200, 200]
    assert renewed == [200, 200, 429, 429]
