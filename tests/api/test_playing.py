"""Acting at a table: answers, versions, Next round, leaving, practice."""

import random
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games.commands import clockwork
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.tables import a_match, a_move, play_on, whose_turn

pytestmark = pytest.mark.django_db


HOST_OPENS = {"first_opener": "host"}


def bids(person: Person, table_id: str, quantity: int, face: int) -> dict[str, Any]:
    version = person.sees(table_id)["version"]
    answer = person.acts(table_id, version, type="bid", quantity=quantity, face=face)
    assert answer.status_code == 200, answer.content
    return answer.json()


def calls(person: Person, table_id: str, call: str = "liar") -> dict[str, Any]:
    answer = person.acts(table_id, person.sees(table_id)["version"], type=call)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_an_action_is_answered_with_the_view_that_get_gives(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob, rules=HOST_OPENS)

    assert bids(alice, table["id"], 9, 6) == alice.sees(table["id"])
    assert calls(bob, table["id"]) == bob.sees(table["id"])


def test_a_minimal_answer_holds_the_version_alone(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob, rules=HOST_OPENS)
    bid = {"type": "bid", "quantity": 1, "face": 2, "version": table["version"]}

    answer = alice.post(f"tables/{table['id']}/actions", bid, prefer="return=minimal")

    assert answer.json() == {"id": table["id"], "version": table["version"] + 1}


