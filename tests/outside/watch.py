"""Looking at the table with everybody's eyes, and holding each view against the model."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.model.views import OWNER, SPECTATOR, with_text_keys
from tests.outside.client import Answer
from tests.outside.compare import (
    ANYTHING,
    SEAT_KEYS,
    SECRET,
    SUMMARY_KEYS,
    TEXT,
    TIME,
    VIEW_KEYS,
    differences,
    moment,
    one_of,
)
from tests.outside.game import Eyes, Game
from tests.outside.summary import Difference


def everyone(game: Game) -> None:
    """Compare the table with the model for every viewer."""
    of_seats: dict[str, str] = {}
    of_others: dict[str, str] = {}
    for eyes in game.eyes():
        answer = look(game, eyes)
        if eyes.sees:
            tags = of_others if eyes.looks == SPECTATOR or eyes.looks in game.match.left else of_seats
            tags[eyes.name] = answer.headers["etag"]
    distinct = set(of_seats.values())
    if len(distinct) < len(of_seats) or distinct & set(of_others.values()):
        raise Difference("an ETag must differ between viewers", got=(of_seats, of_others))
    if game.rng.random() < 0.1:
        lists(game)


def look(game: Game, eyes: Eyes) -> Answer:
    """Fetch and compare one viewer's view; now and then with the ETag it had before."""
    path = game.path + eyes.query
    if not eyes.sees:
        return game.door.ask(eyes.who, "GET", path, expect=404, quiet=True)

    known = game.etags.get(eyes.name)
    if known and game.rng.random() < 0.2:
        unchanged = known[0] == game.version and game.pending == 0
        expect = 304 if unchanged else 200
        headers = {"If-None-Match": known[1]}
        answer = game.door.ask(eyes.who, "GET", path, expect=expect, headers=headers, quiet=True)
        if unchanged:
            _not_modified(answer, known[1])
            return answer
    else:
        answer = game.door.ask(eyes.who, "GET", path, quiet=True)
    headers_are_right(answer)
    if known and known[0] != answer.json.get("version") and known[1] == answer.headers["etag"]:
        raise Difference("the ETag stayed although the view changed", got=known, viewer=eyes.name)
    view(game, eyes, answer.json)
    game.etags[eyes.name] = (answer.json["version"], answer.headers["etag"])
    return answer


def _not_modified(answer: Answer, tag: str) -> None:
    if answer.body or answer.headers.get("etag") != tag:
        got = (answer.headers.get("etag"), answer.body[:200])
        raise Difference("a 304 has the same ETag and no body", expected=tag, got=got)


def headers_are_right(answer: Answer) -> None:
    """Check the caching headers of a view."""
    cache = {part.strip() for part in answer.headers.get("cache-control", "").split(",")}
    vary = {part.strip().lower() for part in answer.headers.get("vary", "").split(",")}
    if not answer.headers.get("etag"):
        raise Difference("a view has an ETag", got=answer.headers)
    if not {"private", "no-cache"} <= cache or not {"authorization", "cookie"} <= vary:
        raise Difference("Cache-Control or Vary of a view", got=answer.headers)


def view(game: Game, eyes: Eyes, got: dict[str, Any], where: str = "") -> None:
    """Compare one view with the model, field by field."""
    game.door.summary.comparisons += 1
    missing = [key for key in VIEW_KEYS if key not in got]
    missing += [f"seats.{key}" for seat in got.get("seats", []) for key in SEAT_KEYS if key not in seat]
    if missing:
        raise Difference(f"the view lacks {missing}", got=got, viewer=eyes.name)
    game.is_at(got["version"], f"the view of {eyes.name} {where}")
    _learn(game, eyes, got)
    expected = whole_expectation(game, eyes)
    wrong = differences(expected, got) + _deadline_faults(game, got)
    if wrong:
        lines = "\n  ".join(wrong)
        raise Difference(f"the view {where}:\n  {lines}", expected=expected, got=got, viewer=eyes.name)
    _remember(game, got)


def whole_expectation(game: Game, eyes: Eyes) -> dict[str, Any]:
    """Everything that this viewer must be shown."""
    first, plan = game.first_view, game.plan
    expected = game.expected(eyes.looks)
    expected |= {key: first[key] for key in ("id", "name", "commitment", "created_at")}
    expected |= {"rules": plan.rules, "mode": plan.mode, "visibility": plan.visibility, "clock": plan.clock}
    expected |= {"host": game.host.id, "version": game.version, "viewer": _viewer(game, eyes)}
    for seat in expected["seats"]:
        seat |= _sitter(game, seat["seat"])
    if expected["round"]:
        expected["round"]["bids"] = _timed(game, game.match.round, expected["round"]["bids"])
    if expected["reveal"]:
        expected["reveal"] = expected_reveal(game, expected["reveal"])
    return expected


def expected_reveal(game: Game, reveal: dict[str, Any]) -> dict[str, Any]:
    """A reveal as it was shown before, or with times and a secret still to come."""
    if before := game.reveals.get(reveal["number"]):
        return before
    bids = _timed(game, reveal["number"], reveal["bids"])
    call = reveal["call"] | {"at": TIME}
    return reveal | {"bids": bids, "call": call, "secret": SECRET, "at": TIME}


