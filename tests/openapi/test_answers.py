"""What the service really answers is what the document says, in matches of every kind."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.state import State
from games.tasks import run_computer
from tests.openapi.contract import CheckedClient, Seen, a_checked_guest
from tests.people import Person
from tests.tables import a_match, a_move, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("streams_within_the_test")]

HOUR = {"kind": "slow", "turn_seconds": 3600, "bank_seconds": 60}


@pytest.fixture(autouse=True)
def _computers_need_not_think(settings: Any) -> None:
    settings.COMPUTER_THINK_SECONDS = 0


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def cast(seen: Seen) -> list[Person]:
    return [a_checked_guest(seen, name) for name in ("Alice", "Bob", "Carol")]


def somebody(seen: Seen) -> Person:
    """Whoever is not signed in, and reads what is public."""
    return Person(client=CheckedClient(seen))


def read_everything(person: Person, table_id: str) -> None:
    """Ask for everything that can be read of a table; each answer is checked as it comes."""
    tag = person.get(f"tables/{table_id}")["ETag"]
    assert person.get(f"tables/{table_id}", if_none_match=tag).status_code == 304
    for path in ("rounds", "rounds/1", "rounds/999", "archive", "events"):
        person.get(f"tables/{table_id}/{path}")
    for path in ("tables", "tables?mine=true", "tables?status=finished&mode=practice", "me", "presets"):
        person.get(path)


def watched(cast: list[Person], seen: Seen, table_id: str, rng: random.Random) -> dict[str, Any]:
    """Play to the end; after every few moves everybody reads everything."""
    view = cast[0].sees(table_id)
    while view["status"] != "finished":
        view = play_on(cast, table_id, rng, most=7)
        for person in (*cast, somebody(seen)):
            read_everything(person, table_id)
    return view


@pytest.mark.parametrize("preset", ["standard", "classic", "wild", "straight", "low-ones", "calza", "sum"])
def test_a_match_with_every_preset(preset: str, cast: list[Person], seen: Seen) -> None:
    table = a_match(*cast, preset=preset, rules={"starting_dice": 2}, clock=HOUR, client_seed="seed")

    view = watched(cast, seen, table["id"], random.Random(preset))

    assert view["seats"][0]["bank_seconds"] is not None
    assert ("archive", 200) in seen.answers
    assert ("one_round", 200) in seen.answers


def test_a_match_with_palifico_rounds_on_a_live_clock(cast: list[Person], seen: Seen) -> None:
    live = {"kind": "live", "pace": "relaxed"}
    table = a_match(*cast, rules={"palifico": True, "starting_dice": 2}, clock=live)

    go_on(cast, table["id"], random.Random(2), until=finished)
    read_everything(somebody(seen), table["id"])

    assert any(reveal["palifico"] for reveal in cast[0].get(f"tables/{table['id']}/rounds").json()["results"])


def go_on(
    people: list[Person], table_id: str, rng: random.Random, *, until: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Let whoever may act do so, or else the computer whose turn it is, until the view is as it should be."""
    for _ in range(2000):
        view = people[0].sees(table_id)
        if until(view):
            return view
        for person in people:
            mine = person.sees(table_id)
            if mine["legal"] is not None:
                seat = {"seat": seat_to_act(mine)} if mine["mode"] == "practice" else {}
                answer = person.acts(table_id, mine["version"], **seat, **a_move(mine, rng))
                assert answer.status_code == 200, answer.content
                break
        else:
            run_computer(table_id)
    raise AssertionError("that never came")


def seat_to_act(view: dict[str, Any]) -> int:
    """The seat to move, or any that its owner may press Next round for."""
    if view["round"]:
        return int(view["round"]["turn"])
    seats = [seat for seat in view["seats"] if seat["dice"] and seat["player"]["kind"] != "computer"]
    return int(seats[0]["seat"])


def finished(view: dict[str, Any]) -> bool:
    return view["status"] == "finished"


def test_a_practice_table_looked_at_through_every_seat(cast: list[Person], seen: Seen) -> None:
    alice = cast[0]
    table = alice.opens(
        mode="practice", rules={"seats": 3, "starting_dice": 2}, computers=[{"level": "hard"}]
    )

    def looked_through(view: dict[str, Any]) -> bool:
        for seat in range(3):
            alice.sees(table["id"], **{"as": seat})
        return finished(view)

    view = go_on([alice], table["id"], random.Random(3), until=looked_through)
    read_everything(alice, table["id"])

    assert view["viewer"] == {"role": "owner", "seat": None}


def test_a_match_against_computers(cast: list[Person], seen: Seen) -> None:
    alice = cast[0]
    computers = [{"level": "easy"}, {"level": "normal", "character": "marl"}]
    table = alice.opens(rules={"seats": 3, "starting_dice": 1}, computers=computers)

    view = go_on([alice], table["id"], random.Random(4), until=finished)
    read_everything(alice, table["id"])

    assert {seat["player"]["kind"] for seat in view["seats"]} == {"guest", "computer"}


