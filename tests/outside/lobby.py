"""Making a table and filling it, until the match starts; every open view is compared on the way."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.model.match import Match, host_opener
from tests.outside import opening
from tests.outside.cast import Cast
from tests.outside.client import Answer, Person, Request
from tests.outside.compare import differences
from tests.outside.door import Door
from tests.outside.game import Game
from tests.outside.plan import Plan, a_seed
from tests.outside.summary import Difference


@dataclass
class Chair:
    """Who sits on a seat: a person with a seed, or a computer of a level."""

    person: Person | None
    level: str | None = None
    seed: str | None = None


class Lobby:
    """A table that has not started yet."""

    def __init__(self, door: Door, rng: Random, plan: Plan, cast: Cast) -> None:
        self.door, self.rng, self.plan, self.cast = door, rng, plan, cast
        self.host = cast.players[0] if plan.sit else cast.host
        self.chairs: dict[int, Chair | None] = dict.fromkeys(range(plan.rules["seats"]))
        self.invite: str | None = None
        self.started = False
        self.version, self.changed = -1, True
        self.view: dict[str, Any] = {}
        self._make()

    @property
    def path(self) -> str:
        return f"tables/{self.id}"

    def free(self) -> list[int]:
        """The seats that nobody has taken."""
        return [seat for seat, chair in self.chairs.items() if chair is None]

    def sitting(self) -> list[Person]:
        """The people at the table."""
        return [chair.person for chair in self.chairs.values() if chair and chair.person]

    def _make(self) -> None:
        headers = {"Idempotency-Key": f"{self.rng.getrandbits(60):x}"} if self.rng.random() < 0.3 else {}
        answer = self.door.ask(self.host, "POST", "tables", self.plan.body, expect=201, headers=headers)
        self.id: str = answer.json["id"]
        if "|" in self.id:
            raise Difference("an id has no |", got=self.id)
        if headers:
            again = self.door.ask(self.host, "POST", "tables", self.plan.body, expect=201, headers=headers)
            replayed = again.headers.get("idempotency-replayed")
            if again.json != answer.json or replayed != "true":
                raise Difference("a table made twice with one key", expected=answer.json, got=again.json)
            other = self.plan.body | {"name": "another"}
            opening.refuse(self, self.host, "POST", "tables", other, 422, code="key_reused", headers=headers)
        self._sit_the_first()
        self._take(self.host, answer)

    def _sit_the_first(self) -> None:
        seats = iter(self.chairs)
        if self.plan.sit:
            self.chairs[next(seats)] = Chair(self.host, seed=self.plan.client_seed)
        for level in self.plan.computers:
            self.chairs[next(seats)] = Chair(None, level)
        if self.plan.practice:
            for seat in self.free():
                self.chairs[seat] = Chair(self.host, seed=self.plan.client_seed)

    def _take(self, who: Person, answer: Answer) -> None:
        """Compare the answer to something that changed the table."""
        self.started = self.started or not self.free()
        if not self.started:
            opening.compare(self, who, answer.json)
        elif answer.json["status"] == "open":
            raise Difference("the match starts as soon as every seat is taken", got=answer.json)
        self.view = answer.json

    def fill(self) -> Game:
        """Do what people do before a match, until it starts."""
        for _ in range(200):
            if self.started:
                return self._begin()
            self._something()
        raise AssertionError("the lobby does not fill")

    def _something(self) -> None:
        roll = self.rng.random()
        taken = len(self.chairs) - len(self.free())
        if roll < 0.55:
            self._sit()
        elif roll < 0.62 and len(self.free()) > 1:
            self._race_for_a_seat()
        elif roll < 0.70 and self.plan.computers:
            self._add_computer()
        elif roll < 0.78 and self.sitting():
            self._stand_up()
        elif roll < 0.84 and taken:
            self._free_a_seat()
        elif roll < 0.92:
            opening.attempts(self)
        elif taken >= 2:
            self._start()
        if not self.started and self.rng.random() < 0.5:
            opening.everyone(self)

    def _waiting_people(self) -> list[Person]:
        known = [self.host, *self.cast.players] if self.plan.sit else self.cast.players
        return [who for who in dict.fromkeys(known) if who not in self.sitting()]

    def _seat_body(self, who: Person, seat: int | None, seed: str | None) -> dict[str, Any]:
        body: dict[str, Any] = {}
        if seat is not None:
            body["seat"] = seat
        if seed is not None:
            body["client_seed"] = seed
        if self.plan.visibility == "private" and who != self.host:
            body["invite"] = self.get_invite()
        return body

    def get_invite(self) -> str:
        """An invitation to this private table."""
        if self.invite is None:
            got = self.door.ask(self.host, "POST", f"{self.path}/invites", {}, expect=201).json
            if not isinstance(got.get("invite"), str) or not isinstance(got.get("url"), str):
                raise Difference("an invitation is {invite, url}", got=got)
            self.invite = got["invite"]
        return self.invite

    def _sit(self) -> None:
        who = self.rng.choice(self._waiting_people())
        seat = self.rng.choice([None, self.rng.choice(self.free())])
        seed = a_seed(self.rng)
        answer = self.door.ask(who, "POST", f"{self.path}/seats", self._seat_body(who, seat, seed))
        self._sat(who, seat, seed, answer)

    def _sat(self, who: Person, seat: int | None, seed: str | None, answer: Answer) -> None:
        if seat is None:
            seats = answer.json["seats"]
            mine = [each["seat"] for each in seats if each["player"] and each["player"]["id"] == who.id]
            if len(mine) != 1 or mine[0] not in self.free():
                raise Difference("a seat for who asked for any", expected=self.free(), got=answer.json)
            seat = mine[0]
        self.chairs[seat] = Chair(who, seed=seed)
        self.changed = True
        self._take(who, answer)

    def _race_for_a_seat(self) -> None:
        people, seat = self._waiting_people(), self.rng.choice(self.free())
        if len(people) < 2:
            return
        bodies = [self._seat_body(who, seat, None) for who in people]
        pairs = zip(people, bodies, strict=True)
        answers = self.door.race([Request(w, "POST", f"{self.path}/seats", b) for w, b in pairs], (200, 409))
        won = [number for number, answer in enumerate(answers) if answer.status == 200]
        lost = [answer.json["code"] for answer in answers if answer.status == 409]
        if len(won) != 1 or any(code != "taken" for code in lost):
            raise Difference("one seat, several people: one gets it", got=(won, lost))
        self._sat(people[won[0]], seat, None, answers[won[0]])

    def _add_computer(self) -> None:
        seat, level = self.rng.choice(self.free()), self.rng.choice(["easy", "normal", "hard"])
        body = {"level": level, "seat": seat}
        answer = self.door.ask(self.host, "POST", f"{self.path}/computers", body, expect=(200, 201))
        self.chairs[seat] = Chair(None, level)
        self.changed = True
        self._take(self.host, answer)

    def _stand_up(self) -> None:
        who = self.rng.choice(self.sitting())
        if who == self.host and self.rng.random() < 0.7:
            return
        seat = next(seat for seat, chair in self.chairs.items() if chair and chair.person == who)
        private = self.plan.visibility == "private" and who != self.host
        answer = self.door.ask(who, "DELETE", f"{self.path}/seats/me")
        self.chairs[seat] = None
        self.changed = True
        if private:  # what is left to see of it for the leaver is a matter of taste
            opening.everyone(self)
        else:
            self._take(who, answer)

    def _free_a_seat(self) -> None:
        seat = self.rng.choice([seat for seat in self.chairs if self.chairs[seat]])
        chair = self.chairs[seat]
        if chair and chair.person == self.host:
            return
        answer = self.door.ask(self.host, "DELETE", f"{self.path}/seats/{seat}")
        self.chairs[seat] = None
        self.changed = True
        self._take(self.host, answer)

    def _start(self) -> None:
        answer = self.door.ask(self.host, "POST", f"{self.path}/start", {})
        self.started = True
        self._take(self.host, answer)

    def _begin(self) -> Game:
        chairs = {seat: chair for seat, chair in self.chairs.items() if chair}
        computers = [seat for seat, chair in chairs.items() if chair.level]
        opener = self._opener(self.view)
        hosts = [seat for seat, chair in chairs.items() if chair.person == self.host]
        fixed = host_opener(self.plan.rules, hosts)
        if opener not in chairs or fixed not in (None, opener):
            raise Difference("who opens round 1", expected=fixed, got=opener)
        plan = self.plan
        match = Match(
            plan.rules,
            chairs,
            opener=opener,
            computers=computers,
            clock=plan.clock["kind"],
            practice=plan.practice,
        )
        return Game(
            self.door, self.rng, plan, self.id, self.host, self.cast.watcher,
            people={s: chair.person for s, chair in chairs.items() if chair.person and not plan.practice},
            levels={seat: chair.level for seat, chair in chairs.items() if chair.level},
            seeds={seat: chair.seed or "" for seat, chair in chairs.items()},
            first_view=self.view, match=match, version=self.version, pending=1,
        )  # fmt: skip

    def _opener(self, view: dict[str, Any]) -> int:
        if view["round"] and view["round"]["number"] == 1:
            return int(view["round"]["opener"])
        return int(self.door.ask(self.host, "GET", f"{self.path}/rounds/1").json["opener"])

    def fixed_parts(self) -> dict[str, Any]:
        """What every view of this table shows alike."""
        plan, name = self.plan, self.plan.body.get("name")
        parts = {"id": self.id, "mode": plan.mode, "visibility": plan.visibility, "rules": plan.rules}
        parts |= {"clock": plan.clock, "host": self.host.id} | ({"name": name} if name else {})
        if self.view:
            parts |= {key: self.view[key] for key in ("name", "commitment", "created_at")}
        return parts

    def version_is(self, version: Any) -> None:
        """Check that the version rose exactly when something changed."""
        rose = type(version) is int and version > self.version
        stayed = version == self.version and type(version) is int
        if not (rose if self.changed else stayed):
            raise Difference(
                "the version of an open table", expected=(self.version, self.changed), got=version
            )
        self.version, self.changed = version, False

    def must(self, wrong: list[str], expected: Any, got: Any, viewer: str) -> None:
        """Complain where anything is wrong."""
        if wrong:
            lines = "\n  ".join(wrong)
            raise Difference(f"the open table:\n  {lines}", expected=expected, got=got, viewer=viewer)


def check_presets(door: Door, presets: dict[str, Any], values: dict[str, list[Any]], defaults: Any) -> None:
    """Compare the list of presets and options with the model's."""
    got = door.ask(None, "GET", "presets").json
    options: dict[str, Any] = {}
    for name, allowed in values.items():
        whole = type(allowed[0]) is int
        span = {"min": min(allowed), "max": max(allowed)} if whole else {}
        options[name] = span | {"default": defaults[name]}
    wrong = differences({"presets": presets, "options": options}, got)
    for name, allowed in values.items():
        listed = got.get("options", {}).get(name, {}).get("values")
        if type(allowed[0]) is not int and sorted(map(str, listed or [])) != sorted(map(str, allowed)):
            wrong.append(f"options.{name}.values should be {allowed}, is {listed}")
    if wrong or set(got["presets"]) != set(presets) or set(got["options"]) != set(options):
        raise Difference(f"the presets: {wrong}", got=got)
