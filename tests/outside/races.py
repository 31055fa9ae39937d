"""Several requests at the same moment: of those that answer one version exactly one wins."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.outside import act, follow
from tests.outside.client import Answer, Request
from tests.outside.door import RACERS
from tests.outside.game import Game
from tests.outside.summary import Difference


def any_race(game: Game) -> None:
    """Run a race that fits what the table is doing."""
    if game.match.status == "revealed":
        everybody_presses(game)
        return
    races = [many_moves_of_one, many_moves_of_one, one_key_many_times, everybody_moves, a_move_and_leaving]
    game.rng.choice(races)(game)


def many_moves_of_one(game: Game) -> None:
    """Let the mover send several moves for one version."""
    seat = game.match.turn
    actions = [act.a_move(game) for _ in range(game.rng.randint(2, RACERS))]
    answers = game.door.race([act.request_of(game, seat, action) for action in actions], (200, 409))
    won = _winner(game, answers)
    _all_others_are(game, answers, won, "stale")
    game.door.summary.actions += 1
    act.absorb(game, seat, actions[won], answers[won], minimal=False)


def _winner(game: Game, answers: list[Answer]) -> int:
    won = [number for number, answer in enumerate(answers) if answer.status == 200]
    if len(won) != 1:
        statuses = Counter(answer.status for answer in answers)
        raise Difference("moves for one version: exactly one wins", expected=1, got=dict(statuses))
    return won[0]


def _all_others_are(game: Game, answers: list[Answer], won: int, code: str) -> None:
    codes = [answer.json["code"] for number, answer in enumerate(answers) if number != won]
    if any(each != code for each in codes):
        raise Difference("the refusals of a race", expected=code, got=codes)


def one_key_many_times(game: Game) -> None:
    """Send one move with one key many times at once: it is made once, and all hear the same."""
    seat, action = game.match.turn, act.a_move(game)
    request = act.request_of(game, seat, action, Idempotency_Key=act.a_key(game))
    answers = game.door.race([request] * game.rng.randint(2, RACERS), (200, 409))
    good = [answer for answer in answers if answer.status == 200]
    busy = [answer.json["code"] for answer in answers if answer.status == 409]
    if any(code != "in_progress" for code in busy):
        raise Difference("a repeated request while the first is in work", expected="in_progress", got=busy)
    first_ones = [answer for answer in good if "idempotency-replayed" not in answer.headers]
    if len(first_ones) > 1 or not good or any(answer.json != good[0].json for answer in good):
        got = [(answer.status, answer.headers.get("idempotency-replayed"), answer.json) for answer in answers]
        raise Difference("one key, many times: one does it and all hear the same", got=got)
    game.door.summary.actions += 1
    act.absorb(game, seat, action, good[0], minimal=False)


def everybody_moves(game: Game) -> None:
    """Let everybody bid for the same version: only whose turn it is can win."""
    match, action = game.match, act.a_move(game)
    turn = match.turn
    seats = [turn, *(seat for seat in game.persons_seats() if seat != turn)]
    if game.plan.practice:
        seats = [turn, *(seat for seat in game.owners_seats() if seat != turn)]
    requests = [act.request_of(game, seat, action) for seat in seats]
    answers = game.door.race(requests, (200, 409, 422))
    if [answer.status == 200 for answer in answers] != [seat == turn for seat in seats]:
        got = list(zip(seats, [answer.status for answer in answers], strict=True))
        raise Difference(f"only seat {turn} may move", got=got)
    game.door.summary.actions += 1
    act.absorb(game, turn, action, answers[0], minimal=False)


def everybody_presses(game: Game) -> None:
    """Let all who are waited for press at once: the round starts once."""
    match = game.match
    seats = [seat for seat in match.pressers() if seat not in match.ready]
    requests = [act.request_of(game, seat, {"type": "next_round"}) for seat in seats]
    if not game.levels and not match.left:  # else a computer may be at the next reveal already
        requests += [game.rng.choice(requests) for _ in range(RACERS - len(seats))]
    answers = game.door.race(requests, (200,))
    game.door.summary.actions += len(seats)
    for seat in seats:
        if match.next_round(seat):
            game.changed()
    newest: dict[str, Any] = max((answer.json for answer in answers), key=lambda view: view["version"])
    follow.follow(game, newest)


def a_move_and_leaving(game: Game) -> None:
    """Let the mover move and leave in the same moment: either comes first, both are kept."""
    if game.plan.practice or game.rng.random() < 0.7:
        many_moves_of_one(game)
        return
    seat, action = game.match.turn, act.a_move(game)
    leaving = Request(game.people[seat], "DELETE", f"{game.path}/seats/me")
    moved, left = game.door.race([act.request_of(game, seat, action), leaving], (200, 403, 409, 422))
    if left.status != 200:
        raise Difference("leaving is never refused", expected=200, got=left.status)
    game.door.summary.met["move/leave race"] += 1
    if moved.status == 200:
        game.door.summary.actions += 1
        if action["type"] == "bid":
            game.match.bid(seat, {key: value for key, value in action.items() if key != "type"})
            game.changed()
        else:
            follow.apply_call(game, seat, action["type"], follow.fetch_reveal(game, game.match.round))
    act.left(game, seat, left)