def test_an_open_table_where_people_come_and_go(cast: list[Person], seen: Seen) -> None:
    alice, bob, carol = cast
    table_id = alice.opens(rules={"seats": 4}, visibility="unlisted", clock={"kind": "none"})["id"]

    bob.sits(table_id, client_seed="b")
    for person in (alice, bob, carol, somebody(seen)):
        read_everything(person, table_id)
    bob.delete(f"tables/{table_id}/seats/me")
    alice.post(f"tables/{table_id}/computers", {"level": "easy", "seat": 2})
    alice.delete(f"tables/{table_id}/seats/2")
    carol.sits(table_id, seat=3)
    alice.delete(f"tables/{table_id}/seats/3")
    bob.sits(table_id)
    alice.post(f"tables/{table_id}/start")
    play_on([alice, bob], table_id, random.Random(5))
    read_everything(carol, table_id)

    kinds = {event["kind"] for event in carol.get(f"tables/{table_id}/archive").json()["events"]}
    assert kinds >= {"created", "sat", "stood", "computer", "freed", "started", "round"}


def test_a_substitute_then_a_forfeit(cast: list[Person], seen: Seen) -> None:
    alice, bob, carol = cast
    table_id = a_match(alice, bob, carol, rules={"first_opener": "host"})["id"]
    play_on(cast, table_id, random.Random(6), most=1)

    carol.delete(f"tables/{table_id}/seats/me")
    substituted = carol.sees(table_id)
    go_on([alice, bob], table_id, random.Random(7), until=two_are_in)
    bob.delete(f"tables/{table_id}/seats/me")
    for person in cast:
        read_everything(person, table_id)

    assert substituted["seats"][2]["substitute"] is True
    assert substituted["viewer"]["role"] == "spectator"


def two_are_in(view: dict[str, Any]) -> bool:
    return finished(view) or sum(seat["dice"] > 0 for seat in view["seats"]) == 2


def test_a_forfeit_in_the_first_round(cast: list[Person], seen: Seen) -> None:
    alice, bob, carol = cast
    table_id = a_match(alice, bob)["id"]

    bob.delete(f"tables/{table_id}/seats/me")
    for person in cast:
        read_everything(person, table_id)

    archive = carol.get(f"tables/{table_id}/archive").json()
    assert archive["rounds"] == []
    assert archive["table"]["result"]["winner"] == 0


def test_a_practice_that_its_owner_left(cast: list[Person], seen: Seen) -> None:
    alice = cast[0]
    table_id = alice.opens(mode="practice", rules={"seats": 2})["id"]

    view = alice.delete(f"tables/{table_id}/seats/me").json()
    read_everything(alice, table_id)

    assert (view["status"], view["result"]) == ("finished", None)


def test_a_drawn_match(cast: list[Person], seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(State.__init__.__kwdefaults__, "round_limit", 2)
    table_id = a_match(*cast)["id"]

    view = watched(cast, seen, table_id, random.Random(8))

    assert view["result"] == {"winner": None, "places": {"0": 1, "1": 1, "2": 1}, "drawn": True}


def test_lists_of_more_than_a_page(cast: list[Person], seen: Seen) -> None:
    alice = cast[0]
    for _ in range(51):
        alice.opens(rules={"seats": 2})

    first = alice.get("tables").json()
    second = alice.get(first["next"].partition("/api/v1/")[2]).json()

    assert (len(first["results"]), len(second["results"])) == (50, 1)


def test_more_rounds_than_a_page(cast: list[Person], seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.queries.table.PAGE", 3)
    alice, bob, _ = cast
    table_id = a_match(alice, bob)["id"]
    play_on([alice, bob], table_id, random.Random(9))

    first = alice.get(f"tables/{table_id}/rounds").json()
    second = alice.get(first["next"].partition("/api/v1/")[2]).json()

    assert [reveal["number"] for reveal in first["results"]] == [1, 2, 3]
    assert second["results"][0]["number"] == 4


def test_a_keyed_answer_the_second_time_and_a_minimal_one(cast: list[Person], seen: Seen) -> None:
    alice, bob, _ = cast
    first, second = (alice.post("tables", {"rules": {"seats": 2}}, idempotency_key="one") for _ in range(2))
    table_id = second.json()["id"]
    bob.sits(table_id)
    mover = next(person for person in (alice, bob) if person.sees(table_id)["legal"])
    mine = mover.sees(table_id)

    minimal = mover.post(
        f"tables/{table_id}/actions",
        {"version": mine["version"], **a_move(mine, random.Random(1))},
        prefer="return=minimal",
    )

    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert set(minimal.json()) == {"id", "version"}
    assert minimal["Preference-Applied"] == "return=minimal"
