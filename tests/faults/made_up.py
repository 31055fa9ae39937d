"""A history that never happened, with everything as it should be, for faults to be planted in."""

from __future__ import annotations

import random
from typing import Any

from tests.faults.rows import Event, Rows, Seat, TableRows
from tests.faults.times import Clock, Stretch
from tests.faults.told import Attempt, Opening, Sight, Told
from tests.model import rulebook
from tests.model.match import Match
from tests.model.views import with_text_keys

TURN, BANK = 3600, 600
PEOPLE = {0: "alice", 1: "bob", 2: "carol"}


class Author:
    """Writes one match of three people on a slow clock, as the rows and the clients would have it."""

    def __init__(self, seed: int = 1) -> None:
        self.rng, self.now = random.Random(seed), 10_000_000.0
        rules = rulebook.options(rules={"seats": 3})
        seats = [Seat(number=n, player=who, computer=False, dice=5, strikes=0, left=None, bank=BANK * 1000)
                 for n, who in PEOPLE.items()]  # fmt: skip
        clock = {"kind": "slow", "turn_seconds": TURN, "bank_seconds": BANK}
        self.rows = TableRows(id="table", host="alice", version=0, status="open", mode="casual", rules=rules,
                              clock=clock, turn=None, due_at=None, computer_due_at=None, result=None,
                              seats=seats, events=[], hands={})  # fmt: skip
        self.told = Told(openings={"key": Opening(player="alice", key="key", table="table")})
        self.banks = dict.fromkeys(PEOPLE, float(BANK))
        self.began = self.now
        self._begin()

    def _begin(self) -> None:
        for kind in ("created", "sat", "sat", "sat"):
            self._event(kind, None)
        self._event("started", None, facts={"opener": 0, "seats": [0, 1, 2]})
        self.match = Match(self.rows.rules, PEOPLE, opener=0)
        self._deal()

    def plays(self, moves: int) -> None:
        """Let people make so many moves; now and then time does it for them."""
        for _ in range(moves):
            if self.match.status == "finished":
                return
            if self.rng.random() < 0.06:
                self._time_runs_out()
            else:
                self._somebody_acts()
            self._look_round()

    def leaves(self, seat: int, *, asked: bool) -> None:
        """Let somebody leave, by their own wish or not."""
        self.now += 5
        if asked:
            self._sends(seat, {"type": "leave"}, 1)
        self.match.leave(seat)
        self._event("left", seat, facts={"why": "leave", "forfeit": seat in self.match.forfeited})
        self._look_round()

    def done(self) -> tuple[Rows, Told]:
        """The rows and what was told, as they are in the end."""
        rows, match = self.rows, self.match
        rows.status, rows.turn = match.status, match.turn if match.status == "bidding" else None
        rows.result = with_text_keys(match.result)
        for seat in rows.seats:
            seat.dice, seat.strikes = match.dice[seat.number], match.strikes.get(seat.number, 0)
        if match.status != "finished":
            bank = self.banks[match.turn] if match.status == "bidding" else 0.0
            rows.due_at = self.began + TURN + bank
        if match.status == "bidding" and match.by_computer(match.turn):
            rows.computer_due_at = self.now + 1
        return Rows(read_at=self.now + 1, tables={rows.id: rows}, notices=[]), self.told

    # what happens

    def _somebody_acts(self) -> None:
        match = self.match
        self.now += self.rng.uniform(1, 50)
        if match.status == "revealed":
            seat = next(seat for seat in match.pressers() if seat not in match.ready)
            self._sends(seat, {"type": "next_round"}, 1)
            match.next_round(seat)
            return self._round(seat) if match.status == "bidding" else self._event("ready", seat)
        seat, by_person = match.turn, not match.by_computer(match.turn)
        action = self._choice()
        if by_person:
            self._sends(seat, action, 1)
        return self._does(seat, action)

    def _time_runs_out(self) -> None:
        match = self.match
        if match.status == "revealed":
            self.now = self.began + TURN + 0.5
            match.reveal_over()
            return self._round(None)
        if match.by_computer(match.turn):
            return self._somebody_acts()
        seat = match.turn
        self.now = self.began + TURN + self.banks[seat] + 0.5
        self.banks[seat] = 0.0
        match.timeout()
        self._event("strike", seat, facts={"strikes": match.strikes[seat]})
        if seat in match.left:
            self._event("left", seat, facts={"why": "strikes", "forfeit": seat in match.forfeited})
        if match.status == "bidding":
            self._does(seat, self._choice(), auto=seat not in match.left)
        return None

    def _does(self, seat: int, action: dict[str, Any], *, auto: bool = False) -> None:
        match, number = self.match, self.match.round
        bid = {name: each for name, each in action.items() if name != "type"}
        if action["type"] == "bid":
            match.bid(seat, bid, auto=auto)
            self._event("bid", seat, bid=bid)
            return
        dealt = {s: list(hand) for (n, s), hand in self.rows.hands.items() if n == number}
        reveal = match.call(seat, action["type"], dealt, auto=auto)
        self._event(action["type"], seat, facts=with_text_keys(reveal), number=number)
        if match.status == "bidding":
            self._round(None)

    def _round(self, seat: int | None) -> None:
        match = self.match
        facts = {"number": match.round, "opener": match.opener, "palifico": match.palifico}
        self._event("round", seat, facts=facts)
        self._deal()

    def _deal(self) -> None:
        for seat in self.match.still_in():
            hand = tuple(self.rng.randint(1, 6) for _ in range(self.match.dice[seat]))
            self.rows.hands[self.match.round, seat] = hand

    def _choice(self) -> dict[str, Any]:
        ranges = self.match.ranges()
        if self.match.bids and (not ranges or self.rng.random() < 0.3):
            return {"type": "liar"}
        face = self.rng.choice(sorted(ranges))
        return {"type": "bid", "quantity": ranges[face][0], "face": int(face)}

    # how it is kept and told

    def _event(self, kind: str, seat: int | None, *, bid: dict[str, int] | None = None,
               facts: dict[str, Any] | None = None, number: int | None = None) -> None:  # fmt: skip
        self.rows.version += 1
        number = number if number is not None else self.match.round if hasattr(self, "match") else 0
        self.rows.events.append(
            Event(
                version=self.rows.version,
                kind=kind,
                seat=seat,
                at=self.now,
                number=number,
                bid=bid,
                facts=facts or {},
            )
        )
        if kind in ("started", "bid", "liar", "exact", "round"):
            self.began = self.now

    def _sends(self, seat: int, action: dict[str, Any], versions: int) -> None:
        attempt = Attempt(table="table", player=PEOPLE[seat], seat=seat, action=action,
                          answers=self.rows.version, sent=self.now - 0.2, key=f"key {self.rows.version}",
                          answered=self.now + 0.2, status=200, told=self.rows.version + versions)  # fmt: skip
        self.told.tried(attempt)

    def _look_round(self) -> None:
        match, version = self.match, self.rows.version
        reveal = match.reveals[-1] if match.reveals else None
        for seat, who in [*PEOPLE.items(), (None, None)]:
            sees = (
                seat is not None and match.status == "bidding" and seat not in match.left and match.dice[seat]
            )
            self.told.saw(
                Sight(
                    table="table",
                    viewer=who,
                    by="view",
                    asked=self.now + 0.3,
                    seen=self.now + 0.4,
                    version=version,
                    status=match.status,
                    seat=seat,
                    number=match.round if match.status == "bidding" else None,
                    hand=self.rows.hands[match.round, seat] if sees else None,  # type: ignore[index]
                    reveal=reveal["number"] if reveal else None,
                    shown={s: tuple(h) for s, h in reveal["hands"].items()} if reveal else {},
                )
            )
        self.told.saw(Sight(table="table", viewer="bob", by="stream 1", asked=0.0, seen=self.now + 0.3,
                            version=version))  # fmt: skip


def a_clock() -> Clock:
    """A clock that shows the real time."""
    return Clock([Stretch(0.0, 0.0, 1.0)])
