"""The page of a table: what it shows to whom, what one does there, what it spoils, what it costs."""

import random
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games.commands import clockwork
from games.models import Event
from tests.people import Person, a_guest, nobody
from tests.tables import a_match, play_on, whose_turn
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 15


def at_table(client: Client, table_id: str, query: str = "") -> str:
    """The page, with its spaces made even."""
    answer = client.get(f"/tables/{table_id}{query}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def heading(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page)
    return found[1] if found else ""


def form_of(page: str, kind: str) -> dict[str, str]:
    """The hidden fields of the form that sends this kind of move."""
    for form in re.findall(r"<form.*?</form>", page):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        if fields.get("type") == kind:
            fields.pop("csrfmiddlewaretoken", None)
            return fields
    raise AssertionError(f"no form for {kind}")


def a_pair(**wanted: Any) -> tuple[Person, Person, dict[str, Any]]:
    """Whoever is to move at a new table of two, the other, and the view."""
    people = [a_guest("Alice"), a_guest("Bob")]
    table = a_match(*people, **wanted)
    mover = whose_turn(people, table)
    return mover, next(each for each in people if each is not mover), table


def a_called_round(**wanted: Any) -> tuple[Person, Person, dict[str, Any]]:
    """After one round: who called, the other, and the caller's view."""
    mover, other, table = a_pair(**wanted)
    view = mover.acts(table["id"], table["version"], type="bid", quantity=1, face=6).json()
    view = other.acts(table["id"], view["version"], type="liar").json()
    return other, mover, view


def test_whoever_is_to_move_finds_their_dice_the_lowest_raises_and_the_suggestion() -> None:
    mover, other, table = a_pair()
    view = mover.sees(table["id"])

    page = at_table(a_browser(mover), table["id"])

    assert heading(page) == "Your move"
    assert re.findall(r'<li data-face="(\d)"', page) == [str(die) for die in view["round"]["hand"]]
    suggested = view["legal"]["suggested"]["face"]
    assert re.search(rf'name="face" value="{suggested}" checked', page)
    assert "You hold" in page
    assert heading(at_table(a_browser(other), table["id"])) == f"{mover.name} to move"
    assert "data-raising" not in at_table(a_browser(other), table["id"])


def test_a_watcher_sees_the_bids_and_no_hand() -> None:
    mover, _, table = a_pair()
    mover.acts(table["id"], table["version"], type="bid", quantity=2, face=4)

    page = at_table(Client(), table["id"])

    assert "two fours" in page
    assert "You are watching" in page
    assert "data-hand" not in page


def test_a_bid_is_made_by_the_form_and_a_form_sent_twice_does_nothing_twice() -> None:
    mover, other, table = a_pair(clock={"kind": "none"})
    browser = a_browser(mover)
    fields = form_of(at_table(browser, table["id"]), "bid") | {"quantity": "3", "face": "5"}

    first = browser.post(f"/tables/{table['id']}/act", fields)
    again = browser.post(f"/tables/{table['id']}/act", fields)

    assert (first.status_code, again.status_code) == (302, 302)
    view = other.sees(table["id"])
    assert [(bid["quantity"], bid["face"]) for bid in view["round"]["bids"]] == [(3, 5)]
    assert "moved on" not in at_table(browser, table["id"])


def test_on_a_slow_table_a_move_is_asked_about_first_and_the_question_survives_a_reload() -> None:
    mover, other, table = a_pair()
    browser = a_browser(mover)
    fields = form_of(at_table(browser, table["id"]), "bid")
    asked = "?" + "&".join(f"{name}={value}" for name, value in fields.items()) + "&quantity=2&face=3"

    page = at_table(browser, table["id"], asked)

    assert "Bid two threes?" in page
    assert f"{other.name} is next." in page
    assert at_table(browser, table["id"], asked).count("Yes, send it") == 1
    assert other.sees(table["id"])["round"]["bids"] == []
    sure = form_of(page, "bid")
    assert browser.post(f"/tables/{table['id']}/act", sure).status_code == 302
    assert len(other.sees(table["id"])["round"]["bids"]) == 1


def test_a_question_about_a_bid_that_is_not_allowed_says_why() -> None:
    mover, _, table = a_pair()
    browser = a_browser(mover)
    fields = form_of(at_table(browser, table["id"]), "bid")
    for sent, said in (
        ("quantity=11&face=3", "Only ten dice are in play."),
        ("quantity=0&face=3", "start at one"),
        ("quantity=2&face=9", "A face is a whole number from 1 to 6."),
        ("quantity=2", "A bid is a quantity and a face"),
        ("quantity=2&face=1", "Nobody opens on ones"),
    ):
        asked = "?" + "&".join(f"{name}={value}" for name, value in fields.items()) + f"&{sent}"
        page = at_table(browser, table["id"], asked)
        assert said in page, sent
        assert "Yes, send it" not in page


def test_whoever_comes_too_late_hears_what_happened_and_that_nothing_was_sent() -> None:
    mover, other, table = a_pair(clock={"kind": "none"})
    browser = a_browser(mover)
    fields = form_of(at_table(browser, table["id"]), "bid") | {"quantity": "4", "face": "2"}
    view = mover.acts(table["id"], table["version"], type="bid", quantity=1, face=2).json()
    other.acts(table["id"], view["version"], type="bid", quantity=2, face=6)

    page = browser.post(f"/tables/{table['id']}/act", fields, follow=True).content.decode()

    assert "This table moved on while you were thinking." in page
    assert f"{other.name} raised to two sixes. Your bid was not sent." in page


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "The page was not whole"),
        ({"type": "fold", "version": "1"}, "The page was not whole"),
        ({"type": "bid", "version": "nine", "quantity": "1", "face": "2"}, "The page was not whole"),
        ({"type": "bid", "quantity": "many", "face": "2"}, "Choose a face"),
        ({"type": "bid", "quantity": "1" * 40, "face": "2"}, "Choose a face"),
        ({"type": "bid", "total": "x"}, "A total is a whole number."),
        ({"type": "bid", "total": "7"}, "a bid is a quantity and a face"),
        ({"type": "bid", "quantity": "99", "face": "2"}, "dice are in play"),
        ({"type": "liar"}, ""),
        ({"type": "bid", "quantity": "1", "face": "2", "key": "k" * 500}, None),
    ],
)
def test_what_makes_no_sense_is_answered_in_a_sentence(sent: dict[str, str], said: str | None) -> None:
    mover, _, table = a_pair(clock={"kind": "none"})
    version = mover.sees(table["id"])["version"]

    answer = a_browser(mover).post(
        f"/tables/{table['id']}/act", {"version": str(version), **sent}, follow=True
    )

    assert answer.status_code == 200
    page = answer.content.decode()
    if said is None:
        assert mover.sees(table["id"])["version"] == version + 1
    else:
        assert 'class="said wrong' in page
        assert said in page
        assert mover.sees(table["id"])["version"] == version


