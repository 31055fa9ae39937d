"""One action of one seat: sent in one of several manners, and its answer held against the model."""

from __future__ import annotations

from typing import Any

from tests.model import bidding
from tests.model.match import Refused
from tests.outside import follow, watch
from tests.outside.client import Answer, Person, Request
from tests.outside.compare import differences
from tests.outside.game import Eyes, Game
from tests.outside.summary import Difference

MINIMAL = {"Prefer": "return=minimal"}


def mover(game: Game, seat: int) -> Person:
    """The person who acts for a seat."""
    return game.host if game.plan.practice else game.people[seat]


def eyes_of(game: Game, seat: int) -> Eyes:
    """The eyes through which the answer to a seat's action is seen."""
    if game.plan.practice:
        return Eyes(f"owner as {seat}", game.host, seat, f"?as={seat}")
    return Eyes(f"seat {seat}", game.people[seat], seat)


def body_of(game: Game, seat: int, action: dict[str, Any], version: int | None = None) -> dict[str, Any]:
    """The body that asks for an action."""
    body = action | {"version": game.version if version is None else version}
    return body | {"seat": seat} if game.plan.practice else body


def request_of(game: Game, seat: int, action: dict[str, Any], **headers: str) -> Request:
    """The request that asks for an action."""
    path = f"{game.path}/actions"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(mover(game, seat), "POST", path, body_of(game, seat, action), None, named)


