"""Documents in which something was changed afterwards: each change is found, and found where it is."""

import hashlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.engine.dice import roll
from games.engine.verify import verify
from tests.verify.building import Document
from tests.verify.samples import a_club_match, a_document, a_draw, documents

Change = Callable[[Document], None]


def differing(document: Document) -> dict[str, str]:
    return {check.name: check.detail for check in verify(document).checks if check.outcome == "differs"}


def other_die(die: int) -> int:
    return die % 6 + 1


def a_die(document: Document) -> None:
    hand = document["rounds"][3]["hands"]["2"]
    hand[0] = other_die(hand[0])


def the_order_of_a_hand(document: Document) -> None:
    hand = next(hand for hand in document["rounds"][2]["hands"].values() if hand != hand[::-1])
    hand.reverse()


def a_hand_more(document: Document) -> None:
    hands = next(reveal["hands"] for reveal in document["rounds"] if len(reveal["hands"]) < 6)
    out = next(str(seat) for seat in range(6) if str(seat) not in hands)
    hands[out] = [1]


def a_die_less(document: Document) -> None:
    document["rounds"][0]["hands"]["1"].pop()


def a_secret(document: Document) -> None:
    document["rounds"][4]["secret"] = "ab" * 32


def the_commitment(document: Document) -> None:
    document["table"]["commitment"] = "ab" * 32


def another_chain(document: Document) -> None:
    """Somebody rolls all hands from secrets of their own, without a flaw but for the commitment."""
    secret = bytes(32)
    for reveal in reversed(document["rounds"]):
        reveal["secret"] = secret.hex()
        secret = hashlib.sha256(secret).digest()


def another_chain_with_its_hands(document: Document) -> None:
    another_chain(document)
    seeds = [seat["client_seed"] for seat in document["table"]["seats"]]
    for reveal in document["rounds"]:
        for seat, hand in reveal["hands"].items():
            hand[:] = roll(
                bytes.fromhex(reveal["secret"]),
                table_id=document["table"]["id"],
                number=reveal["number"],
                seat=int(seat),
                count=len(hand),
                seeds=seeds,
            )


def a_seed(document: Document) -> None:
    document["table"]["seats"][1]["client_seed"] += "x"


def two_seeds(document: Document) -> None:
    first, second, *_ = document["table"]["seats"]
    first["client_seed"], second["client_seed"] = second["client_seed"], first["client_seed"]


def the_table(document: Document) -> None:
    document["table"]["id"] = "another"


def the_drawn_opener(document: Document) -> None:
    started = next(event for event in document["events"] if event["kind"] == "started")
    started["opener"] = document["rounds"][0]["opener"] = (started["opener"] + 1) % 6


def a_count(document: Document) -> None:
    document["rounds"][1]["count"] += 1


def whether_it_was_right(document: Document) -> None:
    document["rounds"][1]["right"] = not document["rounds"][1]["right"]


def who_lost_a_die(document: Document) -> None:
    changes = document["rounds"][0]["changes"]
    (loser,) = changes
    del changes[loser]
    changes[str((int(loser) + 1) % 6)] = -1


def that_nobody_lost_a_die(document: Document) -> None:
    document["rounds"][0]["changes"] = {}


def who_is_out(document: Document) -> None:
    next(reveal for reveal in document["rounds"] if reveal["out"])["out"] = []


def who_opens_next(document: Document) -> None:
    document["rounds"][0]["next_opener"] = (document["rounds"][0]["next_opener"] + 1) % 6


def that_the_next_is_a_palifico_round(document: Document) -> None:
    document["rounds"][0]["next_palifico"] = True


def that_a_round_was_palifico(document: Document) -> None:
    document["rounds"][1]["palifico"] = True


def who_opened(document: Document) -> None:
    document["rounds"][2]["opener"] = (document["rounds"][2]["opener"] + 1) % 6


def who_bid(document: Document) -> None:
    bid = document["rounds"][0]["bids"][0]
    bid["seat"] = (bid["seat"] + 1) % 6


def the_order_of_bids(document: Document) -> None:
    bids = next(reveal["bids"] for reveal in document["rounds"] if len(reveal["bids"]) > 1)
    bids.reverse()


def a_bid_that_is_too_high(document: Document) -> None:
    document["rounds"][0]["bids"][0]["quantity"] = 30


def the_bid_that_was_called(document: Document) -> None:
    document["rounds"][0]["bid"]["quantity"] += 1


def a_bid_left_out(document: Document) -> None:
    next(reveal for reveal in document["rounds"] if len(reveal["bids"]) > 2)["bids"].pop(0)


def a_bid_more(document: Document) -> None:
    bids = document["rounds"][0]["bids"]
    bids.insert(0, dict(bids[0]))


def who_called(document: Document) -> None:
    call = document["rounds"][0]["call"]
    call["seat"] = (call["seat"] + 1) % 6