def test_a_view_is_tagged_for_its_reader_and_unchanged_it_is_304(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob, rules=HOST_OPENS)
    path = f"tables/{table['id']}"

    tags = {reader.get(path)["ETag"] for reader in (alice, bob, nobody(), a_guest("Dave"))}
    assert len(tags) == 4
    mine = alice.get(path)
    assert mine["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= {name.strip() for name in mine["Vary"].split(",")}
    unchanged = alice.get(path, if_none_match=f'"other", W/{mine["ETag"]}')
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", mine["ETag"])
    bids(alice, table["id"], 1, 2)
    assert alice.get(path, if_none_match=mine["ETag"]).status_code == 200
    assert bob.get(path, if_none_match=mine["ETag"]).status_code == 200


def test_next_round_is_harmless_as_often_as_it_is_pressed(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob, rules=HOST_OPENS)
    bids(alice, table["id"], 10, 6)
    revealed = calls(bob, table["id"])
    starter = (alice, bob)[revealed["reveal"]["next_opener"]]
    other = bob if starter is alice else alice

    assert other.acts(table["id"], revealed["version"], type="next_round").json()["code"] == "not_your_round"
    assert starter.acts(table["id"], revealed["version"] - 1, type="next_round").status_code == 409
    assert starter.acts(table["id"], revealed["version"] + 1, type="next_round").status_code == 409
    begun = starter.acts(table["id"], revealed["version"], type="next_round").json()
    assert (begun["status"], begun["round"]["number"]) == ("bidding", 2)
    for person in (starter, other):
        for version in (revealed["version"], begun["version"]):
            again = person.acts(table["id"], version, type="next_round")
            assert (again.status_code, again.json()["version"]) == (200, begun["version"])
    assert starter.acts(table["id"], revealed["version"] - 1, type="next_round").status_code == 409


def test_on_a_live_clock_everybody_still_in_presses(alice: Person, bob: Person, carol: Person) -> None:
    table = a_match(alice, bob, carol, rules=HOST_OPENS, clock={"kind": "live", "pace": "normal"})
    bids(alice, table["id"], 15, 6)
    revealed = calls(bob, table["id"])

    first = carol.acts(table["id"], revealed["version"], type="next_round").json()
    assert (first["status"], first["version"]) == ("revealed", revealed["version"] + 1)
    assert [seat["ready"] for seat in first["seats"]] == [False, False, True]
    assert first["legal"] is None
    again = carol.acts(table["id"], revealed["version"], type="next_round").json()
    assert again["version"] == first["version"]
    alice.acts(table["id"], revealed["version"], type="next_round")
    last = bob.acts(table["id"], revealed["version"], type="next_round").json()
    assert last["status"] == "bidding"
    assert [seat["ready"] for seat in last["seats"]] == [False, False, False]


def test_nobody_acts_before_the_start_or_after_the_end(alice: Person, bob: Person) -> None:
    table = alice.opens(rules={"seats": 2, "starting_dice": 1})
    assert alice.acts(table["id"], table["version"], type="liar").json()["code"] == "not_started"
    bob.sits(table["id"])
    ended = play_on([alice, bob], table["id"], random.Random(3))

    for action in ({"type": "liar"}, {"type": "bid", "quantity": 1, "face": 2}, {"type": "next_round"}):
        answer = alice.acts(table["id"], ended["version"], **action)
        assert (answer.status_code, answer.json()["code"]) == (422, "finished")
    assert alice.sees(table["id"])["version"] == ended["version"]


def test_leaving_in_a_match_hands_the_seat_to_a_computer(alice: Person, bob: Person, carol: Person) -> None:
    table = a_match(alice, bob, carol, rules=HOST_OPENS)

    left = alice.delete(f"tables/{table['id']}/seats/me").json()

    assert left["seats"][0]["substitute"] is True
    assert left["seats"][0]["player"]["id"] == alice.id
    assert left["viewer"] == {"role": "spectator", "seat": None}
    assert left["round"]["hand"] is None
    assert alice.acts(table["id"], left["version"], type="liar").status_code == 403
    assert alice.get("me").json()["waiting"] == []
    again = alice.delete(f"tables/{table['id']}/seats/me")
    assert (again.status_code, again.json()["version"]) == (200, left["version"])
    due_at = present(table["id"])[0].row.computer_due_at
    assert due_at is not None
    assert not clockwork.run_computer(table_id=table["id"], now=due_at - timedelta(milliseconds=1))
    assert clockwork.run_computer(table_id=table["id"], now=due_at)
    assert bob.sees(table["id"])["round"]["bids"][0]["seat"] == 0


def test_leaving_one_other_is_a_forfeit_and_the_round_is_never_shown(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob, rules=HOST_OPENS)
    bids(alice, table["id"], 1, 2)

    ended = alice.delete(f"tables/{table['id']}/seats/me").json()

    assert ended["status"] == "finished"
    assert ended["result"] == {"winner": 1, "places": {"0": 2, "1": 1}, "drawn": False}
    assert (ended["round"], ended["reveal"]) == (None, None)
    assert [seat["substitute"] for seat in ended["seats"]] == [False, False]
    assert nobody().get(f"tables/{table['id']}/rounds").json() == {"results": [], "next": None}
    archive = nobody().get(f"tables/{table['id']}/archive").json()
    assert archive["rounds"] == []
    assert archive["events"][-1]["kind"] == "left"
    assert archive["events"][-1]["forfeit"] is True


def test_who_is_out_may_go_and_changes_nothing(alice: Person, bob: Person, carol: Person) -> None:
    table = a_match(alice, bob, carol, rules={**HOST_OPENS, "starting_dice": 1})
    bids(alice, table["id"], 3, 6)
    revealed = calls(bob, table["id"])
    out = revealed["reveal"]["out"]
    person = (alice, bob)[out[0]]

    gone = person.delete(f"tables/{table['id']}/seats/me")

    assert gone.json()["version"] == revealed["version"]
    assert gone.json()["seats"][out[0]]["substitute"] is False
    assert gone.json()["seats"][out[0]]["place"] == 3


def test_when_the_last_person_leaves_the_computers_play_the_match_out(alice: Person, bob: Person) -> None:
    table = alice.opens(rules={"seats": 4, "starting_dice": 2}, computers=[{"level": "easy"}] * 2)
    bob.sits(table["id"])
    alice.delete(f"tables/{table['id']}/seats/me")
    bob.delete(f"tables/{table['id']}/seats/me")

    now = timezone.now()
    moves = 0
    while clockwork.run_computer(table_id=table["id"], now=now):
        moves += 1

    ended = nobody().sees(table["id"])
    assert ended["status"] == "finished"
    assert moves > 3
    assert {ended["result"]["places"]["0"], ended["result"]["places"]["3"]} == {3, 4}


def test_a_practice_table_is_one_owners_and_starts_at_once(alice: Person, bob: Person) -> None:
    table = alice.opens(mode="practice", rules={"seats": 3, **HOST_OPENS}, client_seed="s")
    table_id = table["id"]

    assert table["viewer"] == {"role": "owner", "seat": None}
    assert table["clock"] == {"kind": "none"}
    assert table["deadline"] is None
    assert [seat["client_seed"] for seat in table["seats"]] == ["s", "s", "s"]
    assert table["round"]["hand"] is None
    assert table["legal"]["bids"]
    looked = alice.sees(table_id, **{"as": 2})
    assert looked["viewer"] == {"role": "owner", "seat": 2}
    assert len(looked["round"]["hand"]) == 5
    assert looked["legal"] is None
    assert alice.get(f"tables/{table_id}?as=3").status_code == 403
    assert bob.get(f"tables/{table_id}?as=2").status_code == 403
    assert nobody().sees(table_id)["mode"] == "practice"
    assert bob.post(f"tables/{table_id}/seats").status_code == 409


def test_an_owner_acts_for_each_seat_and_one_press_goes_on(alice: Person, bob: Person) -> None:
    table = alice.opens(mode="practice", rules={"seats": 3, **HOST_OPENS})
    table_id, version = table["id"], table["version"]

    assert alice.acts(table_id, version, type="liar").json()["code"] == "seat_needed"
    assert alice.acts(table_id, version, type="liar", seat="0").json()["code"] == "seat_needed"
    assert alice.acts(table_id, version, type="liar", seat=7).status_code == 403
    assert bob.acts(table_id, version, type="liar", seat=0).status_code == 403
    assert alice.acts(table_id, version, type="liar", seat=1).status_code == 422
    bid = alice.acts(table_id, version, type="bid", quantity=14, face=6, seat=0).json()
    assert bid["viewer"] == {"role": "owner", "seat": 0}
    called = alice.acts(table_id, version + 1, type="liar", seat=1).json()
    assert called["legal"]["next_round"] is True
    begun = alice.acts(table_id, version + 2, type="next_round", seat=2).json()
    assert (begun["status"], begun["round"]["number"]) == ("bidding", 2)


def test_leaving_a_practice_table_ends_it_without_result(alice: Person, bob: Person) -> None:
    table_id = alice.opens(mode="practice", rules={"seats": 3})["id"]

    assert bob.delete(f"tables/{table_id}/seats/me").status_code == 403
    ended = alice.delete(f"tables/{table_id}/seats/me").json()

    assert (ended["status"], ended["result"], ended["round"]) == ("finished", None, None)
    assert [seat["place"] for seat in ended["seats"]] == [None, None, None]
    assert alice.delete(f"tables/{table_id}/seats/me").json()["version"] == ended["version"]
    assert alice.get(f"tables/{table_id}/archive").status_code == 200


def test_a_computer_on_a_practice_table_plays_itself_and_shows_its_hand_to_the_owner(alice: Person) -> None:
    table = alice.opens(mode="practice", rules={"seats": 2, **HOST_OPENS}, computers=[{"level": "normal"}])

    looked = alice.sees(table["id"], **{"as": 1})

    assert len(looked["round"]["hand"]) == 5
    assert alice.acts(table["id"], table["version"], type="liar", seat=1).status_code == 403
    after = alice.acts(table["id"], table["version"], type="bid", quantity=1, face=2, seat=0).json()
    assert alice.sees(table["id"])["legal"] is None
    due_at = present(table["id"])[0].row.computer_due_at
    assert due_at is not None
    assert clockwork.run_computer(table_id=table["id"], now=due_at)
    assert alice.sees(table["id"])["version"] > after["version"]


def test_a_late_move_draws_on_the_time_bank(alice: Person, bob: Person) -> None:
    clock = {"kind": "slow", "turn_seconds": 3600, "bank_seconds": 600}
    with time_machine.travel(timezone.now(), tick=False) as clockwork:
        table = a_match(alice, bob, rules=HOST_OPENS, clock=clock)
        clockwork.shift(3600 + 100)
        bids(alice, table["id"], 1, 2)
        clockwork.shift(10)
        view = bids(bob, table["id"], 2, 2)

    assert [seat["bank_seconds"] for seat in view["seats"]] == [500, 600]


def test_the_longest_bank_there_is_fits(alice: Person, bob: Person) -> None:
    clock = {"kind": "slow", "turn_seconds": 1_209_600, "bank_seconds": 2_592_000}

    table = a_match(alice, bob, rules=HOST_OPENS, clock=clock)
    with time_machine.travel(timezone.now() + timedelta(days=14, seconds=9)):
        view = bids(alice, table["id"], 1, 2)

    assert 2_591_980 <= view["seats"][0]["bank_seconds"] <= 2_591_991
    assert view["seats"][1]["bank_seconds"] == 2_592_000


@pytest.mark.parametrize("seed", range(8))
def test_no_answer_shows_a_hand_to_who_has_no_dice(alice: Person, seed: int) -> None:
    rng = random.Random(seed)
    rules = {**HOST_OPENS, "seats": 4, "starting_dice": 1}
    table_id = alice.opens(rules=rules, computers=[{"level": "easy"}] * 3)["id"]

    view = alice.sees(table_id)
    while view["seats"][0]["dice"] and view["status"] != "finished":
        due_at = present(table_id)[0].row.computer_due_at
        if due_at is not None:
            clockwork.run_computer(table_id=table_id, now=due_at)
            view = alice.sees(table_id)
        else:
            action = {"type": "exact"} if view["legal"]["exact"] else a_move(view, rng)
            view = alice.acts(table_id, view["version"], **action).json()
        hand = view["round"]["hand"] if view["round"] else None
        assert len(hand or ()) == (view["seats"][0]["dice"] if view["round"] else 0)


def test_everybody_sees_whose_turn_it_is_and_what_it_allows(alice: Person, bob: Person) -> None:
    table = a_match(alice, bob)

    for person in (alice, bob):
        view = person.sees(table["id"])
        assert (view["legal"] is not None) == (person is whose_turn((alice, bob), table))
    assert nobody().sees(table["id"])["legal"] is None


def test_head_is_get_without_the_body(alice: Person, bob: Person) -> None:
    table_id = a_match(alice, bob)["id"]

    for path in (f"tables/{table_id}", "tables", "presets", "me", f"tables/{table_id}/rounds"):
        got = alice.get(path)
        head = alice.client.head(f"/api/v1/{path}", headers={"authorization": f"Bearer {alice.token}"})
        assert (head.status_code, head.content) == (200, b"")
        assert head.get("ETag") == got.get("ETag")
