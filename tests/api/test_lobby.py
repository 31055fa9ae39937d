"""Making, finding, joining, hosting and closing tables."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Event, Table
from tests.people import Person, a_guest, nobody
from tests.tables import a_match

pytestmark = pytest.mark.django_db


def an_account(name: str) -> Person:
    """Somebody who is signed in to the site."""
    person = Person(name=name, client=Client())
    person.client.force_login(User.objects.create_user(name))
    person.id = person.get("me").json()["player"]["id"]
    return person


def test_a_new_table_has_its_defaults_and_its_maker_at_seat_0(alice: Person) -> None:
    table = alice.opens(client_seed="my seed")

    assert table["name"] == "Alice’s table"
    assert (table["status"], table["mode"], table["visibility"]) == ("open", "casual", "public")
    assert table["clock"] == {"kind": "slow", "turn_seconds": 172800, "bank_seconds": 0}
    assert table["host"] == alice.id
    assert table["viewer"] == {"role": "player", "seat": 0}
    assert table["seats"][0]["player"] == {"id": alice.id, "name": "Alice", "kind": "guest"}
    assert table["seats"][0]["client_seed"] == "my seed"
    assert table["seats"][1] == {
        "seat": 1,
        "player": None,
        "dice": 5,
        "place": None,
        "substitute": False,
        "ready": False,
        "bank_seconds": None,
        "client_seed": None,
    }
    assert (table["round"], table["legal"], table["reveal"], table["result"]) == (None,) * 4
    assert table["deadline"] is None


def test_seeds_of_others_are_hidden_until_the_match_begins(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 3}, client_seed="a")["id"]
    bob.sits(table_id, client_seed="b")

    assert [seat["client_seed"] for seat in alice.sees(table_id)["seats"]] == ["a", None, None]
    assert [seat["client_seed"] for seat in nobody().sees(table_id)["seats"]] == [None, None, None]
    alice.post(f"tables/{table_id}/start")
    assert [seat["client_seed"] for seat in nobody().sees(table_id)["seats"]] == ["a", "b"]


def test_the_match_begins_when_the_last_seat_is_taken(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 2})["id"]

    table = bob.sits(table_id)

    assert table["status"] == "bidding"
    assert table["round"]["number"] == 1
    assert len(table["round"]["hand"]) == 5


def test_computers_take_the_next_free_seats_and_differ(alice: Person) -> None:
    table = alice.opens(
        rules={"seats": 5}, computers=[{"level": "easy"}, {"level": "hard", "character": "marl"}]
    )

    easy, hard = (seat["player"] for seat in table["seats"][1:3])
    assert (easy["kind"], easy["level"]) == ("computer", "easy")
    assert (hard["level"], hard["character"], hard["name"]) == ("hard", "marl", "Marl")
    assert easy["character"] != "marl"
    assert easy["id"] != hard["id"]


def test_a_seat_is_taken_once_and_a_player_sits_once(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 3})["id"]

    assert bob.post(f"tables/{table_id}/seats", {"seat": 0}).json()["code"] == "taken"
    assert alice.post(f"tables/{table_id}/seats").json()["code"] == "taken"
    assert bob.post(f"tables/{table_id}/seats", {"seat": 3}).status_code == 422
    assert bob.sits(table_id, seat=2)["viewer"]["seat"] == 2
    assert bob.post(f"tables/{table_id}/seats", {"seat": 1}).status_code == 409


def test_empty_seats_are_dropped_at_the_start_and_the_others_keep_their_numbers(
    alice: Person, bob: Person
) -> None:
    table_id = alice.opens(rules={"seats": 6})["id"]
    bob.sits(table_id, seat=4)

    table = alice.post(f"tables/{table_id}/start").json()

    assert [seat["seat"] for seat in table["seats"]] == [0, 4]
    assert table["rules"]["seats"] == 6
    assert a_guest("Carol").post(f"tables/{table_id}/seats").status_code == 409
    assert a_guest("Dave").post(f"tables/{table_id}/seats", {"seat": 2}).status_code == 422


def test_only_the_host_hosts_and_only_before_the_start(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 3})["id"]
    bob.sits(table_id)

    for answer in (
        bob.post(f"tables/{table_id}/start"),
        bob.post(f"tables/{table_id}/computers", {"level": "easy"}),
        bob.delete(f"tables/{table_id}/seats/0"),
        bob.delete(f"tables/{table_id}"),
        bob.post(f"tables/{table_id}/invites"),
    ):
        assert answer.status_code == 403
    assert alice.post(f"tables/{table_id}/start").status_code == 200
    for answer in (
        alice.post(f"tables/{table_id}/start"),
        alice.delete(f"tables/{table_id}/seats/1"),
        alice.delete(f"tables/{table_id}"),
        alice.post(f"tables/{table_id}/computers", {"level": "easy"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "started")


def test_a_match_needs_two(alice: Person) -> None:
    table_id = alice.opens()["id"]

    assert alice.post(f"tables/{table_id}/start").json()["code"] == "too_few"


def test_the_host_fills_and_frees_seats(alice: Person, bob: Person) -> None:
    table_id = alice.opens()["id"]
    bob.sits(table_id)

    freed = alice.delete(f"tables/{table_id}/seats/1").json()
    again = alice.delete(f"tables/{table_id}/seats/1").json()
    filled = alice.post(f"tables/{table_id}/computers", {"level": "normal", "seat": 1}).json()

    assert freed["seats"][1]["player"] is None
    assert again["version"] == freed["version"]
    assert filled["seats"][1]["player"]["kind"] == "computer"
    assert alice.post(f"tables/{table_id}/computers", {"level": "normal", "seat": 1}).status_code == 409
    assert bob.sees(table_id)["viewer"]["role"] == "spectator"


def test_who_stands_up_before_the_start_may_sit_down_again(alice: Person, bob: Person) -> None:
    table_id = alice.opens()["id"]
    bob.sits(table_id, client_seed="first")

    assert bob.delete(f"tables/{table_id}/seats/me").json()["seats"][1]["player"] is None
    assert bob.delete(f"tables/{table_id}/seats/me").status_code == 403
    assert bob.sits(table_id, client_seed="second")["seats"][1]["client_seed"] == "second"


def test_a_closed_table_is_gone(alice: Person) -> None:
    table_id = alice.opens()["id"]

    assert alice.delete(f"tables/{table_id}").status_code == 204
    assert alice.get(f"tables/{table_id}").status_code == 404
    assert alice.delete(f"tables/{table_id}").status_code == 404


def test_a_private_table_is_there_for_the_invited_only(alice: Person, bob: Person) -> None:
    table_id = alice.opens(visibility="private", rules={"seats": 3})["id"]
    invite = alice.post(f"tables/{table_id}/invites")
    assert invite.status_code == 201

    for answer in (
        bob.get(f"tables/{table_id}"),
        bob.post(f"tables/{table_id}/seats"),
        bob.post(f"tables/{table_id}/seats", {"invite": "wrong"}),
        bob.post(f"tables/{table_id}/seats", {"invite": "\ud800"}),
        bob.delete(f"tables/{table_id}/seats/me"),
        bob.acts(table_id, 1, type="liar"),
        bob.get(f"tables/{table_id}/rounds"),
        bob.get(f"tables/{table_id}/events"),
        nobody().client.get(f"/tables/{table_id}"),
    ):
        assert answer.status_code == 404
    assert invite.json()["invite"] in invite.json()["url"]
    assert bob.sits(table_id, invite=invite.json()["invite"])["viewer"]["seat"] == 1
    assert bob.sees(table_id)["version"] == 3
    assert nobody().get("tables").json()["results"] == []
    assert [table["id"] for table in bob.get("tables?mine=true").json()["results"]] == [table_id]
    alice.delete(f"tables/{table_id}/seats/1")
    assert bob.get(f"tables/{table_id}").status_code == 404


def test_an_invited_person_finds_a_page_behind_the_link(alice: Person) -> None:
    table_id = alice.opens(visibility="private")["id"]
    url = alice.post(f"tables/{table_id}/invites").json()["url"]

    page = nobody().client.get(url.removeprefix("http://testserver"))

    assert page.status_code == 200
    assert b"invited" in page.content
    assert b"Alice" not in page.content


def test_an_unlisted_table_is_found_by_its_address_only(alice: Person, bob: Person) -> None:
    table_id = alice.opens(visibility="unlisted")["id"]

    assert bob.get("tables").json()["results"] == []
    assert bob.sits(table_id)["viewer"]["seat"] == 1


def test_public_tables_have_no_invites(alice: Person) -> None:
    table_id = alice.opens()["id"]

    assert alice.post(f"tables/{table_id}/invites").json()["code"] == "not_private"


def test_ranked_tables_are_for_accounts_with_default_rules(alice: Person) -> None:
    carol, dave = an_account("Carol"), an_account("Dave")
    live = {"kind": "live", "pace": "normal"}

    def asks(**wanted: Any) -> Any:
        token = carol.client.get("/admin/login/").cookies.get("csrftoken")
        return carol.post("tables", {"mode": "ranked", **wanted}, x_csrftoken=token.value if token else "")

    assert asks(rules={"exact": "off"}).status_code == 422
    assert asks(preset="classic").status_code == 422
    assert asks(rules={"seats": 3}, computers=[{"level": "easy"}]).status_code == 422
    assert asks(clock={"kind": "none"}).status_code == 422
    assert asks(clock={"kind": "live", "pace": "quick"}).status_code == 422
    assert asks(clock={"kind": "slow", "turn_seconds": 86400, "bank_seconds": 1}).status_code == 422
    table = asks(rules={"seats": 2}, clock=live)
    assert table.status_code == 201
    table_id = table.json()["id"]
    assert alice.post(f"tables/{table_id}/seats").json()["code"] == "account_needed"
    assert carol.post(f"tables/{table_id}/start").json()["code"] == "ranked_waits"
    assert carol.post(f"tables/{table_id}/computers", {"level": "easy"}).json()["code"] == "no_computers"
    assert dave.sits(table_id)["status"] == "bidding"


def test_a_session_needs_its_csrf_token() -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_user("Carol"))
    carol = Person(client=strict)

    assert carol.post("tables").status_code == 403
    strict.get("/admin/login/")
    token = strict.cookies["csrftoken"].value
    assert carol.post("tables", x_csrftoken=token).status_code == 201


def test_lists_come_latest_first_page_by_page(alice: Person) -> None:
    made = [alice.opens(rules={"seats": 2})["id"] for _ in range(55)]

    first = nobody().get("tables?status=open").json()
    second = nobody().client.get(first["next"]).json()

    found = [table["id"] for table in first["results"] + second["results"]]
    assert len(first["results"]) == 50
    assert second["next"] is None
    assert sorted(found) == sorted(made)
    times = [table["updated_at"] for table in first["results"] + second["results"]]
    assert times == sorted(times, reverse=True)


def test_a_summary_says_what_a_list_needs(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)

    (summary,) = bob.get("tables?mine=true&mode=casual&status=bidding").json()["results"]

    assert summary["seats"] == table["seats"]
    assert summary["turn"] == table["round"]["turn"]
    assert summary["round_number"] == 1
    assert summary["deadline"] == table["deadline"] is not None
    assert {name: summary[name] for name in ("id", "name", "rules", "clock")} == {
        name: table[name] for name in ("id", "name", "rules", "clock")
    }


def test_me_lists_the_tables_that_wait_the_most_urgent_first(alice: Person, bob: Person) -> None:
    hurried = a_match(
        alice, bob, rules={"first_opener": "host"}, clock={"kind": "slow", "turn_seconds": 3600}
    )
    unhurried = a_match(alice, bob, rules={"first_opener": "host"}, clock={"kind": "none"})
    usual = a_match(alice, bob, rules={"first_opener": "host"})

    assert alice.get("me").json()["waiting"] == [hurried["id"], usual["id"], unhurried["id"]]
    assert bob.get("me").json()["waiting"] == []
    alice.acts(hurried["id"], hurried["version"], type="bid", quantity=9, face=6)
    assert alice.get("me").json()["waiting"] == [usual["id"], unhurried["id"]]
    assert bob.get("me").json()["waiting"] == [hurried["id"]]
    revealed = bob.acts(hurried["id"], hurried["version"] + 1, type="liar").json()
    starter = (alice, bob)[revealed["reveal"]["next_opener"]]
    assert hurried["id"] in starter.get("me").json()["waiting"]


def test_every_version_of_a_lobby_has_its_event(alice: Person, bob: Person) -> None:
    table_id = alice.opens(rules={"seats": 4}, computers=[{"level": "easy"}])["id"]
    bob.sits(table_id)
    bob.delete(f"tables/{table_id}/seats/me")
    bob.sits(table_id)
    alice.delete(f"tables/{table_id}/seats/2")
    alice.post(f"tables/{table_id}/start")

    kinds = list(Event.objects.filter(table_id=table_id).order_by("version").values_list("kind", flat=True))
    assert kinds == ["created", "sat", "computer", "sat", "stood", "sat", "freed", "started"]
    assert Table.objects.get(pk=table_id).version == len(kinds)


def test_presets_tell_every_option() -> None:
    document = nobody().get("presets").json()

    assert document["presets"]["calza"]["exact"] == "regain"
    assert set(document["presets"]["standard"]) == set(document["options"])
    assert document["options"]["seats"] == {"min": 2, "max": 6, "default": 4}
    assert document["options"]["palifico"] == {"values": [True, False], "default": False}
