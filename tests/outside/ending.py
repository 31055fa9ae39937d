"""After the end: what remains readable, what is refused, and the archive that stands on its own."""

from __future__ import annotations

import json
from typing import Any

from tests.outside import act, follow, watch
from tests.outside.act import body_of, refused
from tests.outside.client import Answer, Request, within
from tests.outside.compare import differences
from tests.outside.game import Eyes, Game
from tests.outside.summary import Difference


def check(game: Game) -> None:
    """Check everything that a finished match leaves behind."""
    game.door.live_hands.clear()
    reader = game.some_eyes()
    _rounds(game, reader)
    _archive(game, reader)
    _nothing_more_can_be_done(game)
    watch.lists(game)
    if game.rng.random() < 0.3:
        _the_events_end(game)
    watch.everyone(game)


def rounds_so_far(game: Game) -> None:
    """Read the reveals of a match in progress."""
    _rounds(game, game.some_eyes())


def _rounds(game: Game, reader: Eyes) -> None:
    known = [game.reveals[number] for number in sorted(game.reveals)]
    if len(known) != len(game.match.reveals):
        raise Difference("reveals seen", expected=len(game.match.reveals), got=len(known))
    listed: list[Any] = []
    address: str | None = f"{game.path}/rounds"
    while address is not None:
        page = game.door.ask(reader.who, "GET", address, quiet=True).json
        if not isinstance(page.get("results"), list) or "next" not in page:
            raise Difference("a page is {results, next}", got=page)
        listed += page["results"]
        address = page["next"] and within(page["next"])
        if len(listed) > len(known):
            break
    if wrong := differences(known, listed):
        raise Difference(f"the page of reveals: {wrong}", expected=known, got=listed, viewer=reader.name)
    if known:
        one = game.rng.choice(known)
        got = follow.fetch_reveal(game, one["number"])
        if wrong := differences(one, got):
            raise Difference(f"one reveal: {wrong}", expected=one, got=got)


def _archive(game: Game, reader: Eyes) -> None:
    path = f"{game.path}/archive"
    if game.plan.visibility == "private":
        game.door.ask(game.watcher, "GET", path, expect=404)
    got = game.door.ask(reader.who, "GET", path, quiet=True).json
    known = [game.reveals[number] for number in sorted(game.reveals)]
    wrong = differences({"format": 1, "rounds": known}, got)
    events = got.get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        wrong.append("events should be a list of objects")
    if wrong:
        raise Difference(f"the archive: {wrong}", expected=known, got=got, viewer=reader.name)
    game.etags.clear()
    watch.view(game, Eyes("archive", None, "spectator"), got["table"], "in the archive")
    if game.plan.visibility != "private":
        seen = game.door.ask(game.watcher, "GET", game.path, quiet=True).json
        if got["table"] != seen:
            raise Difference("the archive's table is a spectator's view", expected=seen, got=got["table"])


def _nothing_more_can_be_done(game: Game) -> None:
    path = f"{game.path}/actions"
    seats = game.persons_seats() if not game.plan.practice else game.owners_seats()
    seats = [seat for seat in seats if seat not in game.match.forfeited]
    if seats:
        seat = game.rng.choice(seats)
        who = act.mover(game, seat)
        refused(game, who, path, body_of(game, seat, {"type": "liar"}), 422)
        versions = [s.version for s in game.seen if s.round == len(game.match.reveals)] or [game.version]
        if game.match.reveals:
            press = body_of(
                game, seat, {"type": "next_round"}, game.rng.choice([*versions[-1:], game.version])
            )
            refused(game, who, path, press, 422)
        refused(game, who, path, body_of(game, seat, {"type": "liar"}, game.version - 1), 409, code="stale")
        answer = game.door.ask(who, "DELETE", f"{game.path}/seats/me")
        game.is_at(answer.json["version"], "the answer to leaving after the end")
    refused(game, game.host, game.path, None, 422, method="DELETE")
    refused(game, game.host, f"{game.path}/start", {}, 422)


def an_event(game: Game) -> None:
    """Open the stream and read its first event: the id and the version, and nothing else."""
    eyes = game.some_eyes()
    request = Request(eyes.who, "GET", f"{game.path}/events")
    answer = game.door.connection.first_event(request)
    _is_the_event(game, answer)


def _the_events_end(game: Game) -> None:
    eyes = game.some_eyes()
    request = Request(eyes.who, "GET", f"{game.path}/events")
    answer = game.door.connection.first_event(request, until_the_end=True)
    _is_the_event(game, answer)


def _is_the_event(game: Game, answer: Answer) -> None:
    if answer.status != 200:
        game.door.judge(answer, 200)
    if not answer.headers.get("content-type", "").startswith("text/event-stream"):
        raise Difference("the kind of an event stream", got=answer.headers)
    lines = answer.body.decode().replace("\r\n", "\n").split("\n")
    fields = [line.split(":", 1) for line in lines if line and not line.startswith(":")]
    said = {name: value.strip() for name, value in fields}
    if said.get("event") != "table":
        raise Difference("the name of an event", expected="table", got=answer.body)
    expected = {"id": game.id, "version": game.version}
    if json.loads(said.get("data", "null")) != expected:
        raise Difference("the data of an event", expected=expected, got=answer.body)