def what_was_called(document: Document) -> None:
    reveal = next(
        reveal for reveal in document["rounds"] if reveal["call"]["type"] == "liar" and reveal["right"]
    )
    reveal["call"]["type"] = "exact"


def when_it_was_called(document: Document) -> None:
    document["rounds"][0]["call"]["at"] = "2020-01-01T00:00:00Z"


def a_round_left_out(document: Document) -> None:
    del document["rounds"][5]


def the_last_round_left_out(document: Document) -> None:
    del document["rounds"][-1]
    document["table"]["reveal"] = document["rounds"][-1]


def a_round_left_out_and_the_rest_renumbered(document: Document) -> None:
    del document["rounds"][5]
    for number, reveal in enumerate(document["rounds"], 1):
        reveal["number"] = number


def two_rounds_swapped(document: Document) -> None:
    rounds = document["rounds"]
    rounds[3], rounds[4] = rounds[4], rounds[3]


def two_rounds_swapped_and_renumbered(document: Document) -> None:
    two_rounds_swapped(document)
    rounds = document["rounds"]
    rounds[3]["number"], rounds[4]["number"] = 4, 5


def a_place(document: Document) -> None:
    places = document["table"]["result"]["places"]
    places["0"] = places["0"] % 6 + 1


def a_place_left_out(document: Document) -> None:
    del document["table"]["result"]["places"]["3"]


def the_place_that_a_seat_shows(document: Document) -> None:
    seat = document["table"]["seats"][0]
    seat["place"] = seat["place"] % 6 + 1


def the_winner(document: Document) -> None:
    result = document["table"]["result"]
    result["winner"] = (result["winner"] + 1) % 6


def that_it_was_drawn(document: Document) -> None:
    document["table"]["result"] |= {"winner": None, "drawn": True}


def that_there_was_no_result(document: Document) -> None:
    document["table"]["result"] = None


def the_dice_at_the_end(document: Document) -> None:
    seat = next(seat for seat in document["table"]["seats"] if seat["dice"] == 0)
    seat["dice"] = 1


def that_a_computer_took_a_seat(document: Document) -> None:
    document["table"]["seats"][0]["substitute"] = True


def that_a_seat_is_ready(document: Document) -> None:
    document["table"]["seats"][0]["ready"] = True


def the_latest_reveal(document: Document) -> None:
    document["table"]["reveal"] = document["rounds"][0]


def the_version(document: Document) -> None:
    document["table"]["version"] += 1


def an_event_left_out(document: Document) -> None:
    document["events"].remove(next(event for event in document["events"] if event["kind"] == "ready"))


def two_events_swapped(document: Document) -> None:
    events = document["events"]
    events[-1], events[-2] = events[-2], events[-1]


def the_version_of_an_event(document: Document) -> None:
    document["events"][-1]["version"] -= 2


def who_pressed(document: Document) -> None:
    pressed = [event for event in document["events"] if event["kind"] == "ready"]
    pressed[1]["seat"] = pressed[0]["seat"]


def the_round_of_an_event(document: Document) -> None:
    document["events"][-1]["round"] -= 1


def the_status_of_an_event(document: Document) -> None:
    document["events"][-1]["status"] = "bidding"


def who_opens_as_an_event_says(document: Document) -> None:
    event = next(event for event in document["events"] if event["kind"] == "round")
    event["opener"] = (event["opener"] + 1) % 6


def who_sat_down(document: Document) -> None:
    next(event for event in document["events"] if event["kind"] == "sat")["player"]["id"] = "player-mallory"


def that_somebody_sat_down(document: Document) -> None:
    document["events"].remove(next(event for event in document["events"] if event["kind"] == "sat"))


def who_is_shown_on_a_seat(document: Document) -> None:
    document["table"]["seats"][2]["player"]["id"] = "player-mallory"


def the_seats_of_the_start(document: Document) -> None:
    next(event for event in document["events"] if event["kind"] == "started")["seats"].pop()


def the_exact_call(document: Document) -> None:
    document["table"]["rules"]["exact"] = "off"
    for reveal in document["rounds"]:
        if reveal["call"]["type"] == "exact":
            return
    raise AssertionError("this sample holds no exact call")


def the_starting_dice(document: Document) -> None:
    document["table"]["rules"]["starting_dice"] = 4


def that_ones_are_plain(document: Document) -> None:
    document["table"]["rules"]["ones"] = "straight"