def test_a_stranger_who_acts_is_told_that_they_hold_no_seat() -> None:
    _, _, table = a_pair()
    carol = a_guest("Carol")
    for browser in (Client(), a_browser(carol)):
        answer = browser.post(f"/tables/{table['id']}/act", {"type": "liar", "version": "3"}, follow=True)
        assert "You hold no seat at this table" in answer.content.decode()


def test_nothing_tells_of_a_call_before_its_cups_are_lifted() -> None:
    caller, other, view = a_called_round()
    reveal = view["reveal"]

    for browser in (a_browser(caller), a_browser(other)):
        page = at_table(browser, view["id"])
        assert heading(page) == "The cups are waiting to be lifted"
        assert "There was" not in page
        assert "loses" not in page
        assert "lose a die" not in page
        assert "<text" not in page.split("</header>")[1].split("waiting-cups")[1].split("</section>")[0]
        assert reveal["secret"] not in page

    lifted = (
        a_browser(caller).post(f"/tables/{view['id']}/lift", {"round": "1"}, follow=True).content.decode()
    )

    assert "You called liar on" in lifted
    assert 'class="ledger"' in lifted
    assert "waiting to be lifted" in at_table(a_browser(other), view["id"])
    assert 'class="ledger"' in at_table(a_browser(caller), view["id"])


def test_lifting_what_was_never_called_lifts_nothing() -> None:
    caller, _, view = a_called_round()
    browser = a_browser(caller)
    for number in ("2", "0", "x", "", "9" * 30):
        browser.post(f"/tables/{view['id']}/lift", {"round": number})
        assert "waiting to be lifted" in at_table(browser, view["id"])


def test_a_stranger_lifts_the_cups_by_an_address_and_a_late_one_need_not() -> None:
    _, _, view = a_called_round()
    browser = Client()
    assert "waiting to be lifted" in at_table(browser, view["id"])

    page = browser.post(f"/tables/{view['id']}/lift", {"round": "1"}, follow=True).content.decode()

    assert 'class="ledger"' in page