def a_move(game: Game) -> dict[str, Any]:
    """A random legal bid or call for the seat to move."""
    match, rng = game.match, game.rng
    bids = bidding.legal_bids(match.rules, match.standing(), match.dice_in_play(), match.palifico)
    calls = [kind for kind in ("liar", "exact") if match.may_call(kind)]
    if calls and (not bids or rng.random() < 0.4):
        return {"type": "exact" if "exact" in calls and rng.random() < 0.3 else "liar"}
    if match.turn in match.hands and rng.random() < 0.4:
        return {"type": "bid"} | (match.suggested(match.turn) or {})
    return {"type": "bid"} | rng.choice(bids if rng.random() < 0.2 else bids[: len(bids) // 3 + 1])


def move(game: Game) -> None:
    """Make a random move for the seat whose turn it is."""
    seat, action = game.match.turn, a_move(game)
    answer, minimal = send(game, seat, action)
    absorb(game, seat, action, answer, minimal=minimal)


def send(game: Game, seat: int, action: dict[str, Any]) -> tuple[Answer, bool]:
    """Send an action plainly, for a minimal answer, or with a key and then again."""
    rng, who, path = game.rng, mover(game, seat), f"{game.path}/actions"
    body = body_of(game, seat, action)
    minimal = rng.random() < 0.25
    headers = dict(MINIMAL) if minimal else {}
    if rng.random() < 0.25:
        headers["Idempotency-Key"] = a_key(game)
    answer = game.door.ask(who, "POST", path, body, headers=headers)
    game.door.summary.actions += 1
    if "Idempotency-Key" in headers:
        again(game, who, path, body, headers, answer)
    return answer, minimal


def a_key(game: Game) -> str:
    """A fresh idempotency key, now and then of the greatest length."""
    key = f"{game.rng.getrandbits(64):x}"
    return key.ljust(128, ".") if game.rng.random() < 0.2 else key


def again(
    game: Game, who: Person, path: str, body: dict[str, Any], headers: dict[str, str], first: Answer
) -> None:
    """Repeat a request with its key: the first answer comes again; another body is refused."""
    if "idempotency-replayed" in first.headers:
        raise Difference("a first answer says that it was replayed", got=first.headers)
    for _ in range(game.rng.randint(1, 2)):
        answer = game.door.ask(who, "POST", path, body, headers=headers, expect=first.status)
        if answer.headers.get("idempotency-replayed") != "true":
            raise Difference("a repeated request lacks Idempotency-Replayed: true", got=answer.headers)
        if answer.json != first.json:
            raise Difference("the answer to a repeated request", expected=first.json, got=answer.json)
    other = body | {"version": body["version"] + 1}
    refused(game, who, path, other, 422, code="key_reused", headers=headers)


def refused(
    game: Game,
    who: Person | None,
    path: str,
    body: Any,
    status: int | tuple[int, ...],
    *,
    code: str | None = None,
    headers: dict[str, str] | None = None,
    method: str = "POST",
    raw: bytes | None = None,
) -> Answer:
    """Ask for something that must be refused with this status, and code where one is named."""
    answer = game.door.ask(who, method, path, body, expect=status, headers=headers, raw=raw)
    if code is not None and answer.json["code"] != code:
        raise Difference(f"the code of the refusal of {answer.request}", expected=code, got=answer.json)
    if answer.json["code"] == "stale" and answer.json.get("version") != game.version:
        raise Difference("the version that `stale` names", expected=game.version, got=answer.json)
    return answer


def absorb(game: Game, seat: int, action: dict[str, Any], answer: Answer, *, minimal: bool) -> None:
    """Do in the model what was answered with 200, and hold the answer against it."""
    match = game.match
    number = match.round
    try:
        if action["type"] == "bid":
            match.bid(seat, {key: value for key, value in action.items() if key != "type"})
            game.changed()
        elif action["type"] == "next_round":
            if match.next_round(seat):
                game.changed()
        else:
            shown = answer.json.get("reveal") or {}
            reveal = shown if shown.get("number") == number else follow.fetch_reveal(game, number)
            follow.apply_call(game, seat, action["type"], reveal)
    except Refused as refusal:
        raise Difference(f"an illegal action went through: {refusal}", got=answer.json) from refusal
    hold(game, eyes_of(game, seat), answer, minimal=minimal)


def hold(game: Game, eyes: Eyes, answer: Answer, *, minimal: bool = False) -> None:
    """Compare the answer to something that was done with the model."""
    if minimal:
        if answer.json.keys() != {"id", "version"} or differences({"id": game.id}, answer.json):
            raise Difference("a minimal answer is only id and version", got=answer.json)
        if game.pending or game.waits_for_person():  # else a computer may have moved already
            game.is_at(answer.json["version"], "a minimal answer")
        return
    follow.follow(game, answer.json)
    if answer.json["status"] == game.match.status:
        watch.view(game, eyes, answer.json, f"in the answer to {answer.request}")


def press(game: Game) -> None:
    """Press Next round for somebody who is waited for, perhaps twice."""
    match, rng = game.match, game.rng
    seat = rng.choice([each for each in match.pressers() if each not in match.ready])
    version = rng.choice(versions_of_this_reveal(game))
    minimal = rng.random() < 0.25
    _press(game, seat, version, minimal)
    if rng.random() < 0.3 and game.waits_for_person():  # else a computer may be at the next reveal already
        _press(game, seat, rng.choice(versions_of_this_reveal(game)), minimal)
        game.door.summary.met["double press"] += 1


def _press(game: Game, seat: int, version: int, minimal: bool) -> None:
    body = body_of(game, seat, {"type": "next_round"}, version)
    headers = dict(MINIMAL) if minimal else {}
    answer = game.door.ask(mover(game, seat), "POST", f"{game.path}/actions", body, headers=headers)
    game.door.summary.actions += 1
    absorb(game, seat, {"type": "next_round"}, answer, minimal=minimal)


def versions_of_this_reveal(game: Game) -> list[int]:
    """The versions seen since the last reveal, or since the start in round 1."""
    number = len(game.match.reveals)
    known = [each.version for each in game.seen if each.round == number and each.status != "finished"]
    return known or [game.version]


def late_press(game: Game) -> None:
    """Press Next round after the round has started: nothing happens."""
    seats = game.match.persons_in()
    if game.match.status == "bidding" and seats:
        _press(game, game.rng.choice(seats), game.rng.choice(versions_of_this_reveal(game)), minimal=False)
        game.door.summary.met["late press"] += 1


def leave(game: Game) -> None:
    """Let somebody go: a person still in, or one who is out and changes nothing by it."""
    seats = game.match.persons_in() if game.plan.practice else game.persons_seats()
    seat = game.rng.choice(seats)
    who = mover(game, seat)
    answer = game.door.ask(who, "DELETE", f"{game.path}/seats/me")
    left(game, seat, answer)


def left(game: Game, seat: int, answer: Answer) -> None:
    """Do in the model what leaving did."""
    was_in = game.match.still_in()
    if game.match.leave(seat):
        game.changed()
        kind = "left practice" if game.plan.practice else "forfeit" if len(was_in) == 2 else "substitute"
        game.door.summary.met[kind] += 1
    else:
        game.door.summary.met["left when out"] += 1
    eyes = Eyes("owner", game.host, "owner") if game.plan.practice else eyes_of(game, seat)
    hold(game, eyes, answer)
