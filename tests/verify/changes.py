"""What somebody might change afterwards in the archive of a match of six."""

import hashlib
from collections.abc import Callable

from games.engine.dice import roll
from tests.verify.building import Document

Change = Callable[[Document], None]


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


def that_another_lost_a_die_too(document: Document) -> None:
    changes = document["rounds"][0]["changes"]
    (loser,) = changes
    changes[str((int(loser) + 1) % 6)] = -1


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


def that_somebody_sat_twice(document: Document) -> None:
    first, second, *_ = [event for event in document["events"] if event["kind"] == "sat"]
    second["player"] = first["player"]
    document["table"]["seats"][second["seat"]]["player"] = first["player"]


def that_two_sat_on_one_seat(document: Document) -> None:
    first, second, *_ = [event for event in document["events"] if event["kind"] == "sat"]
    first["seat"] = second["seat"]


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