def test_whoever_was_away_for_a_round_lifts_its_cups_before_they_move() -> None:
    caller, other, view = a_called_round()
    opener = (caller, other)[view["reveal"]["next_opener"] != view["viewer"]["seat"]]
    waiting = other if opener is caller else caller
    view = opener.acts(view["id"], view["version"], type="next_round").json()
    opener.acts(view["id"], view["version"], type="bid", quantity=1, face=2)
    browser = a_browser(waiting)

    page = at_table(browser, view["id"])
    assert "Then it is your move." in page
    assert "data-raising" not in page

    lifted = browser.post(f"/tables/{view['id']}/lift", {"round": "1"}, follow=True).content.decode()
    assert "Go on to round 2" in lifted
    assert heading(at_table(browser, view["id"])) == "Your move"
    assert 'class="ledger"' in at_table(browser, view["id"], "?last")


def test_who_comes_back_reads_what_happened_since() -> None:
    mover, other, table = a_pair(clock={"kind": "none"})
    browser = a_browser(mover)
    at_table(browser, table["id"])
    view = mover.acts(table["id"], table["version"], type="bid", quantity=1, face=2).json()
    view = other.acts(table["id"], view["version"], type="bid", quantity=1, face=3).json()

    page = at_table(browser, table["id"])

    assert "Since you were here: two things" in page
    assert f"{other.name} raised to one three." in page
    assert "Since you were here" not in at_table(browser, table["id"])


def test_a_part_of_the_page_is_sent_to_script_and_the_whole_to_everybody_else() -> None:
    mover, _, table = a_pair()
    browser = a_browser(mover)

    part = browser.get(f"/tables/{table['id']}", headers={"HX-Request": "true"})
    whole = browser.get(f"/tables/{table['id']}")

    assert part.content.lstrip().startswith(b"<div")
    assert whole.content.startswith(b"<!doctype html>")
    assert "HX-Request" in part["Vary"]
    assert "no-store" in part["Cache-Control"]


def test_on_a_live_table_whose_line_dropped_is_away_and_for_how_long() -> None:
    mover, other, table = a_pair(clock={"kind": "live", "pace": "relaxed"})
    assert "away," not in at_table(a_browser(mover), table["id"])
    Player.objects.filter(pk=other.id).update(seen_at=timezone.now() - timedelta(seconds=41))

    page = at_table(a_browser(mover), table["id"])

    assert re.search(r"away, 4[123] s", page)
    Player.objects.filter(pk=other.id).update(seen_at=timezone.now())
    assert "away," not in at_table(a_browser(mover), table["id"])


def test_a_turn_that_ran_out_is_told_with_the_bid_that_the_computer_made() -> None:
    mover, other, table = a_pair(clock={"kind": "slow", "turn_seconds": 3600})
    assert clockwork.run_due_table(table_id=table["id"], now=timezone.now() + timedelta(hours=2))

    page = at_table(a_browser(other), table["id"])

    assert f"{mover.name} ran out of time. The computer moves for {mover.name}" in page
    assert page.index("ran out of time") < page.index("opened with", page.index("ran out of time"))


def test_leaving_says_what_follows_and_is_asked_about() -> None:
    mover, other, table = a_pair()
    browser = a_browser(mover)

    page = browser.get(f"/tables/{table['id']}/leave").content.decode()
    assert "gives up the match" in page
    assert mover.sees(table["id"])["status"] == "bidding"

    browser.post(f"/tables/{table['id']}/leave")
    assert other.sees(table["id"])["result"]["winner"] == other.sees(table["id"])["viewer"]["seat"]
    assert f"{other.name} won" in at_table(a_browser(mover), table["id"])


def test_who_is_out_has_nothing_to_leave_and_is_not_told_so_under_the_cups() -> None:
    people = [a_guest("Alice"), a_guest("Bob"), a_guest("Carol")]
    view = a_match(*people, rules={"starting_dice": 1})
    view = whose_turn(people, view).acts(view["id"], view["version"], type="bid", quantity=1, face=6).json()
    view = whose_turn(people, view).acts(view["id"], view["version"], type="liar").json()
    lost = next(seat["seat"] for seat in view["seats"] if not seat["dice"])

    for seat, person in enumerate(people):
        browser = a_browser(person)
        assert "Leave this match" in at_table(browser, view["id"])
        assert ("Leave this match" in at_table(browser, view["id"], "?lifted=1")) is (seat != lost)


