"""Home: what waits, what does not, three ways in; and nothing of a reveal before its cups were lifted."""

import random
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import Player
from games.commands import visiting
from games.models import Table
from tests.people import Person, a_guest
from tests.tables import a_match, play_on, whose_turn
from tests.web.pasts import a_finished_match
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

CUPS_WAIT = "The cups are waiting to be lifted."
MOST_STATEMENTS = 14


def at_home(person: Person) -> str:
    """The page, with its spaces made even."""
    answer = a_browser(person).get("/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def section(page: str, heading: str) -> str:
    """The part of a page under this heading, up to the next one."""
    found = re.search(rf"<h2>{heading}</h2>(.*?)(<h2>|</main>)", page)
    return found[1] if found else ""


def a_called_round(opener_stays: bool = True) -> tuple[Person, Person, dict[str, Any]]:
    """Two people after their first round: the one who opens the next, and the other."""
    people = [a_guest("Alice"), a_guest("Bob")]
    table = a_match(*people, name="Tuesday two")
    mover = whose_turn(people, table)
    bid = mover.acts(table["id"], table["version"], type="bid", quantity=1, face=6).json()
    called = whose_turn(people, bid).acts(table["id"], bid["version"], type="liar").json()
    opener = people[called["reveal"]["next_opener"]]
    other = people[1 - called["reveal"]["next_opener"]]
    return opener, other, called


def test_somebody_new_finds_three_ways_in_and_the_computers_come_first() -> None:
    page = " ".join(Client().get("/").content.decode().split())

    ways = [page.index(words) for words in ("Play three computers now", "Start a table", "Learn the rules")]
    assert ways == sorted(ways)
    assert '<form method="post" action="/play">' in page
    assert "waits for you" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_one_press_makes_a_guest_and_begins_a_match_that_hurries_nobody() -> None:
    browser = Client()

    answer = browser.post("/play", {"client_seed": "0123456789abcdef0123456789abcdef"})

    table = Table.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == f"/tables/{table.id}"
    assert (table.status, table.visibility, table.clock) == ("bidding", "unlisted", {"kind": "none"})
    seats = list(table.seats.order_by("number"))
    assert [seat.level for seat in seats] == ["", "easy", "easy", "normal"]
    assert seats[0].client_seed == "0123456789abcdef0123456789abcdef"
    assert seats[0].player == Player.objects.get()
    assert "Three computers" in browser.get("/").content.decode()


def test_whoever_plays_again_stays_the_same_guest() -> None:
    browser = Client()
    for _ in range(2):
        browser.post("/play")

    assert Player.objects.count() == 1
    assert Table.objects.count() == 2


def test_a_seed_that_cannot_be_used_is_left_out_and_the_match_begins() -> None:
    Client().post("/play", {"client_seed": "a|b"})

    assert Table.objects.get().seats.get(number=0).client_seed == ""


def test_play_now_answers_to_post_alone_and_to_this_site_alone() -> None:
    assert Client().get("/play").status_code == 405
    assert a_browser(csrf=True).post("/play").status_code == 403
    assert not Player.objects.exists()


def test_a_flood_of_newcomers_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "guests", "2/min")
    answers = [Client().post("/play") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert int(answers[2]["Retry-After"]) >= 1
    assert "Nothing of yours is lost" in answers[2].content.decode()
    assert Player.objects.count() == Table.objects.count() == 2


def test_what_waits_is_counted_and_says_what_stands() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = a_match(alice, bob, name="Harbour <Club>", rules={"first_opener": "host"})
    assert "One table waits for you." in at_home(alice)
    assert "Your move. You open the round." in at_home(alice)
    alice.acts(table["id"], table["version"], type="bid", quantity=2, face=4)

    page = at_home(bob)

    assert "One table waits for you." in page
    assert "Your move. Alice says two fours." in page
    assert "Harbour &lt;Club&gt;" in page
    assert "Alice · round 1" in page
    assert re.search(
        r'<span class="left" data-until="[^"]+" data-whole="172800">1 day 23 h left</span>', page
    )


def test_a_standing_total_is_said_as_such() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table = a_match(alice, bob, preset="sum")
    alice.acts(table["id"], table["version"], type="bid", total=23)

    assert "Your move. Alice says a total of 23." in at_home(bob)


def test_the_most_urgent_letter_lies_on_top() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    for name, hours in (("Slow", 300), ("Quick", 1), ("Between", 48)):
        clock = {"kind": "slow", "turn_seconds": hours * 3600}
        a_match(alice, bob, name=name, clock=clock, rules={"first_opener": "host"})
    a_match(alice, bob, name="Never", clock={"kind": "none"}, rules={"first_opener": "host"})

    page = at_home(alice)

    assert "Four tables wait for you." in page
    order = [page.index(f">{name}</a>") for name in ("Quick", "Between", "Slow", "Never")]
    assert order == sorted(order)
    assert "no hurry" in page


def test_who_waits_for_others_hears_whose_move_is_due() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    a_match(alice, bob, name="Two at sea", rules={"first_opener": "host"})

    page = at_home(bob)

    assert "Nothing waits for you." in page
    assert "The next move due is Alice’s, by" in page
    assert "Alice to move" in section(page, "Waiting for others")


def test_nothing_tells_what_a_call_brought_before_the_cups_are_lifted() -> None:
    opener, other, called = a_called_round()

    for person in (opener, other):
        page = at_home(person)
        assert CUPS_WAIT in page
        for word in ("opens", "You open", "to move", "Then", "lost", "won", "loses", "round 2"):
            assert word not in page.split('id="mine"')[1].split("<h2>Begin something")[0], word
    assert "The next move due" not in at_home(other)

    number = called["reveal"]["number"]
    for person in (opener, other):
        visiting.lift(table_id=called["id"], player_id=person.id, number=number)
    assert "You open round two." in at_home(opener)
    assert f"{opener.name} opens the next round" in at_home(other)


def test_a_round_that_began_meanwhile_does_not_give_the_last_one_away() -> None:
    opener, other, called = a_called_round()
    opener.acts(called["id"], called["version"], type="next_round")

    assert f"{CUPS_WAIT} Then it is your move." in at_home(opener)
    waiting = section(at_home(other), "Waiting for others")
    assert CUPS_WAIT in waiting
    assert "to move" not in waiting


def test_how_a_match_ended_is_told_to_who_lifted_its_last_cups() -> None:
    people = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*people, name="Short", rules={"starting_dice": 1})["id"]
    over = play_on(people, table_id, random.Random(3))
    winner = people[over["result"]["winner"]]
    assert CUPS_WAIT in section(at_home(winner), "Finished")
    assert "won" not in section(at_home(winner), "Finished")

    visiting.lift(table_id=table_id, player_id=winner.id, number=over["reveal"]["number"])

    assert "You won." in section(at_home(winner), "Finished")


