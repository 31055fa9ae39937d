"""The one step every match takes: a state and an action give the next state and what happened.

The engine never rolls and never looks at a clock: `chance` deals hands and `at` is the time to write down.
A refusal is an `IllegalMove`; an action that changes nothing gives no facts.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from games.engine.actions import Abandon, Act, Action, Leave, RevealOver, TimeOut
from games.engine.call import judge
from games.engine.dice import Chance
from games.engine.facts import (
    BidMade,
    Called,
    Fact,
    MatchStarted,
    PersonLeft,
    PracticeEnded,
    Pressed,
    RoundStarted,
    TimedOut,
)
from games.engine.moves import Bid, Call, IllegalMove, NextRound, check_bid
from games.engine.state import PlacedBid, Position, Result, Round, Seat, State, final_places

STRIKES = 2
"""Time-outs without an own move between them after which a person has left."""


Step: TypeAlias = tuple[State, tuple[Fact, ...]]


def start(state: State, *, opener: int, chance: Chance, position: Position | None = None) -> Step:
    """Begin the match with the seats that are taken; `opener` opens its first round.

    It begins with all dice, or from a position, where nobody has had a claim to a palifico round yet.
    """
    dice = {} if position is None else position.dice
    seats = tuple(
        replace(seat, dice=dice.get(seat.number, state.rules.starting_dice)) for seat in state.seats
    )
    palifico = position is not None and position.palifico
    before = replace(state, seats=seats, next_opener=opener, next_palifico=palifico)
    after, _ = _begin_round(before, presser=None, chance=chance)
    return after, (MatchStarted(opener=opener, seats=after.seats_in),)


def apply(state: State, action: Action, *, at: str, chance: Chance) -> Step:
    """Take one step; raise `IllegalMove` where the rules refuse it."""
    match action:
        case Act():
            return _act(state, action, at, chance)
        case Leave(seat=seat):
            return _leave(state, seat, "leave", chance)
        case TimeOut():
            return _time_out(state, chance)
        case RevealOver():
            return (
                _begin_round(state, presser=None, chance=chance)
                if state.status == "revealed"
                else (state, ())
            )
        case Abandon(seat=seat):
            return _abandon(state, seat)


def _act(state: State, act: Act, at: str, chance: Chance) -> Step:
    if isinstance(act.move, NextRound):
        return _press(state, act.seat, chance)
    if isinstance(act.move, Bid):
        return _bid(state, act, act.move, at)
    return _call(state, act, act.move, at, chance)


def _to_move(state: State, act: Act) -> tuple[State, Round]:
    """The round in play, where it is this seat's turn in it; an own move clears the strikes."""
    round = _round_to_move(state, act.seat)
    seat = state.seat(act.seat)
    return (_with_seat(state, replace(seat, strikes=0)) if seat.strikes and not act.auto else state), round


def _round_to_move(state: State, seat: int) -> Round:
    """The round in play, where it is this seat's turn in it."""
    if state.status == "finished":
        raise IllegalMove("finished", "The match is over.")
    if state.round is None:
        raise IllegalMove("not_bidding", "Nobody bids now: the next round has not begun.")
    if state.round.turn != seat:
        if not state.seat(seat).still_in:
            raise IllegalMove("not_in", "You are out of this match.")
        raise IllegalMove("not_your_turn", f"It is the turn of seat {state.round.turn}.")
    return state.round


def _bid(state: State, act: Act, bid: Bid, at: str) -> Step:
    state, round = _to_move(state, act)
    standing = round.standing.bid if round.standing else None
    check_bid(state.rules, bid, dice_in_play=state.dice_in_play, palifico=round.palifico, standing=standing)
    placed = PlacedBid(seat=round.turn, bid=bid, at=at, tell=act.tell)
    after = replace(round, bids=(*round.bids, placed), turn=state.next_in(round.turn))
    return replace(state, round=after), (BidMade(seat=placed.seat, bid=bid, auto=act.auto, tell=act.tell),)


