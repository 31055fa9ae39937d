"""Matches for the engine's tests: positions, hands that are given, and moves written as in the cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine import transition
from games.engine.actions import Act, Leave, TimeOut
from games.engine.dice import Hand
from games.engine.facts import Fact
from games.engine.moves import Call, Move, NextRound, bid_from, legal_bids
from games.engine.rules import Rules, rules_from
from games.engine.state import Pace, PlacedBid, Round, Seat, State, places_so_far

AT = "2026-01-01T12:00:00.000Z"


class GivenHands:
    """A chance that deals ones, for hands that a test gives later."""

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        return {seat: (1,) * count for seat, count in dice.items()}

    def secret(self, number: int) -> str:
        return "00" * 32


def position(case: Mapping[str, Any]) -> State:
    """The position that a `legal` or `call` case describes."""
    rules = rules_from("standard", case["options"])
    dice = {int(seat): count for seat, count in case["dice"].items()}
    out = {seat: group for group, seats in enumerate(case.get("went_out", []), 1) for seat in seats}
    owed, was_owed = case.get("owed", []), case.get("was_owed", [])
    seats = tuple(
        Seat(
            number=seat,
            dice=count,
            out=out.get(seat, 1) if count == 0 else None,
            claimed=seat in owed or seat in was_owed,
        )
        for seat, count in sorted(dice.items())
    )
    alive = [seat.number for seat in seats if seat.still_in]
    bids = tuple(PlacedBid(seat=bid.get("seat", alive[0]), bid=bid_from(bid), at=AT) for bid in case["bids"])
    state = State(rules=rules, pace="slow", seats=seats, status="bidding", number=1, claims=tuple(owed))
    opener = case.get("opener", bids[0].seat if bids else alive[0])
    turn = case["call"]["seat"] if "call" in case else (state.next_in(bids[-1].seat) if bids else opener)
    hands = {int(seat): tuple(hand) for seat, hand in case.get("hands", {}).items()}
    round = Round(
        number=1, palifico=case.get("palifico", False), opener=opener, turn=turn, bids=bids, hands=hands
    )
    return replace(state, round=round)


def open_match(
    rules: Rules,
    numbers: Sequence[int],
    *,
    opener: int,
    pace: Pace = "slow",
    computers: Sequence[int] = (),
    round_limit: int | None = None,
) -> State:
    """A match that has just begun, with hands to be given."""
    seats = tuple(Seat(number=number, computer=number in computers) for number in numbers)
    state = State(rules=rules, pace=pace, seats=seats)
    if round_limit is not None:
        state = replace(state, round_limit=round_limit)
    return transition.start(state, opener=opener, chance=GivenHands())[0]


def with_hands(state: State, hands: Mapping[str, Sequence[int]]) -> State:
    """The same match with these hands under the cups."""
    assert state.round is not None
    given = {int(seat): tuple(hand) for seat, hand in hands.items()}
    assert {seat: len(hand) for seat, hand in given.items()} == {
        seat.number: seat.dice for seat in state.seats if seat.still_in
    }
    return replace(state, round=replace(state.round, hands=given))


def step(state: State, do: Mapping[str, Any]) -> tuple[State, tuple[Fact, ...]]:
    """Take the step that a script names."""
    match do["type"]:
        case "leave":
            action: transition.Action = Leave(do["seat"])
        case "timeout":
            action = TimeOut()
        case "next_round":
            return _press_until_it_begins(state, do)
        case _:
            action = Act(seat=do["seat"], move=move_from(do), auto=do.get("auto", False))
    return transition.apply(state, action, at=AT, chance=GivenHands())


def _press_until_it_begins(state: State, do: Mapping[str, Any]) -> tuple[State, tuple[Fact, ...]]:
    facts: tuple[Fact, ...] = ()
    while state.status == "revealed":
        seat = do.get("seat", min(state.pressers - state.ready))
        state, more = transition.apply(state, Act(seat=seat, move=NextRound()), at=AT, chance=GivenHands())
        facts += more
    return state, facts


def move_from(do: Mapping[str, Any]) -> Move:
    if do["type"] in ("liar", "exact"):
        return Call(do["type"])
    return bid_from(do)


def facts_of(state: State) -> dict[str, Any]:
    """The facts that a case's `expect` may name, read from the state."""
    round, reveal, result = state.round, state.reveal, state.result
    places = result.places if result else places_so_far(state)
    facts: dict[str, Any] = {
        "status": state.status,
        "turn": state.turn,
        "round": state.number,
        "dice": {str(seat.number): seat.dice for seat in state.seats},
        "places": {str(seat.number): places.get(seat.number) for seat in state.seats},
        "left": [
            seat.number
            for seat in sorted(state.seats, key=lambda seat: seat.left or 0)
            if seat.left is not None
        ],
        "winner": result.winner if result else None,
        "drawn": result.drawn if result else False,
        "press_live": sorted(replace(state, pace="live").pressers),
        "press_slow": sorted(replace(state, pace="slow").pressers),
        "next_opener": reveal["next_opener"] if reveal else None,
        "next_palifico": reveal["next_palifico"] if reveal else None,
    }
    if round is not None:
        standing = round.standing.bid if round.standing else None
        ranges = legal_bids(
            state.rules, dice_in_play=state.dice_in_play, palifico=round.palifico, standing=standing
        )
        facts |= {
            "opener": round.opener,
            "palifico": round.palifico,
            "bids": {face: list(ends) for face, ends in ranges.items()},
            "liar": standing is not None,
            "exact": standing is not None and state.rules.exact != "off",
        }
    if reveal is not None:
        facts |= {name: reveal[name] for name in ("count", "right", "changes", "out")}
    return facts