def _timed(game: Game, number: int, bids: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Bids with the times they were first shown with; those not shown yet may have any."""
    shown = game.timed_bids.get(number, [])
    return [*shown[: len(bids)], *({**bid, "at": TIME} for bid in bids[len(shown) :])]


def _viewer(game: Game, eyes: Eyes) -> dict[str, Any]:
    if game.plan.practice and eyes.who == game.host:
        return {"role": "owner", "seat": None if eyes.looks == OWNER else eyes.looks}
    if eyes.looks == SPECTATOR or eyes.looks in game.match.left:
        return {"role": "spectator", "seat": None}
    return {"role": "player", "seat": eyes.looks}


def _sitter(game: Game, seat: int) -> dict[str, Any]:
    if seat in game.levels:
        player = {"id": ANYTHING, "name": TEXT, "kind": "computer", "level": game.levels[seat]}
        return {"player": player, "client_seed": "", "bank_seconds": None}
    who = game.host if game.plan.practice else game.people[seat]
    bank = game.plan.clock.get("bank_seconds") or one_of(None, 0)
    if seat in game.match.left:
        bank = ANYTHING
    player = {"id": who.id, "name": who.name, "kind": "guest"}
    return {"player": player, "client_seed": game.seeds[seat], "bank_seconds": bank}


def _learn(game: Game, eyes: Eyes, got: dict[str, Any]) -> None:
    """Take note of a hand that its own seat is shown for the first time."""
    match, seat = game.match, eyes.looks
    if match.status != "bidding" or not isinstance(seat, int) or seat in match.left or seat in match.hands:
        return
    hand: Any = (got["round"] or {}).get("hand")
    if match.dice[seat] == 0:
        return
    good = isinstance(hand, list) and len(hand) == match.dice[seat]
    if not good or any(type(die) is not int or not 1 <= die <= 6 for die in hand):
        raise Difference("the own hand", expected=f"{match.dice[seat]} dice", got=got, viewer=eyes.name)
    match.hands[seat] = hand
    game.door.live_hands.append(hand)


def _remember(game: Game, got: dict[str, Any]) -> None:
    if got["round"]:
        game.timed_bids[got["round"]["number"]] = got["round"]["bids"]
    if got["reveal"] and got["reveal"]["number"] not in game.reveals:
        game.reveals[got["reveal"]["number"]] = got["reveal"]
        game.door.live_hands.clear()


def _deadline_faults(game: Game, got: dict[str, Any]) -> list[str]:
    """Say what is wrong with the deadline, as far as it can be told from outside."""
    turn, deadline = game.plan.turn_seconds(), got["deadline"]
    if turn is None or game.match.status == "finished":
        return [] if deadline is None else [f"deadline should be None, is {deadline!r}"]
    if not game.waits_for_person():
        return []
    if wrong := differences(TIME, deadline, "deadline"):
        return wrong
    bank = game.plan.clock.get("bank_seconds", 0)
    if game.match.status == "bidding" and got["round"] and got["round"]["bids"]:
        began, least, most = got["round"]["bids"][-1]["at"], turn + bank, turn + bank
    elif game.match.status == "revealed" and not game.match.left:
        least = game.plan.reveal_seconds() or 0
        began, most = got["reveal"]["at"], least + bank
    else:
        return []
    given = (moment(deadline) - moment(began)) / timedelta(seconds=1)
    if not least - 1 <= given <= most + 1:
        return [f"deadline should be {least} to {most} s after {began}, is {deadline}"]
    return []


def lists(game: Game) -> None:
    """Compare the table's entry in the lists, and who is told that it waits."""
    sitters = [
        e for e in game.eyes() if not e.query and e.looks != SPECTATOR and e.looks not in game.match.left
    ]
    if sitters:
        eyes = game.rng.choice(sitters)
        query = game.rng.choice(["tables?mine=true", f"tables?mine=true&status={game.match.status}"])
        page = game.door.ask(eyes.who, "GET", query, quiet=True).json
        found = [entry for entry in page["results"] if entry["id"] == game.id]
        if len(found) != 1:
            raise Difference(f"the table in {query}", expected="once", got=len(found), viewer=eyes.name)
        _summary(game, eyes, found[0])
    page = game.door.ask(None, "GET", f"tables?status={game.match.status}", quiet=True).json
    listed = game.id in [entry["id"] for entry in page["results"]]
    if listed != (game.plan.visibility == "public"):
        raise Difference(f"a table that is {game.plan.visibility} in the public list", got=listed)
    _waiting(game)


def _summary(game: Game, eyes: Eyes, got: dict[str, Any]) -> None:
    missing = [key for key in SUMMARY_KEYS if key not in got]
    whole = whole_expectation(game, eyes)
    expected = {key: whole[key] for key in SUMMARY_KEYS if key in whole}
    expected["turn"] = game.match.turn if game.match.status == "bidding" else ANYTHING
    expected["round_number"] = game.match.round
    expected["updated_at"] = TIME
    if wrong := missing + differences(expected, got):
        raise Difference(f"the summary in a list: {wrong}", expected=expected, got=got, viewer=eyes.name)


def _waiting(game: Game) -> None:
    match = game.match
    due = [match.turn] if match.status == "bidding" else [s for s in match.pressers() if s not in match.ready]
    if match.status == "finished":
        due = []
    people = {"owner": (game.host, bool([s for s in due if s not in game.levels]))}
    if not game.plan.practice and game.people:
        people = {f"seat {s}": (who, s in due and s not in match.left) for s, who in game.people.items()}
    name = game.rng.choice(list(people))
    who, waits = people[name]
    got = game.door.ask(who, "GET", "me", quiet=True).json
    if (game.id in got["waiting"]) != waits:
        raise Difference("is the table among those that wait for me?", expected=waits, got=got, viewer=name)


def reveal(game: Game, number: int, got: dict[str, Any]) -> None:
    """Compare one reveal with the model's, and keep it."""
    expected = expected_reveal(game, with_text_keys(game.match.reveals[number - 1]))
    if wrong := differences(expected, got):
        raise Difference(f"the reveal of round {number}: {wrong}", expected=expected, got=got)
    game.reveals[number] = got
    game.door.live_hands.clear()
