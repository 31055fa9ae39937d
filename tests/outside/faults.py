"""Attempts that must be refused, each with its status, in the order of the contract, changing nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.model import bidding
from tests.outside import act, watch
from tests.outside.act import body_of, refused
from tests.outside.client import Person
from tests.outside.game import Game
from tests.outside.summary import Difference

BAD_TOKEN = Person("no-such-token", "", "somebody with a bad token")
NO_TABLE = "tables/nosuchtable"
WRONG_VERSIONS: list[Any] = ["3", 3.5, True, None, [3], {"version": 3}]
WRONG_NUMBERS: list[Any] = ["4", 4.5, 4.0, True, None, [4], {}]
NOT_OBJECTS: list[Any] = [[], "text", 5, True, [{"type": "liar", "version": 1}]]
NOT_JSON = [b"", b"{", b"not json", b'{"type": "liar", "version": 1', b"\xff\xfe", b'{"type": "li\xffar"}']

Fault = Callable[[Game], None]


def some(game: Game) -> None:
    """Try a few things that must be refused, then see that nothing has changed."""
    fitting = EVERYWHERE + (IN_PRACTICE if game.plan.practice else AMONG_PEOPLE)
    fitting = fitting + (WHILE_BIDDING if game.match.status == "bidding" else [])
    for fault in game.rng.sample(fitting, 3):
        fault(game)
    watch.look(game, game.some_eyes())


def _actions(game: Game) -> str:
    return f"{game.path}/actions"


def _someone(game: Game) -> tuple[int, Person]:
    """A seat still in whose person plays, and that person."""
    seat = game.rng.choice(game.match.persons_in())
    return seat, act.mover(game, seat)


def _good(game: Game, seat: int, version: int | None = None) -> dict[str, Any]:
    """A body that is well formed, whatever the rules say to it."""
    if game.plan.rules["bidding"] == "sum":
        return body_of(game, seat, {"type": "bid", "total": 3}, version)
    return body_of(game, seat, {"type": "bid", "quantity": 1, "face": 2}, version)


# 401


def without_token(game: Game) -> None:
    body = game.rng.choice([_good(game, 0), {}, _good(game, 0, 0)])
    refused(game, None, game.rng.choice([_actions(game), f"{NO_TABLE}/actions"]), body, 401)
    refused(game, None, "me", None, 401, method="GET")


def with_a_bad_token(game: Game) -> None:
    path = game.rng.choice([_actions(game), f"{NO_TABLE}/actions"])
    refused(game, BAD_TOKEN, path, _good(game, 0), 401)
    refused(game, BAD_TOKEN, path, None, 401, raw=b"{")
    read = game.rng.choice([game.path, f"{game.path}/rounds", "tables", "me", NO_TABLE])
    refused(game, BAD_TOKEN, read, None, 401, method="GET")


# 400


def not_json(game: Game) -> None:
    who = game.rng.choice([_someone(game)[1], game.watcher])
    path = game.rng.choice([_actions(game), f"{NO_TABLE}/actions"])
    refused(game, who, path, None, 400, raw=game.rng.choice(NOT_JSON))


def not_an_object(game: Game) -> None:
    refused(game, _someone(game)[1], _actions(game), game.rng.choice(NOT_OBJECTS), 400)


def a_version_of_the_wrong_type(game: Game) -> None:
    seat, who = _someone(game)
    body = _good(game, seat) | {"version": game.rng.choice(WRONG_VERSIONS)}
    refused(game, who, _actions(game), body, 400)
    refused(game, game.watcher, f"{NO_TABLE}/actions", body, 400)


def a_field_is_missing(game: Game) -> None:
    seat, who = _someone(game)
    body = _good(game, seat, game.rng.choice([0, game.version]))
    needed = [key for key in body if key != "face"]
    del body[game.rng.choice(needed)]
    refused(game, who, _actions(game), body, 400)


def a_number_of_the_wrong_type(game: Game) -> None:
    seat, who = _someone(game)
    key = game.rng.choice(["total"] if game.plan.rules["bidding"] == "sum" else ["quantity", "face"])
    body = _good(game, seat, game.rng.choice([0, game.version])) | {key: game.rng.choice(WRONG_NUMBERS)}
    refused(game, who, _actions(game), body, 400)


def a_type_of_the_wrong_type(game: Game) -> None:
    seat, who = _someone(game)
    refused(game, who, _actions(game), _good(game, seat) | {"type": game.rng.choice([5, None, ["bid"]])}, 400)


def strange_input(game: Game) -> None:
    """Whatever is sent, the answer is a refusal and no failure."""
    seat, who = _someone(game)
    deep = game.rng.choice([b"[" * 5000, b'{"a":' * 5000 + b"1" + b"}" * 5000])
    big = b'{"type": "liar", "version": ' + b"9" * 5000 + b"}"
    endless = b'{"type": "liar", "version": 1e999' + (b', "seat": 0}' if game.plan.practice else b"}")
    refused(game, who, _actions(game), None, 400, raw=game.rng.choice([deep, endless]))
    refused(game, who, _actions(game), None, (400, 409), raw=big)
    strange = game.rng.choice(["\ud800", "\x00", "next_round\x00", "ｂｉｄ"])
    refused(game, who, _actions(game), body_of(game, seat, {"type": strange}), (400, 422))
    refused(game, who, _actions(game), _good(game, seat, 10**40), 409, code="stale")


# 404


def an_unknown_type(game: Game) -> None:
    seat, who = _someone(game)
    action = {"type": game.rng.choice(["raise", "", "BID", "spot on"])}
    refused(game, who, _actions(game), body_of(game, seat, action), 400)


def nothing_there(game: Game) -> None:
    who, rng = _someone(game)[1], game.rng
    refused(game, who, f"{NO_TABLE}/actions", _good(game, 0), 404)
    if not game.plan.practice:
        refused(game, who, f"{NO_TABLE}/actions", _good(game, 0, 0), 404)
    reads = [NO_TABLE, f"{NO_TABLE}/rounds", f"{NO_TABLE}/rounds/1", f"{NO_TABLE}/archive", "tables/%00"]
    refused(game, rng.choice([who, None]), rng.choice(reads), None, 404, method="GET")


def a_round_not_yet_revealed(game: Game) -> None:
    eyes, known = game.some_eyes(), len(game.match.reveals)
    number = game.rng.choice([known + 1, 0, 1000, 10**20, "last"])
    refused(game, eyes.who, f"{game.path}/rounds/{number}", None, 404, method="GET")
    refused(game, eyes.who, f"{game.path}/archive", None, 404, method="GET")


def a_stranger(game: Game) -> None:
    """Who does not sit is refused before versions are compared; a private table is not even there."""
    status = 404 if game.plan.visibility == "private" else 403
    body = _good(game, 0, game.rng.choice([0, game.version, game.version + 1]))
    refused(game, game.watcher, _actions(game), body, status)
    refused(game, game.watcher, f"{game.path}/seats/me", None, status, method="DELETE")
    if status == 404:
        for path in (f"{game.path}/rounds", f"{game.path}/rounds/1", f"{game.path}/events"):
            refused(game, game.watcher, path, None, 404, method="GET")


def hosting_by_others(game: Game) -> None:
    status = 404 if game.plan.visibility == "private" else 403
    method, path, body = game.rng.choice(
        [
            ("POST", f"{game.path}/start", {}),
            ("POST", f"{game.path}/computers", {"level": "easy"}),
            ("DELETE", f"{game.path}/seats/{game.match.seats[0]}", None),
            ("DELETE", game.path, None),
        ]
    )
    refused(game, game.watcher, path, body, status, method=method)


def hosting_after_the_start(game: Game) -> None:
    method, path, body, status = game.rng.choice(
        [
            ("POST", f"{game.path}/start", {}, (422,)),
            ("POST", f"{game.path}/computers", {"level": "easy"}, (409, 422)),  # no seat is free either
            ("DELETE", f"{game.path}/seats/{game.match.seats[-1]}", None, (422,)),
            ("DELETE", game.path, None, (422,)),
        ]
    )
    refused(game, game.host, path, body, status, method=method)


# 409


def an_older_version(game: Game) -> None:
    """An old version is refused before the rules are asked."""
    seat, who = _someone(game)
    version = game.rng.choice([0, -1, *(seen.version for seen in game.seen if seen.version < game.version)])
    bid = {"total": 999} if game.plan.rules["bidding"] == "sum" else {"quantity": 99, "face": 9}
    actions: list[dict[str, Any]] = [{"type": "liar"}, {"type": "exact"}, {"type": "bid"} | bid]
    action = game.rng.choice(actions)
    refused(game, who, _actions(game), body_of(game, seat, action, version), 409, code="stale")


def a_version_to_come(game: Game) -> None:
    seat, who = _someone(game)
    version = game.version + game.rng.choice([1, 2, 1000])
    action = game.rng.choice([{"type": "liar"}, {"type": "next_round"}])
    refused(game, who, _actions(game), body_of(game, seat, action, version), 409, code="stale")


def a_press_of_an_older_reveal(game: Game) -> None:
    since = min(act.versions_of_this_reveal(game))
    older = [s.version for s in game.seen if s.version < since and s.round < len(game.match.reveals)]
    seat, who = _someone(game)
    body = body_of(game, seat, {"type": "next_round"}, game.rng.choice([*older, 0]))
    refused(game, who, _actions(game), body, 409, code="stale")


# 422


def not_my_turn(game: Game) -> None:
    others = [seat for seat in game.persons_seats() if seat != game.match.turn]
    if game.plan.practice:
        others = [seat for seat in game.owners_seats() if seat != game.match.turn]
    if others:
        seat = game.rng.choice(others)
        action = game.rng.choice([act.a_move(game), {"type": "liar"}])
        refused(game, act.mover(game, seat), _actions(game), body_of(game, seat, action), 422)


def an_illegal_bid(game: Game) -> None:
    match = game.match
    legal = bidding.legal_bids(match.rules, match.standing(), match.dice_in_play(), match.palifico)
    tries = bidding.every_bid(match.rules, match.dice_in_play())
    illegal = [bid for bid in tries if bid not in legal] + [dict.fromkeys(tries[0], 10**40)]
    for bid in game.rng.sample(illegal, min(2, len(illegal))):
        who, body = act.mover(game, match.turn), body_of(game, match.turn, {"type": "bid"} | bid)
        refused(game, who, _actions(game), body, 422)


def a_bid_of_the_other_kind(game: Game) -> None:
    sums = game.plan.rules["bidding"] == "sum"
    action: dict[str, Any] = {"type": "bid"} | ({"quantity": 1, "face": 2} if sums else {"total": 3})
    who, body = act.mover(game, game.match.turn), body_of(game, game.match.turn, action)
    refused(game, who, _actions(game), body, (400, 422))


def a_call_that_cannot_be(game: Game) -> None:
    for kind in ("liar", "exact"):
        if not game.match.may_call(kind):
            who, body = act.mover(game, game.match.turn), body_of(game, game.match.turn, {"type": kind})
            refused(game, who, _actions(game), body, 422)


def a_move_or_press_out_of_place(game: Game) -> None:
    """Between rounds nobody moves, and only those press who are waited for."""
    if game.match.status != "revealed":
        return
    seat, who = _someone(game)
    kind = game.rng.choice(["liar", "exact", "bid"])
    body = _good(game, seat) if kind == "bid" else body_of(game, seat, {"type": kind})
    refused(game, who, _actions(game), body, 422)
    others = [seat for seat in game.persons_seats() if seat not in game.match.pressers()]
    if others and not game.plan.practice:
        seat = game.rng.choice(others)
        press = body_of(game, seat, {"type": "next_round"})
        refused(game, game.people[seat], _actions(game), press, 422)


# people


def one_who_left(game: Game) -> None:
    if game.match.left:
        seat = game.match.left[0]
        body = _good(game, seat, game.rng.choice([0, game.version]))
        refused(game, game.people[seat], _actions(game), body, 403)


def sitting_down_twice(game: Game) -> None:
    seats = game.persons_seats()
    if seats:
        refused(game, game.people[seats[0]], f"{game.path}/seats", {}, 409, code="taken")


def looking_through_a_seat(game: Game) -> None:
    seat = game.match.seats[0]
    who = game.people.get(seat, game.host)
    refused(game, who, f"{game.path}?as={seat}", None, 403, method="GET")
    refused(game, who, f"{game.path}?as=x", None, 400, method="GET")


# practice


def practising_with_the_wrong_seat(game: Game) -> None:
    seat = game.match.turn
    for wrong in [9, -1, 10**30, *game.levels]:
        body = _good(game, seat, game.rng.choice([0, game.version])) | {"seat": wrong}
        refused(game, game.host, _actions(game), body, 403)
    body = _good(game, seat)
    refused(
        game, game.host, _actions(game), body | {"seat": game.rng.choice(["0", None, True, [0], 0.5])}, 400
    )


def looking_at_anothers_practice(game: Game) -> None:
    status = 404 if game.plan.visibility == "private" else 403
    path = f"{game.path}?as={game.match.seats[0]}"
    refused(game, game.watcher, path, None, status, method="GET")
    refused(game, game.host, f"{game.path}?as=9", None, 403, method="GET")


def a_refusal_is_repeated(game: Game) -> None:
    """A refusal with a key comes again as it was."""
    seat, who = _someone(game)
    headers, body = {"Idempotency-Key": act.a_key(game)}, _good(game, seat, 0)
    first = refused(game, who, _actions(game), body, 409, code="stale", headers=headers)
    again = refused(game, who, _actions(game), body, 409, headers=headers)
    if again.json != first.json or again.headers.get("idempotency-replayed") != "true":
        raise Difference("a repeated refusal", expected=first.json, got=(again.json, again.headers))
    refused(game, who, _actions(game), body | {"more": 1}, 422, code="key_reused", headers=headers)


EVERYWHERE: list[Fault] = [
    without_token, with_a_bad_token, not_json, not_an_object, a_version_of_the_wrong_type, a_field_is_missing,
    a_number_of_the_wrong_type, a_type_of_the_wrong_type, strange_input, nothing_there, a_stranger,
    a_round_not_yet_revealed, hosting_by_others, hosting_after_the_start, an_older_version, a_version_to_come,
    a_press_of_an_older_reveal, an_unknown_type, a_move_or_press_out_of_place, a_refusal_is_repeated,
]  # fmt: skip
WHILE_BIDDING: list[Fault] = [not_my_turn, an_illegal_bid, an_illegal_bid, a_bid_of_the_other_kind]
WHILE_BIDDING += [a_call_that_cannot_be]
AMONG_PEOPLE: list[Fault] = [one_who_left, sitting_down_twice, looking_through_a_seat]
IN_PRACTICE: list[Fault] = [practising_with_the_wrong_seat, looking_at_anothers_practice]