def test_play_again_makes_a_table_with_the_same_rules_and_computers() -> None:
    alice = a_guest("Alice")
    table = alice.opens(
        mode="practice", rules={"seats": 3, "starting_dice": 2}, computers=[{"level": "easy"}]
    )
    alice.delete(f"tables/{table['id']}/seats/me")

    answer = a_browser(alice).post(f"/tables/{table['id']}/again")

    made = alice.sees(answer["Location"].rsplit("/", 1)[1])
    assert made["id"] != table["id"]
    assert (made["rules"], made["mode"], made["clock"]) == (table["rules"], "practice", table["clock"])
    assert [seat["player"]["kind"] for seat in made["seats"]].count("computer") == 1


def test_practice_looks_through_the_chair_that_moves_or_the_one_that_is_asked_for() -> None:
    alice = a_guest("Alice")
    table = alice.opens(mode="practice", rules={"seats": 2}, clock={"kind": "none"})
    browser = a_browser(alice)
    turn = table["round"]["turn"]

    page = at_table(browser, table["id"])
    assert heading(page) == "Your move"
    assert "nothing counts" in page
    own = alice.sees(table["id"], **{"as": turn})["round"]["hand"]
    assert re.findall(r'<li data-face="(\d)"', page) == [str(die) for die in own]

    other = at_table(browser, table["id"], f"?as={1 - turn}")
    hand = alice.sees(table["id"], **{"as": 1 - turn})["round"]["hand"]
    assert re.findall(r'<li data-face="(\d)"', other) == [str(die) for die in hand]

    fields = form_of(page, "bid") | {"quantity": "1", "face": "6"}
    browser.post(f"/tables/{table['id']}/act", fields)
    assert heading(at_table(browser, table["id"])) == "Your move"
    assert alice.sees(table["id"])["round"]["turn"] == 1 - turn

    view = alice.sees(table["id"])
    alice.acts(table["id"], view["version"], type="liar", seat=1 - turn)
    browser.post(f"/tables/{table['id']}/lift", {"round": "1", "as": "1"})
    for chair in ("", "?as=0", "?as=1"):
        assert "Next round" in at_table(browser, table["id"], chair)


def test_a_page_shows_every_kind_of_match_from_beginning_to_end() -> None:
    for number, preset in enumerate(("standard", "classic", "wild", "straight", "low-ones", "calza", "sum")):
        people = [a_guest("Alice"), a_guest("Bob"), a_guest("Carol")]
        rules = {"starting_dice": 2} | ({} if preset == "sum" else {"palifico": True})
        table_id = a_match(*people, rules=rules, preset=preset)["id"]
        rng = random.Random(number)
        browsers = [*map(a_browser, people), Client()]
        while play_on(people, table_id, rng, most=1)["status"] != "finished":
            for browser in browsers:
                at_table(browser, table_id)
                at_table(browser, table_id, "?lifted=999&last")
        assert " won" in heading(at_table(Client(), table_id, "?lifted=999"))


def test_nothing_that_a_page_is_asked_breaks_it() -> None:
    mover, _, table = a_pair()
    browser = a_browser(mover)
    for query in (
        "?as=9&last&lifted=x",
        "?type=bid&version=%00&quantity=%ff",
        f"?type=bid&version={table['version']}&total=3",
        f"?type=liar&version={table['version']}",
        "?lifted=99999999999999999999",
        "?as=" + "1" * 5000,
    ):
        assert browser.get(f"/tables/{table['id']}{query}").status_code == 200, query
    assert browser.get("/tables/nowhere").status_code == 404
    assert browser.get("/tables/%00").status_code == 404


def test_the_odds_are_shown_to_who_wants_them_and_never_on_ranked_tables() -> None:
    mover, _, table = a_pair()
    browser = a_browser(mover)
    assert "Odds from your chair" not in at_table(browser, table["id"])

    browser.post(
        "/me/preferences", {"odds_helper": "on", "confirm": "slow", "talk": "some", "notices": "off"}
    )

    assert "Odds from your chair" in at_table(browser, table["id"])


def test_a_page_costs_the_same_in_every_round() -> None:
    people = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*people, rules={"starting_dice": 5})["id"]
    costs = []
    for _ in range(12):
        browser = a_browser(people[0])
        with CaptureQueriesContext(connection) as captured:
            at_table(browser, table_id, "?lifted=99")
        costs.append(len(captured))
        play_on(people, table_id, random.Random(len(costs)), most=3)
    assert max(costs) <= MOST_STATEMENTS, costs
    assert Event.objects.filter(table_id=table_id).count() > 20


def test_the_table_of_strangers_costs_few_statements() -> None:
    _, _, table = a_pair()
    browser = nobody().client
    with CaptureQueriesContext(connection) as captured:
        at_table(browser, table["id"])
    assert len(captured) <= 8