def test_a_match_that_was_given_up_tells_its_end_though_no_cup_was_lifted() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = a_match(alice, bob)["id"]
    alice.delete(f"tables/{table_id}/seats/me")

    assert "You won." in section(at_home(bob), "Finished")


def test_practice_waits_for_its_owner_and_is_nothing_to_watch() -> None:
    alice = a_guest("Alice")
    alice.opens(name="Alone", mode="practice", rules={"seats": 2})

    assert "Your practice goes on where you left it." in at_home(alice)
    assert "Alone" not in at_home(a_guest("Carol"))


def test_open_tables_show_rules_pace_and_seats() -> None:
    alice = a_guest("Alice")
    alice.opens(name="Straight", preset="straight", clock={"kind": "slow", "turn_seconds": 5 * 86400})
    alice.opens(name="Odd", rules={"ones": "low", "palifico": True, "starting_dice": 3, "seats": 2})
    alice.opens(name="Unlisted", visibility="unlisted")
    alice.opens(name="Secret", visibility="private")

    page = section(at_home(a_guest("Carol")), "Open tables")

    assert "straight · five days a move" in page
    assert "ones low, palifico, three dice each · two days a move" in page
    assert "three of four seats free; Alice there" in page
    assert "Unlisted" not in page
    assert "Secret" not in page
    assert "Straight" not in section(at_home(alice), "Open tables")
    assert "Three of four seats free" in section(at_home(alice), "Waiting for others")


def test_tables_of_others_are_there_to_watch() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    a_match(alice, bob, name="Harbour Club", clock={"kind": "live", "pace": "normal"})

    assert "Alice, Bob · live, round 1" in section(at_home(a_guest("Carol")), "To watch")
    assert section(at_home(alice), "To watch") == ""


def test_home_takes_the_same_few_statements_for_many_tables() -> None:
    alice, bob, carol = a_guest("Alice"), a_guest("Bob"), a_guest("Carol")

    def counted() -> int:
        browser = a_browser(alice)
        browser.get("/")  # renews the session, once in a while
        with CaptureQueriesContext(connection) as captured:
            assert browser.get("/").status_code == 200
        return len(captured)

    def more(number: int) -> None:
        for _ in range(number):
            table = a_match(alice, bob)
            if table["round"]["turn"] == 0:
                alice.acts(table["id"], table["version"], type="bid", quantity=1, face=6)
            a_match(bob, carol)
            alice.opens()
            carol.opens()
            ended = a_match(alice, carol)
            carol.delete(f"tables/{ended['id']}/seats/me")
            waiting = a_match(alice, bob, rules={"first_opener": "host"})
            called = alice.acts(waiting["id"], waiting["version"], type="bid", quantity=1, face=6).json()
            bob.acts(waiting["id"], called["version"], type="liar")

    more(1)
    few = counted()
    more(6)

    assert counted() == few <= MOST_STATEMENTS


def test_a_practice_that_is_over_names_no_winner() -> None:
    alice = a_guest("Alice")
    played = alice.opens(name="Alone", mode="practice", rules={"seats": 2, "starting_dice": 1})
    opener = played["round"]["turn"]
    view = alice.acts(played["id"], played["version"], seat=opener, type="bid", quantity=1, face=6).json()
    alice.acts(played["id"], view["version"], seat=1 - opener, type="liar")
    ended = alice.opens(name="Given up", mode="practice", rules={"seats": 2})
    a_browser(alice).post(f"/tables/{ended['id']}/leave")

    finished = section(at_home(alice), "Finished")

    assert "Alone" in finished
    assert "Given up" in finished
    assert finished.count("The practice is over.") == 2
    assert "won" not in finished


def test_who_has_finished_a_match_finds_where_an_archive_is_reviewed() -> None:
    alice, _ = a_finished_match()

    assert 'href="/review"' in section(at_home(alice), "Finished")


def test_home_shows_fifty_letters_at_most_and_counts_them_all() -> None:
    alice = a_guest("Alice")
    for _ in range(52):
        alice.opens(mode="practice", rules={"seats": 2})

    page = at_home(alice)

    assert "52 tables wait for you." in page
    assert page.count('class="sheet striped letter') == 50
    assert "2 more wait" in page
