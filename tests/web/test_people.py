"""A player's page and past matches: the numbers are true, nothing is spoilt, nobody reads what is private."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.commands import archiving, visiting
from games.engine.rules import DEFAULTS, PRESETS
from games.models import Archive, Counted, Outcome, Table
from tests.archives.matches import a_played_match
from tests.people import a_guest, nobody
from tests.tables import a_match, a_random_step, play_on
from tests.verify.samples import documents
from tests.web.reading import text
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KINDS = {"People": "people", "Easy computers": "easy", "Normal computers": "normal", "Hard computers": "hard"}

Numbers = dict[str, Any]


def a_player(player_id: str = "playeralice", name: str = "Alice") -> Player:
    return Player.objects.create(id=player_id, name=name, created_at=NOW)


def numbers_on(page: str) -> Numbers:
    """The numbers that a page shows of a player."""
    figures = [int(figure) for figure in re.findall(r"<dd>(\d+)</dd>", page)]
    if not figures:
        return {"played": 0, "won": 0, "streak": 0, "longest": 0, "against": {}}
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', page, re.S)
    against = {KINDS[kind]: tuple(map(int, re.findall(r">(\d+)<", cells)[:2])) for kind, cells in rows}
    return dict(zip(("played", "won", "streak", "longest"), figures, strict=True)) | {"against": against}


def told_to(client: Client, player_id: str) -> Numbers:
    return numbers_on(client.get(f"/players/{player_id}").content.decode())


def an_outcome(player: Player, number: int, result: str = "won", **changed: Any) -> Outcome:
    at = NOW + timedelta(hours=number)
    values: dict[str, Any] = {
        "player": player,
        "table_id": f"table{number}",
        "table_name": f"Table {number}",
        "visibility": "public",
        "mode": "casual",
        "preset": "standard",
        "rules": dict(DEFAULTS),
        "clock": {"kind": "none"},
        "rounds": 5,
        "seats": 2,
        "ended_at": at,
        "over_at": at,
        "place": 1 if result == "won" else 2,
        "result": result,
        "against": "people",
        "opponents": [{"id": "bobbob", "name": "Bob", "kind": "guest"}],
        "opponent_names": "bob",
        "opponent_ids": " bobbob ",
    }
    return Outcome.objects.create(**(values | changed))


# Counted once more, from the documents alone and in another way.


def past_matches() -> Iterator[dict[str, Any]]:
    for document in documents():
        yield json.loads(json.dumps(document).replace('"player-', '"player'))


def what_came_of_it(document: dict[str, Any], player_id: str) -> tuple[str, str] | None:
    """How a match went for a player, and against whom; None where it does not count for them."""
    table = document["table"]
    seat = next((each["seat"] for each in table["seats"] if each["player"]["id"] == player_id), None)
    if seat is None or table["mode"] == "practice" or not document["rounds"]:
        return None
    gone = [
        event["version"] for event in document["events"] if event["kind"] == "left" and event["seat"] == seat
    ]
    if gone and gone[0] < version_of_the_first_call(document):
        return None
    others = [each["player"] for each in table["seats"] if each["seat"] != seat]
    levels = [other["level"] for other in others if other["kind"] == "computer"]
    people = len(others) - len(levels)
    against = "people" if people else next(x for x in ("hard", "normal", "easy") if x in levels)
    if gone:
        return "left", against
    return ("won" if table["result"]["winner"] == seat else "not won"), against


def over_for(document: dict[str, Any], player_id: str) -> str:
    """When a match was over for this player: who left it was done with it then."""
    seats = [each["seat"] for each in document["table"]["seats"] if each["player"]["id"] == player_id]
    gone = [each["at"] for each in document["events"] if each["kind"] == "left" and each["seat"] in seats]
    ended = max(part["at"] for part in [*document["events"], *document["rounds"]])
    return min([*gone, ended])


def version_of_the_first_call(document: dict[str, Any]) -> int:
    """Bids and calls are the versions that no other event has; the first call comes after the first bids."""
    named = {event["version"] for event in document["events"]}
    acted = [version for version in range(1, document["table"]["version"] + 1) if version not in named]
    return acted[len(document["rounds"][0]["bids"])]


def counted_again(player_id: str, matches: list[dict[str, Any]]) -> Numbers:
    in_time = sorted(matches, key=lambda match: (over_for(match, player_id), match["table"]["id"]))
    went = [found for match in in_time if (found := what_came_of_it(match, player_id))]
    runs = "".join("w" if result == "won" else " " for result, _ in went)
    kinds = {kind: [result for result, against in went if against == kind] for kind in KINDS.values()}
    return {
        "played": len(went),
        "won": runs.count("w"),
        "streak": len(runs) - len(runs.rstrip("w")),
        "longest": max(map(len, runs.split(" ")), default=0),
        "against": {kind: (len(results), results.count("won")) for kind, results in kinds.items()},
    }


def test_the_numbers_are_true_over_random_matches() -> None:
    matches = list(past_matches())
    people = {seat["player"]["id"] for match in matches for seat in match["table"]["seats"]}
    people = {player_id for player_id in people if not player_id.startswith("computer-")}
    for player_id in people:
        a_player(player_id)
    for match in matches:
        archiving.take_in(line=json.dumps(match).encode())

    for player_id in people:
        assert told_to(Client(), player_id) == counted_again(player_id, matches), player_id
    assert sum(counted_again(player_id, matches)["won"] for player_id in people) > 20
    assert Outcome.objects.filter(result="left").count() > 20
    assert Counted.objects.count() == len(matches)


@pytest.mark.parametrize(
    ("results", "streak", "longest"),
    [
        ([], 0, 0),
        (["won"], 1, 1),
        (["lost"], 0, 0),
        (["won", "won", "lost", "won"], 1, 2),
        (["won", "won", "left"], 0, 2),
        (["won", "drawn", "won", "won"], 2, 2),
        (["lost", "won", "won", "won"], 3, 3),
    ],
)
def test_a_run_of_wins_ends_with_whatever_is_no_win(results: list[str], streak: int, longest: int) -> None:
    alice = a_player()
    for number, result in enumerate(results):
        an_outcome(alice, number, result)

    told = told_to(Client(), alice.pk)

    assert (told["streak"], told["longest"]) == (streak, longest)


def test_a_match_ends_the_run_when_it_was_left_and_not_when_the_others_ended_it() -> None:
    alice = a_player()
    an_outcome(alice, 1, "won")
    an_outcome(alice, 9, "left", over_at=NOW + timedelta(hours=2))
    an_outcome(alice, 3, "won")

    assert told_to(Client(), alice.pk)["streak"] == 1


@pytest.mark.parametrize("kind", ["people", "computers", "leavers", "sleepers", "forfeit", "few seats"])
def test_a_match_that_was_played_is_counted_once_and_stays_when_its_rows_are_pruned(kind: str) -> None:
    cast, table_id = a_played_match(kind, visibility="public")

    archiving.archive_table(table_id=table_id)
    archiving.archive_table(table_id=table_id)
    counted = {person.id: told_to(Client(), person.id) for person in cast}
    assert archiving.prune(table_id=table_id, now=NOW)

    document = nobody().get(f"tables/{table_id}/archive").json()
    expected = {person.id: counted_again(person.id, [document]) for person in cast}
    for numbers in expected.values():
        if not numbers["played"]:
            numbers["against"] = {}
    assert counted == expected
    assert counted == {person.id: told_to(Client(), person.id) for person in cast}


@pytest.mark.parametrize("kind", ["practice", "left practice"])
def test_practice_counts_for_nobody(kind: str) -> None:
    _, table_id = a_played_match(kind)

    archiving.archive_table(table_id=table_id)

    assert not Outcome.objects.exists()
    assert Counted.objects.filter(pk=table_id).exists()


def test_a_match_that_ends_before_its_first_call_counts_for_nobody() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = a_match(alice, bob)["id"]
    bob.delete(f"tables/{table_id}/seats/me")

    archiving.archive_table(table_id=table_id)

    assert Table.objects.get(pk=table_id).status == "finished"
    assert not Outcome.objects.exists()


def test_who_left_before_the_first_call_left_a_match_that_did_not_count() -> None:
    cast = [a_guest("Alice"), a_guest("Bob"), a_guest("Carol")]
    table_id = a_match(*cast, rules={"starting_dice": 1})["id"]
    cast[2].delete(f"tables/{table_id}/seats/me")
    rng = Random(1)
    while Table.objects.get(pk=table_id).status != "finished":
        a_random_step(cast[:2], table_id, rng)

    archiving.archive_table(table_id=table_id)

    assert not Outcome.objects.filter(player_id=cast[2].id).exists()
    assert Outcome.objects.filter(player_id=cast[0].id).exists()


def test_matches_archived_before_they_were_counted_are_found_again() -> None:
    _, table_id = a_played_match("people")
    archiving.archive_table(table_id=table_id)
    before = list(Outcome.objects.order_by("pk").values_list("player_id", "result", "place"))
    Outcome.objects.all().delete()
    Counted.objects.all().delete()

    for behind in archiving.tables_behind():
        archiving.archive_table(table_id=behind)

    assert list(Outcome.objects.order_by("pk").values_list("player_id", "result", "place")) == before
    assert list(archiving.tables_behind()) == []


def test_an_archive_from_elsewhere_counts_for_who_is_known_here() -> None:
    match = next(match for match in past_matches() if what_came_of_it(match, "playeralice"))
    alice = a_player()

    match["table"]["name"] = "Named\x00 elsewhere"
    archiving.take_in(line=json.dumps(match).encode())

    assert [row.player_id for row in Outcome.objects.all()] == [alice.pk]
    assert Outcome.objects.get().table_name == "Named elsewhere"
    assert Archive.objects.filter(pk=match["table"]["id"]).exists()


# Past matches.


def listed(client: Client, query: str = "") -> list[str]:
    """The names of the tables on a page of my matches."""
    page = client.get(f"/me/matches{query}")
    assert page.status_code == 200
    return [text(name) for name in re.findall(r'<div class="name"><a [^>]*>(.*?)</a>', page.content.decode())]


def many_outcomes(alice: Player, most: int) -> list[Outcome]:
    rng = Random(4)
    names = ["Bob", "Bobby Straße", "Carol", "Marl"]
    found = []
    for number in range(most):
        name, preset = rng.choice(names), [*PRESETS, "own"][number % 8]
        found.append(
            an_outcome(
                alice,
                7 * number,
                rng.choice(["won", "lost", "drawn", "left"]),
                preset=preset,
                rules={**DEFAULTS, **PRESETS.get(preset, {"palifico": True})},
                opponents=[{"id": name.split()[0].lower(), "name": name, "kind": "guest"}],
                opponent_names=name.casefold(),
                opponent_ids=f" {name.split()[0].lower()} ",
            )
        )
    return found


@pytest.mark.parametrize(
    ("query", "suits"),
    [
        ("opponent=bob", lambda row: "Bob" in row.opponents[0]["name"]),
        ("opponent=STRASSE", lambda row: "Straße" in row.opponents[0]["name"]),
        ("with=bob", lambda row: row.opponents[0]["id"] == "bob"),
        ("rules=sum", lambda row: row.rules["bidding"] == "sum"),
        ("rules=own", lambda row: row.rules["palifico"]),
        ("result=won", lambda row: row.result == "won"),
        ("result=left", lambda row: row.result == "left"),
        ("since=2026-03-05", lambda row: row.ended_at >= datetime(2026, 3, 5, tzinfo=UTC)),
        ("until=2026-03-05", lambda row: row.ended_at < datetime(2026, 3, 6, tzinfo=UTC)),
        ("since=2026-03-05&until=2026-03-05", lambda row: row.ended_at.date().isoformat() == "2026-03-05"),
        ("opponent=carol&result=won&rules=standard", lambda row: False),
    ],
)
def test_a_search_finds_what_suits_and_nothing_else(query: str, suits: Any) -> None:
    alice = a_guest("Alice")
    rows = many_outcomes(Player.objects.get(pk=alice.id), 25)
    assert {row.preset for row in rows} == {*PRESETS, "own"}
    if query.startswith("opponent=carol&"):
        an_outcome(
            Player.objects.get(pk=alice.id), 999, opponent_names="carol", table_name="The one that suits"
        )

    found = listed(a_browser(alice), f"?{query}")

    wanted = [row.table_name for row in reversed(rows) if suits(row)]
    if query.startswith("opponent=carol&"):
        wanted = ["The one that suits"] + [
            row.table_name
            for row in reversed(rows)
            if (row.opponents[0]["name"], row.result, row.preset) == ("Carol", "won", "standard")
        ]
    assert found == wanted
    assert found


def test_past_matches_lead_to_the_review_of_an_archive_also_where_there_are_none() -> None:
    for browser in (a_browser(a_guest("Alice")), Client()):
        assert '<a href="/review">Review its archive</a>' in browser.get("/me/matches").content.decode()
    assert '<a href="/review">' in Client().get("/guide/fair-dice").content.decode()


def test_days_are_those_of_the_reader() -> None:
    alice = a_guest("Alice")
    an_outcome(Player.objects.get(pk=alice.id), 0, ended_at=datetime(2026, 3, 4, 23, 30, tzinfo=UTC))
    browser = a_browser(alice)
    browser.cookies["tz"] = "Europe/Berlin"

    assert listed(browser, "?since=2026-03-05&until=2026-03-05") == ["Table 0"]
    browser.cookies["tz"] = "UTC"
    assert listed(browser, "?since=2026-03-05&until=2026-03-05") == []


def test_pages_follow_one_another_and_each_match_stands_on_one() -> None:
    alice = a_guest("Alice")
    player = Player.objects.get(pk=alice.id)
    for number in range(30):
        an_outcome(player, number, ended_at=NOW)  # all at once: the order must hold all the same
    rows = [an_outcome(player, 100 + number) for number in range(30)]
    browser, query, found = a_browser(alice), "", []
    for _ in range(3):
        found.append(listed(browser, query))
        page = browser.get(f"/me/matches{query}").content.decode()
        onward = re.search(r'href="(\?[^"]*cursor=[^"]*)"', page)
        query = onward[1].replace("&amp;", "&") if onward else ""

    assert [len(page) for page in found] == [25, 25, 10]
    assert query == ""
    assert len({name for page in found for name in page}) == 60
    assert found[0][0] == rows[-1].table_name


def statements(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/me", 7),
        ("/me/matches", 5),
        ("/me/matches?opponent=bob&result=won&since=2026-01-01", 5),
        ("/me/preferences", 4),
        ("/players/{}", 8),
    ],
)
def test_a_page_costs_the_same_however_many_matches_there_are(address: str, most: int) -> None:
    alice = a_guest("Alice")
    browser = a_browser(alice)
    player = Player.objects.get(pk=alice.id)
    address = address.format(alice.id)
    an_outcome(player, 0)
    browser.get(address)  # the first visit renews the session
    few = statements(browser, address)

    for number in range(1, 200):
        an_outcome(player, number)
    many = statements(browser, address)

    assert many <= few <= most


@pytest.mark.parametrize(
    "query",
    ["cursor=x", "cursor=9-", "cursor=%00", f"cursor={'9' * 400}-a"],
)
def test_a_cursor_that_no_page_gave_leads_nowhere(query: str) -> None:
    assert a_browser(a_guest("Alice")).get(f"/me/matches?{query}").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        *("opponent=%00", "opponent=" + "x" * 41, "rules=none", "result=1", "since=yesterday"),
        *("since=0001-01-01", "until=9999-12-31", "since=-1", "with=%00", "with=../x", "until=2026-02-30"),
    ],
)
def test_a_search_that_makes_no_sense_is_answered_in_words(query: str) -> None:
    page = a_browser(a_guest("Alice")).get(f"/me/matches?{query}")

    assert page.status_code == 200


# What is nobody else's to read, and what is not told yet.


def test_a_private_match_counts_in_the_numbers_and_stands_in_no_list_of_others() -> None:
    alice = a_guest("Alice")
    player = Player.objects.get(pk=alice.id)
    for number, visibility in enumerate(("public", "unlisted", "private")):
        an_outcome(player, number, visibility=visibility, table_name=f"The {visibility} one")

    for reader in (Client(), a_browser(a_guest("Dave"))):
        page = reader.get(f"/players/{alice.id}").content.decode()
        assert numbers_on(page)["played"] == 3
        assert "The public one" in page
        assert "The private one" not in page
        assert "The unlisted one" not in page
    assert len(listed(a_browser(alice))) == 3


def test_my_matches_are_nobody_elses() -> None:
    alice = a_guest("Alice")
    an_outcome(Player.objects.get(pk=alice.id), 1, table_name="Of Alice alone")

    assert "Of Alice alone" not in a_browser(a_guest("Dave")).get("/me/matches").content.decode()
    assert "Of Alice alone" not in Client().get("/me/matches").content.decode()


def test_what_lies_under_cups_that_i_have_not_lifted_is_told_by_no_number_and_no_list() -> None:
    cast = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*cast, rules={"starting_dice": 1}, name="The last cups")["id"]
    play_on(cast, table_id, Random(1))
    archiving.archive_table(table_id=table_id)
    rounds = Outcome.objects.filter(table_id=table_id)[0].rounds

    for person, other in (cast, cast[::-1]):
        browser = a_browser(person)
        me = browser.get("/me").content.decode()
        assert numbers_on(me)["played"] == 0
        assert "The cups are waiting to be lifted." in me
        assert told_to(browser, other.id)["played"] == 0
        assert listed(browser) == ["The last cups"]
        for result in ("won", "lost", "drawn", "left"):
            assert listed(browser, f"?result={result}") == []
        assert "of two" not in browser.get("/me/matches").content.decode()
        assert told_to(Client(), person.id)["played"] == 1  # who has no cups to lift may know

        visiting.lift(table_id=table_id, player_id=person.id, number=rounds)
        assert numbers_on(browser.get("/me").content.decode())["played"] == 1
        assert told_to(browser, other.id)["played"] == 1
        assert sum(len(listed(browser, f"?result={result}")) for result in ("won", "lost")) == 1


def test_names_are_written_as_they_are() -> None:
    alice = a_guest("<b>Alice</b>")
    an_outcome(
        Player.objects.get(pk=alice.id),
        1,
        table_name="<i>T</i>",
        opponents=[{"id": "x", "name": "<u>B</u>", "kind": "guest"}],
    )
    browser = a_browser(alice)

    for address in ("/me", "/me/matches", f"/players/{alice.id}", "/me/preferences", "/me/forget"):
        page = browser.get(address).content.decode()
        assert not re.search(r"<(b|i|u)>", page), address


@pytest.mark.parametrize("player_id", ["nobody", "%00", "x" * 300, "../me", "ümlaut", "computer-marl"])
def test_a_player_who_is_not_there_is_404(player_id: str) -> None:
    assert Client().get(f"/players/{player_id}").status_code == 404


def test_pages_about_people_are_kept_by_no_cache_between() -> None:
    alice = a_guest("Alice")
    for address in ("/me", "/me/matches", "/me/preferences", f"/players/{alice.id}"):
        assert a_browser(alice).get(address)["Cache-Control"] == "private, no-store"