def _call(state: State, act: Act, call: Call, at: str, chance: Chance) -> Step:
    state, round = _to_move(state, act)
    if round.standing is None:
        raise IllegalMove("nothing_to_call", "No bid stands yet: you open with a bid.")
    if call.type == "exact" and state.rules.exact == "off":
        raise IllegalMove("exact_off", "This table plays without spot on: raise, or call liar.")
    after, reveal = judge(state, round, call, at=at, secret=chance.secret(round.number))
    called = Called(seat=round.turn, reveal=reveal, auto=act.auto)
    return _go_on(after, (called,), presser=None, chance=chance)


def _press(state: State, seat: int, chance: Chance) -> Step:
    if state.status == "finished":
        raise IllegalMove("finished", "The match is over.")
    if not state.seat(seat).still_in:
        raise IllegalMove("not_in", "You are out of this match.")
    if state.status != "revealed" or seat in state.ready:
        return state, ()
    if seat not in state.pressers:
        raise IllegalMove("not_your_round", f"Seat {state.next_opener} starts the next round.")
    after = replace(state, ready=state.ready | {seat})
    if state.pace == "practice" or after.pressers <= after.ready:
        return _begin_round(after, presser=seat, chance=chance)
    return after, (Pressed(seat=seat),)


def _time_out(state: State, chance: Chance) -> Step:
    if state.round is None or not state.seat(state.round.turn).person:
        return state, ()
    seat = state.seat(state.round.turn)
    struck = replace(seat, strikes=seat.strikes + 1)
    after = _with_seat(state, struck)
    fact = TimedOut(seat=seat.number, strikes=struck.strikes)
    if struck.strikes < STRIKES:
        return after, (fact,)
    gone, facts = _leave(after, seat.number, "strikes", chance)
    return gone, (fact, *facts)


def _leave(state: State, number: int, why: Literal["leave", "strikes"], chance: Chance) -> Step:
    seat = state.seat(number)
    if state.status == "finished" or not seat.still_in or not seat.person:
        return state, ()
    order = 1 + sum(1 for other in state.seats if other.left is not None)
    if len(state.seats_in) == 2:
        return _forfeit(state, replace(seat, left=order, forfeited=True), why)
    after = replace(_with_seat(state, replace(seat, left=order)), ready=state.ready - {number})
    return _go_on(after, (PersonLeft(seat=number, why=why),), presser=None, chance=chance)


def _forfeit(state: State, seat: Seat, why: Literal["leave", "strikes"]) -> Step:
    """The other seat wins at once and the round in play is dropped unseen."""
    after = _with_seat(state, seat)
    result = Result(winner=after.seats_in[0], places=final_places(after))
    ended = replace(_without_round(after), status="finished", result=result, next_opener=None)
    return ended, (PersonLeft(seat=seat.number, why=why, forfeit=True),)


def _abandon(state: State, seat: int) -> Step:
    """The owner goes, unless the match is over for them anyway: who is out may go at any time."""
    if not state.persons_in or state.status == "finished":
        return state, ()
    ended = replace(_without_round(state), status="finished", next_opener=None, next_palifico=False)
    return ended, (PracticeEnded(seat=seat),)


def _go_on(state: State, facts: tuple[Fact, ...], *, presser: int | None, chance: Chance) -> Step:
    """After a reveal or a leaving: start the next round where nobody has to be waited for."""
    if state.status != "revealed" or not state.pressers <= state.ready:
        return state, facts
    after, more = _begin_round(state, presser=presser, chance=chance)
    return after, (*facts, *more)


def _begin_round(state: State, *, presser: int | None, chance: Chance) -> Step:
    opener = state.next_opener
    if opener is None:
        raise ValueError("a round begins with an opener")
    number = state.number + 1
    dice = {seat.number: seat.dice for seat in state.seats if seat.still_in}
    round = Round(
        number=number,
        palifico=state.next_palifico,
        opener=opener,
        turn=opener,
        hands=chance.hands(number, dice),
    )
    after = replace(
        _without_round(state),
        status="bidding",
        number=number,
        round=round,
        next_opener=None,
        next_palifico=False,
    )
    return after, (RoundStarted(seat=presser, number=number, opener=opener, palifico=round.palifico),)


def _without_round(state: State) -> State:
    return replace(state, round=None, ready=frozenset())


def _with_seat(state: State, changed: Seat) -> State:
    seats = tuple(changed if seat.number == changed.number else seat for seat in state.seats)
    return replace(state, seats=seats)
