"""The mirror: counts of bids and calls over all matches, for oneself alone unless it is shared."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.commands import create_guest, prefer
from accounts.models import Player
from games import tasks
from games.commands import analysing
from games.models import Mirrored
from games.queries.mirror import mirror_of
from tests.archives.matches import a_played_match
from tests.people import Person
from tests.web.test_review import as_guest

pytestmark = pytest.mark.django_db


def a_reflected_match(seed: int, kind: str = "people", *, lifted: bool = True) -> tuple[list[Person], str]:
    people, table_id = a_played_match(kind, seed)
    tasks.archive_tables([table_id])
    while analysing.analyse_table(table_id=table_id):
        pass
    if lifted:
        for person in people:
            lift(person, table_id)
    return people, table_id


def lift(person: Person, table_id: str) -> None:
    """Lift the last cups of a match, and so all of them."""
    number = person.sees(table_id)["reveal"]["number"]
    as_guest(person.id).post(f"/tables/{table_id}/lift", {"round": str(number)})


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def reveals(person: Person, table_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get(f"tables/{table_id}/archive").json()["rounds"]
    return found


def test_it_counts_the_bids_and_calls_that_were_made() -> None:
    people, table_id = a_reflected_match(4)
    alice = people[0]
    seat = next(s["seat"] for s in alice.sees(table_id)["seats"] if s["player"]["id"] == alice.id)
    rounds = reveals(alice, table_id)

    mirror = mirror_of(alice.id, viewer_id=alice.id)

    assert mirror.matches == 1
    assert mirror.bids.number == sum(bid["seat"] == seat for round in rounds for bid in round["bids"])
    calls = [round for round in rounds if round["call"]["seat"] == seat]
    assert mirror.liar.number + mirror.exact.number == len(calls)
    assert mirror.liar.good + mirror.exact.good == sum(round["right"] for round in calls)
    for tallies in (mirror.by_dice, mirror.by_players):
        assert sum(bids.number for bids, _ in tallies.values()) == mirror.bids.number
    for tenth, tally in enumerate(mirror.by_tenth):
        if tally.number:
            assert tenth / 10 <= tally.expected <= (tenth + 1) / 10


def test_matches_are_added_up_in_one_statement() -> None:
    player, _ = create_guest(name="Alice", now=timezone.now())
    counts = {"bid 7 5 4": [2, 1, 1.5], "liar 6 3 4": [1, 1, 0.65]}
    for number in range(20):
        Mirrored.objects.create(player=player, table_id=f"t{number}", rounds=3, counts=counts)

    with CaptureQueriesContext(connection) as caught:
        mirror = mirror_of(player.id, viewer_id=player.id)

    assert len(caught) == 1
    assert (mirror.matches, mirror.bids.number, mirror.bids.good) == (20, 40, 20)
    assert mirror.by_tenth[7].expected == pytest.approx(0.75)
    assert mirror.by_dice[3][1].number == 20
    page = text_of(as_guest(player.id).get("/me/mirror").content.decode())
    assert (
        "You made 40 bids, of which 50 % were true. From your own dice alone, 75 % were to be expected"
        in page
    )
    assert "You called liar 20 times and were right in 100 %; from your own dice alone it was 65 %." in page
    assert "70 to 80 % 40 50 %" in page


def test_it_is_mine_alone_until_i_share_it() -> None:
    people, _ = a_reflected_match(4)
    alice = people[0]
    path = f"/players/{alice.id}/mirror"

    assert "Only you see this." in as_guest(alice.id).get("/me/mirror").content.decode()
    assert Client().get(path).status_code == 404
    assert as_guest(alice.id).get(path).status_code == 404
    assert "mirror" not in Client().get(f"/players/{alice.id}").content.decode()
    prefer(player=Player.objects.get(pk=alice.id), wanted={"share_mirror": True})
    assert "They made" in text_of(Client().get(path).content.decode())
    assert path in Client().get(f"/players/{alice.id}").content.decode()
    assert Client().get("/players/nobody/mirror").status_code == 404
    assert Client().get("/me/mirror").status_code == 302


def test_a_match_whose_last_cups_wait_says_nothing_yet() -> None:
    people, table_id = a_reflected_match(4, lifted=False)
    alice = people[0]

    assert mirror_of(alice.id, viewer_id=alice.id).matches == 0
    lift(alice, table_id)
    assert mirror_of(alice.id, viewer_id=alice.id).matches == 1


def test_practice_says_nothing() -> None:
    a_reflected_match(4, "practice", lifted=False)

    assert not Mirrored.objects.exists()


def test_who_has_played_nothing_is_told_what_will_be_there() -> None:
    player, _ = create_guest(name="Alice", now=timezone.now())

    page = as_guest(player.id).get("/me/mirror")

    assert "There is nothing to see yet." in page.content.decode()
    assert "no-store" in page["Cache-Control"]


def test_the_page_costs_few_statements() -> None:
    people, _ = a_reflected_match(4)
    client = as_guest(people[0].id)
    client.get("/me/mirror")
    with CaptureQueriesContext(connection) as caught:
        assert client.get("/me/mirror").status_code == 200
    assert len(caught) <= 6
