"""Letting the model follow what computers did by themselves, from what is public about it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.model.match import Refused
from tests.outside import fairness, watch
from tests.outside.compare import moment
from tests.outside.game import Eyes, Game
from tests.outside.summary import Difference

PATIENCE = 30.0  # seconds without any move of a computer whose turn it is
PAUSE = 0.02


def settle(game: Game) -> None:
    """Wait until a person's move or press is due, or the match is over."""
    eyes = next(eyes for eyes in game.eyes() if eyes.sees)
    since, tag = time.monotonic(), ""
    while not game.waits_for_person():
        headers = {"If-None-Match": tag} if tag else {}
        path = game.path + eyes.query
        answer = game.door.ask(eyes.who, "GET", path, expect=(200, 304), headers=headers, quiet=True)
        if answer.status == 200:
            tag, since = answer.headers["etag"], time.monotonic()
            follow(game, answer.json)
            if _in_step(game, answer.json):
                watch.view(game, eyes, answer.json, "while computers move")
        if time.monotonic() - since > PATIENCE:
            raise Difference(f"a computer does not move within {PATIENCE} s", got=answer.json)
        if not game.waits_for_person():
            time.sleep(PAUSE)


def _in_step(game: Game, view: dict[str, Any]) -> bool:
    """Is the model just where the view is? A reveal that nobody waits at may be seen in passing."""
    return bool(view["status"] == game.match.status)


def follow(game: Game, view: dict[str, Any]) -> None:
    """Feed into the model whatever the view shows that the model has not seen yet."""
    match = game.match
    shown = view["reveal"]["number"] if view["reveal"] else 0
    while len(match.reveals) < shown:
        _start_that_nobody_pressed(game)
        number = match.round
        reveal = view["reveal"] if number == shown else fetch_reveal(game, number)
        _replay(game, reveal["bids"])
        _replay_call(game, reveal)
    if view["round"]:
        if match.status == "revealed" and view["round"]["number"] == match.round + 1:
            _start_that_nobody_pressed(game)
        if match.status == "bidding" and view["round"]["number"] == match.round:
            _replay(game, view["round"]["bids"])


def fetch_reveal(game: Game, number: int) -> dict[str, Any]:
    """Get one past reveal."""
    eyes: Eyes = next(eyes for eyes in game.eyes() if eyes.sees)
    reveal: dict[str, Any] = game.door.ask(eyes.who, "GET", f"{game.path}/rounds/{number}", quiet=True).json
    return reveal


def _start_that_nobody_pressed(game: Game) -> None:
    if game.match.status != "revealed":
        return
    allowance = game.plan.reveal_seconds()
    ago = datetime.now(UTC) - moment(game.reveals[len(game.match.reveals)]["at"])
    if allowance is None or ago < timedelta(seconds=allowance):
        raise Difference("a round started although presses are missing", expected=game.match.pressers())
    game.door.note("the time for looking at the reveal was over")
    game.match.reveal_over()
    game.changed()


def _replay(game: Game, bids: list[dict[str, Any]]) -> None:
    match = game.match
    for bid in bids[len(match.bids) :]:
        plain: dict[str, int] = {key: bid[key] for key in ("quantity", "face", "total") if key in bid}
        if not match.by_computer(bid["seat"]):
            raise Difference("a bid that nobody made", expected="no bid", got=bid)
        game.door.note(f"the computer at seat {bid['seat']} bids {plain}")
        try:
            match.bid(bid["seat"], plain, auto=True)
        except Refused as refusal:
            raise Difference(f"a computer's move: {refusal}", got=bid) from refusal
        game.changed()


def _replay_call(game: Game, reveal: dict[str, Any]) -> None:
    call = reveal["call"]
    if not game.match.by_computer(call["seat"]):
        raise Difference("a call that nobody made", got=reveal)
    game.door.note(f"the computer at seat {call['seat']} calls {call['type']}")
    apply_call(game, call["seat"], call["type"], reveal)


def apply_call(game: Game, seat: int, kind: str, reveal: dict[str, Any]) -> None:
    """Make a call in the model with the hands that the reveal shows."""
    match = game.match
    try:
        shown = {int(key): hand for key, hand in reveal["hands"].items()}
        number = match.round
        match.call(seat, kind, shown | match.hands)
    except Refused as refusal:
        raise Difference(f"a call: {refusal}", got=reveal) from refusal
    except (ValueError, KeyError, AttributeError) as fault:
        raise Difference(f"the hands of a reveal: {fault}", expected=match.dice, got=reveal) from fault
    game.changed()
    game.door.summary.reveals += 1
    watch.reveal(game, number, reveal)
    fairness.check_round(game, number)
