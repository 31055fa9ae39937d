"""What a call brings: the count, who loses or gains a die, who is out, who opens next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.engine.facts import Reveal
from games.engine.moves import Call, amount_of, count_matching
from games.engine.state import PlacedBid, Result, Round, Seat, State, clockwise_after, final_places


def judge(state: State, round: Round, call: Call, *, at: str, secret: str) -> tuple[State, Reveal]:
    """End the round by this call: the state after it, and the reveal that everybody may see."""
    standing = round.standing
    if standing is None:
        raise ValueError("a call needs a bid that stands")
    count = count_matching(state.rules, standing.bid, round.hands.values(), palifico=round.palifico)
    right = count < amount_of(standing.bid) if call.type == "liar" else count == amount_of(standing.bid)
    changes = changes_by(state, round.turn, call, standing.seat, right=right)
    after, went_out = _after_changes(state, changes, caller=round.turn)
    after = _settle(after, opener=_opens_next(call, round.turn, standing.seat, right=right))
    outcome = {
        "count": count,
        "right": right,
        "hands": {str(seat): list(hand) for seat, hand in sorted(round.hands.items())},
        "changes": {str(seat): change for seat, change in sorted(changes.items())},
        "out": went_out,
        "next_opener": after.next_opener,
        "next_palifico": after.next_palifico,
    }
    reveal = _reveal(round, standing, call, at, outcome, secret)
    return replace(after, reveal=reveal), reveal


def changes_by(state: State, caller: int, call: Call, bidder: int, *, right: bool) -> dict[int, int]:
    """How many dice each seat gains or loses (rules, section 4), without zeros."""
    if not right:
        return {caller: -1}
    if call.type == "liar":
        return {bidder: -1}
    if state.rules.exact == "regain":
        at_cap = state.seat(caller).dice >= state.rules.starting_dice
        return {} if at_cap else {caller: 1}
    return {seat: -1 for seat in state.seats_in if seat != caller}


def _opens_next(call: Call, caller: int, bidder: int, *, right: bool) -> int:
    return bidder if call.type == "liar" and right else caller


def _after_changes(state: State, changes: Mapping[int, int], *, caller: int) -> tuple[State, list[int]]:
    group = 1 + max((seat.out or 0 for seat in state.seats), default=0)
    seats = tuple(_changed(seat, changes.get(seat.number, 0), group, state) for seat in state.seats)
    went_out = [seat.number for seat in seats if seat.out == group]
    newly = {seat.number for seat in seats if seat.claimed} - {
        seat.number for seat in state.seats if seat.claimed
    }
    claims = (*state.claims, *(seat for seat in clockwise_after(state, caller) if seat in newly))
    return replace(state, seats=seats, claims=claims, round=None), went_out


def _changed(seat: Seat, change: int, group: int, state: State) -> Seat:
    if change == 0:
        return seat
    dice = seat.dice + change
    claims = state.rules.palifico and (seat.dice, dice) == (2, 1)
    return replace(seat, dice=dice, out=group if dice == 0 else None, claimed=seat.claimed or claims)


def _settle(state: State, *, opener: int) -> State:
    """Who opens next, and under which rules; or the end of the match."""
    seats_in = state.seats_in
    if len(seats_in) == 1 or state.number >= state.round_limit:
        drawn = len(seats_in) > 1
        result = Result(winner=None if drawn else seats_in[0], places=final_places(state), drawn=drawn)
        return replace(state, status="finished", claims=(), result=result)
    claims = tuple(seat for seat in state.claims if seat in seats_in) if len(seats_in) > 2 else ()
    if claims:
        return replace(state, status="revealed", claims=claims[1:], next_opener=claims[0], next_palifico=True)
    return replace(state, status="revealed", claims=(), next_opener=state.in_or_next(opener))


def _reveal(
    round: Round, standing: PlacedBid, call: Call, at: str, outcome: Mapping[str, Any], secret: str
) -> Reveal:
    return {
        "number": round.number,
        "palifico": round.palifico,
        "opener": round.opener,
        "bids": [placed.document() for placed in round.bids],
        "call": {"seat": round.turn, "type": call.type, "at": at},
        "bid": {"seat": standing.seat, **standing.bid.document()},
        **outcome,
        "secret": secret,
        "at": at,
    }
