"""Documents in which something was changed afterwards: each change is found, and found where it is."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.actions import Act, Leave, TimeOut
from games.engine.moves import Bid
from games.engine.rules import Rules
from games.engine.verify import verify
from tests.engine.random_matches import Setting
from tests.verify import changes
from tests.verify.building import Document, build
from tests.verify.samples import a_club_match, a_document, a_draw

OF_COMPUTERS = Setting(rules=Rules(seats=3), numbers=(0, 1, 2), computers=(0, 1, 2), seed=1)

FIRST_OPENS = 1
"""A seed with which seat 0 is drawn to open."""

STRIKES_AND_A_FORFEIT = [
    TimeOut(),
    Act(seat=0, move=Bid(quantity=1, face=2)),
    Act(seat=1, move=Bid(quantity=1, face=3)),
    TimeOut(),
    Act(seat=0, move=Bid(quantity=1, face=4)),
    Leave(1),
]


def differing(document: Document) -> dict[str, str]:
    return {check.name: check.detail for check in verify(document).checks if check.outcome == "differs"}


OF_A_CLUB_MATCH: list[tuple[changes.Change, str]] = [
    (changes.a_die, "hands"),
    (changes.the_order_of_a_hand, "hands"),
    (changes.a_hand_more, "replay"),
    (changes.a_die_less, "replay"),
    (changes.a_secret, "chain"),
    (changes.the_commitment, "chain"),
    (changes.another_chain, "chain"),
    (changes.another_chain_with_its_hands, "chain"),
    (changes.a_seed, "hands"),
    (changes.two_seeds, "hands"),
    (changes.the_table, "hands"),
    (changes.the_drawn_opener, "opener"),
    (changes.a_count, "replay"),
    (changes.whether_it_was_right, "replay"),
    (changes.who_lost_a_die, "replay"),
    (changes.that_nobody_lost_a_die, "replay"),
    (changes.that_another_lost_a_die_too, "replay"),
    (changes.who_is_out, "replay"),
    (changes.who_opens_next, "replay"),
    (changes.that_the_next_is_a_palifico_round, "replay"),
    (changes.that_a_round_was_palifico, "replay"),
    (changes.who_opened, "replay"),
    (changes.who_bid, "replay"),
    (changes.the_order_of_bids, "replay"),
    (changes.a_bid_that_is_too_high, "replay"),
    (changes.the_bid_that_was_called, "replay"),
    (changes.a_bid_left_out, "order"),
    (changes.a_bid_more, "order"),
    (changes.who_called, "replay"),
    (changes.what_was_called, "replay"),
    (changes.when_it_was_called, "replay"),
    (changes.a_round_left_out, "order"),
    (changes.the_last_round_left_out, "order"),
    (changes.a_round_left_out_and_the_rest_renumbered, "order"),
    (changes.two_rounds_swapped, "order"),
    (changes.two_rounds_swapped_and_renumbered, "chain"),
    (changes.two_rounds_swapped_and_renumbered, "replay"),
    (changes.a_place, "ending"),
    (changes.a_place_left_out, "ending"),
    (changes.the_place_that_a_seat_shows, "ending"),
    (changes.the_winner, "ending"),
    (changes.that_it_was_drawn, "ending"),
    (changes.that_there_was_no_result, "ending"),
    (changes.the_dice_at_the_end, "ending"),
    (changes.that_a_computer_took_a_seat, "ending"),
    (changes.that_a_seat_is_ready, "ending"),
    (changes.the_latest_reveal, "ending"),
    (changes.the_version, "order"),
    (changes.an_event_left_out, "order"),
    (changes.two_events_swapped, "order"),
    (changes.the_version_of_an_event, "order"),
    (changes.who_pressed, "replay"),
    (changes.the_round_of_an_event, "replay"),
    (changes.the_status_of_an_event, "replay"),
    (changes.who_opens_as_an_event_says, "replay"),
    (changes.who_sat_down, "people"),
    (changes.that_somebody_sat_down, "people"),
    (changes.that_somebody_sat_twice, "people"),
    (changes.that_two_sat_on_one_seat, "people"),
    (changes.who_is_shown_on_a_seat, "people"),
    (changes.the_seats_of_the_start, "people"),
    (changes.the_exact_call, "replay"),
    (changes.the_starting_dice, "replay"),
    (changes.that_ones_are_plain, "replay"),
]


@pytest.mark.parametrize(
    ("change", "found_by"), OF_A_CLUB_MATCH, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_change_is_found(change: changes.Change, found_by: str) -> None:
    document = a_club_match()
    change(document)

    report = verify(document)

    assert not report.good
    assert found_by in differing(document)
    assert str(report).endswith("Something differs.")


def test_a_difference_is_named_by_its_place() -> None:
    document = a_club_match()
    changes.a_count(document)
    written = document["rounds"][1]["count"]

    assert differing(document) == {
        "replay": f"rounds[1].count: {written} is written, and {written - 1} follows"
    }


def test_a_missing_part_is_named_by_its_place() -> None:
    document = a_club_match()
    del document["rounds"][1]["bids"][0]["face"]

    assert differing(document) == {"structure": "rounds[1].bids[0].face is missing"}


# Endings and people of other kinds


def has(kind: str, **facts: Any) -> Callable[[Document], bool]:
    """Does something of this kind happen in the document?"""
    return lambda document: any(
        event["kind"] == kind and facts.items() <= event.items() for event in document["events"]
    )


def the(document: Document, kind: str, **facts: Any) -> Document:
    return next(
        event for event in document["events"] if event["kind"] == kind and facts.items() <= event.items()
    )


def test_a_leaving_that_is_left_out_is_found() -> None:
    document = a_document(has("left", forfeit=False))
    document["events"].remove(the(document, "left"))

    assert differing(document)


def test_another_leaver_is_found() -> None:
    document = a_document(has("left", forfeit=False, why="leave"))
    event = the(document, "left", why="leave")
    event["seat"] = next(seat["seat"] for seat in document["table"]["seats"] if seat["seat"] != event["seat"])

    assert differing(document)


def test_another_reason_to_have_left_is_found() -> None:
    document = a_document(has("left", why="strikes"))
    the(document, "left", why="strikes")["why"] = "leave"

    assert "replay" in differing(document)


def test_another_number_of_strikes_is_found() -> None:
    document = a_document(has("strike", strikes=1))
    the(document, "strike", strikes=1)["strikes"] = 2

    assert "replay" in differing(document)


def test_a_strike_counted_anew_without_a_move_between_is_found() -> None:
    document = a_document(has("strike", strikes=1))
    strike = the(document, "strike", strikes=1)
    where = document["events"].index(strike)
    document["events"].insert(where + 1, strike | {"version": strike["version"] + 1})
    for event in document["events"][where + 2 :]:
        event["version"] += 1
    document["table"]["version"] += 1

    assert differing(document)["replay"].endswith("1 is written, and 2 follows")


def test_a_forfeit_told_as_a_mere_leaving_is_found() -> None:
    document = a_document(has("left", forfeit=True))
    the(document, "left", forfeit=True)["forfeit"] = False

    assert differing(document)


def test_another_winner_of_a_forfeit_is_found() -> None:
    document = a_document(has("left", forfeit=True))
    document["table"]["result"]["winner"] = the(document, "left", forfeit=True)["seat"]

    assert "ending" in differing(document)


def test_a_result_of_a_practice_that_was_left_is_found() -> None:
    document = a_document(has("abandoned"))
    seats = document["table"]["seats"]
    places = {str(seat["seat"]): place for place, seat in enumerate(seats, 1)}
    document["table"]["result"] = {"winner": seats[0]["seat"], "places": places, "drawn": False}

    assert "ending" in differing(document)


def test_leaving_a_practice_ends_no_other_match() -> None:
    document = a_document(lambda found: has("abandoned")(found) and not found["rounds"])
    document["table"]["mode"] = "casual"

    assert differing(document)["replay"].endswith("could not happen then")


def test_nobody_leaves_a_practice_and_plays_on() -> None:
    document = a_document(
        lambda found: has("left", round=1, status="bidding")(found) and not has("strike", round=1)(found)
    )
    document["table"]["mode"] = "practice"

    assert differing(document)["replay"].endswith("could not happen then")


def test_a_stranger_at_a_practice_table_is_found() -> None:
    document = a_document(lambda found: found["table"]["mode"] == "practice")
    stranger = {"id": "player-mallory", "name": "Mallory", "kind": "guest"}
    event = the(document, "sat")
    event["player"] = stranger
    for seat in document["table"]["seats"]:
        if seat["seat"] == event["seat"]:
            seat["player"] = stranger

    assert "owner" in differing(document)["people"]


def test_a_computer_on_a_taken_seat_is_found() -> None:
    document = a_document(has("stood"))
    the(document, "stood").update(kind="computer", level="easy", character="wick")

    assert "was taken" in differing(document)["people"]


@pytest.mark.parametrize("what", [has("strike"), has("round", seat=None)])
def test_without_a_clock_nobody_runs_out_of_time(what: Callable[[Document], bool]) -> None:
    document = a_document(
        lambda found: what(found) and found["table"]["clock"]["kind"] == "slow" and not has("computer")(found)
    )
    assert verify(document).good
    document["table"]["clock"] = {"kind": "none"}

    assert "replay" in differing(document)


def test_a_round_that_started_by_itself_was_started_by_nobody() -> None:
    document = json.loads(json.dumps(build(OF_COMPUTERS)))
    the(document, "round")["seat"] = 1

    assert differing(document)["replay"].endswith("1 is written, and null follows")


def test_a_match_that_breaks_off_is_found() -> None:
    document = a_club_match()
    second = the(document, "round")
    document["rounds"] = document["rounds"][:1]
    document["events"] = document["events"][: document["events"].index(second)]
    document["table"]["version"] = second["version"] - 1
    document["table"]["reveal"] = document["rounds"][0]

    assert differing(document) == {"replay": "events: the match does not come to its end"}
    assert "not checked" in {check.outcome for check in verify(document).checks}


def test_a_strike_that_an_unseen_bid_cleared_may_be_counted_anew() -> None:
    actions = iter(STRIKES_AND_A_FORFEIT)
    document = build(
        Setting(rules=Rules(seats=2), numbers=(0, 1), seed=FIRST_OPENS), lambda *_: next(actions)
    )
    document = json.loads(json.dumps(document))

    assert [event["strikes"] for event in document["events"] if event["kind"] == "strike"] == [1, 1]
    assert document["rounds"] == []
    assert verify(document).good, str(verify(document))


def test_a_winner_of_a_draw_is_found() -> None:
    document = a_draw()
    document["table"]["result"] |= {"winner": 0, "drawn": False}

    assert "ending" in differing(document)


def test_bids_that_nobody_saw_are_counted_only_where_a_round_was_dropped() -> None:
    document = a_document(lambda document: document["events"][-1]["status"] == "bidding")
    document["events"][-1]["version"] += 500
    document["table"]["version"] += 500

    assert "order" in differing(document)


def test_another_opener_than_the_host_is_found() -> None:
    document = a_document(
        lambda document: document["table"]["rules"]["first_opener"] == "host" and bool(document["rounds"])
    )
    started = the(document, "started")
    others = [seat for seat in started["seats"] if seat != started["opener"]]
    started["opener"] = others[0]

    assert "opener" in differing(document)


def test_another_level_of_a_computer_is_found() -> None:
    document = a_document(has("computer"))
    seat = next(seat for seat in document["table"]["seats"] if seat["player"]["kind"] == "computer")
    seat["player"]["level"] = "godlike"

    assert "people" in differing(document)