OF_A_CLUB_MATCH: list[tuple[Change, str]] = [
    (a_die, "hands"),
    (the_order_of_a_hand, "hands"),
    (a_hand_more, "replay"),
    (a_die_less, "replay"),
    (a_secret, "chain"),
    (the_commitment, "chain"),
    (another_chain, "chain"),
    (another_chain_with_its_hands, "chain"),
    (a_seed, "hands"),
    (two_seeds, "hands"),
    (the_table, "hands"),
    (the_drawn_opener, "opener"),
    (a_count, "replay"),
    (whether_it_was_right, "replay"),
    (who_lost_a_die, "replay"),
    (that_nobody_lost_a_die, "replay"),
    (who_is_out, "replay"),
    (who_opens_next, "replay"),
    (that_the_next_is_a_palifico_round, "replay"),
    (that_a_round_was_palifico, "replay"),
    (who_opened, "replay"),
    (who_bid, "replay"),
    (the_order_of_bids, "replay"),
    (a_bid_that_is_too_high, "replay"),
    (the_bid_that_was_called, "replay"),
    (a_bid_left_out, "order"),
    (a_bid_more, "order"),
    (who_called, "replay"),
    (what_was_called, "replay"),
    (when_it_was_called, "replay"),
    (a_round_left_out, "order"),
    (the_last_round_left_out, "order"),
    (a_round_left_out_and_the_rest_renumbered, "order"),
    (two_rounds_swapped, "order"),
    (two_rounds_swapped_and_renumbered, "chain"),
    (two_rounds_swapped_and_renumbered, "replay"),
    (a_place, "ending"),
    (a_place_left_out, "ending"),
    (the_place_that_a_seat_shows, "ending"),
    (the_winner, "ending"),
    (that_it_was_drawn, "ending"),
    (that_there_was_no_result, "ending"),
    (the_dice_at_the_end, "ending"),
    (that_a_computer_took_a_seat, "ending"),
    (that_a_seat_is_ready, "ending"),
    (the_latest_reveal, "ending"),
    (the_version, "order"),
    (an_event_left_out, "order"),
    (two_events_swapped, "order"),
    (the_version_of_an_event, "order"),
    (who_pressed, "replay"),
    (the_round_of_an_event, "replay"),
    (the_status_of_an_event, "replay"),
    (who_opens_as_an_event_says, "replay"),
    (who_sat_down, "people"),
    (that_somebody_sat_down, "people"),
    (who_is_shown_on_a_seat, "people"),
    (the_seats_of_the_start, "people"),
    (the_exact_call, "replay"),
    (the_starting_dice, "replay"),
    (that_ones_are_plain, "replay"),
]


@pytest.mark.parametrize(
    ("change", "found_by"), OF_A_CLUB_MATCH, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_change_is_found(change: Change, found_by: str) -> None:
    document = a_club_match()
    change(document)

    report = verify(document)

    assert not report.good
    assert found_by in differing(document)
    assert str(report).endswith("Something differs.")


def test_a_difference_is_named_by_its_place() -> None:
    document = a_club_match()
    a_count(document)
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


def test_a_practice_that_was_left_under_another_mode_is_found() -> None:
    document = a_document(has("abandoned"))
    document["table"]["mode"] = "casual"

    assert "replay" in differing(document)


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


# Every part of a document

UNPROVEN = (
    # Words and times that nothing follows from.
    *("table.name", "table.visibility", "table.created_at", "table.clock.*", "table.seats.*.bank_seconds"),
    *("table.seats.*.player.name", "events.*.player.name", "events.*.at", "rounds.*.bids.*.at"),
    *("table.seats.*.player.kind", "events.*.player.kind", "table.seats.*.player.id"),
    # What might as well have been so: bids before the last, who pressed, options that made no difference.
    *("rounds.*.bids.*.face", "rounds.*.bids.*.quantity", "rounds.*.bids.*.total", "rounds.*.call.type"),
    *("events.*.seat", "events.*.level", "events.*.character", "table.rules.*", "table.mode", "table.host"),
)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all single values in a document."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index, each in enumerate(value) for leaf in leaves(each, (*path, index))]
    return [path]


def pattern_of(path: tuple[str | int, ...]) -> str:
    return ".".join("*" if isinstance(part, int) or part.isdigit() else part for part in path)


def is_unproven(pattern: str) -> bool:
    return pattern in UNPROVEN or f"{pattern.rpartition('.')[0]}.*" in UNPROVEN


def changed(value: Any, rng: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1])
    if isinstance(value, str) and len(value) == 64:
        return value[1:] + ("0" if value[0] != "0" else "1")
    return rng.choice([0, 1]) if value is None else f"{value}x"


def one_of_every_part(document: Document, rng: Random) -> dict[str, tuple[str | int, ...]]:
    """For every part that the format names, one place in the document where it stands."""
    paths = leaves(document)
    rng.shuffle(paths)
    return {pattern_of(path): path for path in paths if not is_unproven(pattern_of(path))}


def test_whatever_part_is_changed_it_is_found() -> None:
    rng = Random("parts")
    tried: set[str] = set()
    played = [document for document in documents() if document["rounds"]]
    for document in played[:40]:
        for pattern, path in one_of_every_part(document, rng).items():
            holder: Any = document
            for part in path[:-1]:
                holder = holder[part]
            before = holder[path[-1]]
            holder[path[-1]] = changed(before, rng)

            assert not verify(document).good, (path, before, holder[path[-1]])

            holder[path[-1]] = before
            tried.add(pattern)

    assert len(tried) > 60
