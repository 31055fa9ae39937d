"""A stand-in service made from the model, so that the program can be tried without the real one.

It keeps everything in memory and is honest, except for the faults that a test asks it to have.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.model import bidding, fair_dice
from tests.model.match import Match, Refused, host_opener
from tests.model.views import OWNER, SPECTATOR, Viewer, expected_view
from tests.outside.plan import REVEAL_SECONDS, TURN_SECONDS

ROUNDS = 120  # secrets of one table; a match of the program is shorter


class No(Exception):
    """A refusal, as the contract has it."""

    def __init__(self, status: int, code: str, **more: Any) -> None:
        super().__init__(code)
        self.status, self.body = status, {"code": code, "message": f"No: {code}."} | more


def now() -> str:
    """The time as the contract writes it."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


class Table:
    """One table with its people and, once it has started, its match."""

    def __init__(self, number: int, host: dict[str, Any], asked: dict[str, Any], faults: set[str]) -> None:
        self.id, self.host, self.faults = f"t{number}", host, faults
        self.rules, self.clock, self.mode = asked["rules"], asked["clock"], asked["mode"]
        self.visibility, self.name = asked["visibility"], asked["name"]
        self.created_at, self.version, self.match = now(), 1, None
        self.chairs: dict[int, dict[str, Any] | None] = dict.fromkeys(range(self.rules["seats"]))
        self.seeds: dict[int, str] = {}
        self.invites: set[str] = set()
        self.secrets = self._chain()
        self.bid_times: list[str] = []
        self.began = now()
        self.reveals: list[dict[str, Any]] = []
        self.reveal_version = 0
        self.rng = Random(number)
        self.ticked = datetime.now(UTC)

    match: Match | None

    def _chain(self) -> list[str]:
        chain = [secrets.token_hex(32)]
        while len(chain) <= ROUNDS:
            chain.append(hashlib.sha256(bytes.fromhex(chain[-1])).hexdigest())
        return chain[::-1]

    @property
    def playing(self) -> Match:
        """The match, or the refusal that there is none."""
        if self.match is None:
            raise No(422, "not_started")
        return self.match

    # before the start

    def sit(self, seat: int, player: dict[str, Any], seed: str) -> None:
        """Put somebody on a free seat, and start where it was the last one."""
        self.chairs[seat], self.seeds[seat] = player, seed
        self.version += 1
        if all(self.chairs.values()):
            self.start()

    def stand(self, seat: int) -> None:
        """Free a seat."""
        self.chairs[seat] = None
        self.seeds.pop(seat)
        self.version += 1

    def free(self) -> list[int]:
        """The seats nobody has taken."""
        return [seat for seat, player in self.chairs.items() if player is None]

    def start(self) -> None:
        """Drop the empty seats and deal."""
        self.chairs = {seat: player for seat, player in self.chairs.items() if player}
        seeds = [self.seeds[seat] for seat in self.chairs]
        opener = host_opener(self.rules, [s for s in self.chairs if self.chairs[s] == self.host])
        if opener is None:
            opener = fair_dice.drawn_opener(self.id, list(self.chairs), self.secrets[1], seeds)
        computers = [seat for seat, player in self.chairs.items() if player and player["kind"] == "computer"]
        self.match = Match(
            self.rules, self.chairs, opener=opener, computers=computers, clock=self.clock["kind"],
            practice=self.mode == "practice",
        )  # fmt: skip
        self.version += 1
        self.reveal_version, self.began = self.version, now()
        self._deal()

    # the match

    def _deal(self) -> None:
        match, seeds = self.playing, [self.seeds[seat] for seat in self.chairs]
        number = match.round + ("dice" in self.faults and match.round > 1)
        for seat in match.still_in():
            roll = fair_dice.roll(self.id, number, seat, match.dice[seat], self.secrets[match.round], seeds)
            match.hands[seat] = roll

    def act(self, seat: int, body: dict[str, Any]) -> None:
        """Do one action of a seat, or refuse it."""
        match, number = self.playing, self.playing.round
        kind = body["type"]
        try:
            if kind == "bid":
                match.bid(seat, {key: body[key] for key in ("quantity", "face", "total") if key in body})
                self.bid_times.append(now())
            elif kind == "next_round":
                if not match.next_round(seat) and "press" not in self.faults:
                    return
            elif kind in ("liar", "exact"):
                match.call(seat, kind)
                self._revealed(number)
            else:
                raise No(400, "malformed")
        except Refused as refusal:
            raise No(422, "illegal", why=str(refusal)) from refusal
        self._went_on(number)

    def _revealed(self, number: int) -> None:
        at, record = now(), self.playing.reveals[-1]
        bids = [b | {"at": t} for b, t in zip(record["bids"], self.bid_times, strict=True)]
        secret = self.secrets[number] if "chain" not in self.faults else secrets.token_hex(32)
        more = {"bids": bids, "call": record["call"] | {"at": at}, "secret": secret, "at": at}
        self.reveals.append(record | more)
        self.bid_times = []
        self.reveal_version = self.version + 1

    def _went_on(self, number: int) -> None:
        self.version += 1
        if self.match and self.match.status == "bidding" and self.match.round != number:
            self.began = now()
            self._deal()

    def leave(self, seat: int) -> None:
        """A person goes."""
        number = self.playing.round
        if self.playing.leave(seat):
            self._went_on(number)

    def tick(self) -> None:
        """Let a computer move whose turn it is, a moment after the last move."""
        match = self.match
        moment = datetime.now(UTC)
        if match is None or match.status != "bidding" or not match.by_computer(match.turn):
            return
        if moment - self.ticked < timedelta(milliseconds=3):
            return
        self.ticked = moment
        bids = bidding.legal_bids(match.rules, match.standing(), match.dice_in_play(), match.palifico)
        if match.bids and (not bids or self.rng.random() < 0.4):
            self.act(match.turn, {"type": "liar"})
        else:
            self.act(match.turn, {"type": "bid"} | self.rng.choice(bids[: len(bids) // 3 + 1]))

    # what is seen

    def seats_of(self, player: dict[str, Any] | None) -> list[int]:
        """Where somebody sits (and has not left)."""
        left = self.match.left if self.match else []
        return [s for s, sitter in self.chairs.items() if sitter and sitter == player and s not in left]

    def view(self, viewer: dict[str, Any] | None, through: int | None = None) -> dict[str, Any]:
        """The view of one viewer."""
        mine = self.seats_of(viewer)
        role, seat = ("player", mine[0]) if mine else ("spectator", None)
        looks: Viewer = SPECTATOR if seat is None else seat
        if self.mode == "practice" and viewer == self.host:
            role, seat, looks = "owner", through, OWNER if through is None else through
        if "hand" in self.faults and looks == SPECTATOR and self.match:
            looks = self.match.still_in()[0]
        parts = self._started(looks) if self.match else self._open(viewer)
        fields = ("id", "version", "name", "mode", "visibility", "rules", "clock", "created_at")
        whole: dict[str, Any] = {field: getattr(self, field) for field in fields} | parts
        whole |= {"commitment": self.secrets[0], "host": self.host["id"], "deadline": self._deadline()}
        return whole | {"viewer": {"role": role, "seat": seat}}

    def _open(self, viewer: dict[str, Any] | None) -> dict[str, Any]:
        seats = []
        for seat, player in self.chairs.items():
            shown = {"seat": seat, "dice": self.rules["starting_dice"], "place": None, "substitute": False}
            seed = self.seeds.get(seat) if player and player == viewer else None
            bank = self.clock.get("bank_seconds")
            seats.append(
                shown | {"ready": False, "player": player, "client_seed": seed, "bank_seconds": bank}
            )
        return {"status": "open", "seats": seats} | dict.fromkeys(["round", "legal", "reveal", "result"])

    def _started(self, looks: Viewer) -> dict[str, Any]:
        match = self.playing
        parts = expected_view(match, looks)
        for seat in parts["seats"]:
            bank = self.clock.get("bank_seconds") if seat["seat"] not in match.computers else None
            player, seed = self.chairs[seat["seat"]], self.seeds[seat["seat"]]
            seat |= {"player": player, "client_seed": seed, "bank_seconds": bank}
            if "place" in self.faults and seat["place"] == 3:
                seat["place"] = 2
        if parts["round"]:
            timed = zip(parts["round"]["bids"], self.bid_times, strict=True)
            parts["round"]["bids"] = [bid | {"at": at} for bid, at in timed]
        if parts["reveal"]:
            parts["reveal"] = self.reveals[-1]
        if parts["legal"] and "legal" in self.faults and parts["legal"]["bids"].get("6"):
            parts["legal"]["bids"]["6"][0] += 1
        return parts

    def _deadline(self) -> str | None:
        if self.match is None or self.match.status == "finished" or self.clock["kind"] == "none":
            return None
        live, bank = self.clock["kind"] == "live", self.clock.get("bank_seconds", 0)
        turn = TURN_SECONDS[self.clock["pace"]] if live else self.clock["turn_seconds"]
        if self.match.status == "revealed":
            seconds, since = (REVEAL_SECONDS[self.clock["pace"]] if live else turn), self.reveals[-1]["at"]
        else:
            seconds, since = turn + bank, self.bid_times[-1] if self.bid_times else self.began
        ends = datetime.fromisoformat(since.replace("Z", "+00:00")) + timedelta(seconds=seconds)
        return ends.isoformat().replace("+00:00", "Z")

    def summary(self, viewer: dict[str, Any] | None) -> dict[str, Any]:
        """The table as the lists have it."""
        view = self.view(viewer)
        fields = ("id", "name", "status", "mode", "visibility", "rules", "clock", "seats", "deadline")
        number = self.match.round if self.match else None
        turn = view["round"]["turn"] if view["round"] else None
        more: dict[str, Any] = {"round_number": number, "turn": turn, "updated_at": now()}
        if "list" in self.faults and self.match and self.match.hands:
            more["last_roll"] = next(iter(self.match.hands.values()))
        return {field: view[field] for field in fields} | more

    def waits_for(self, player: dict[str, Any]) -> bool:
        """Is it this person's move, or round to start?"""
        match = self.match
        if match is None or match.status == "finished":
            return False
        due = [match.turn] if match.status == "bidding" else match.pressers()
        return any(seat in due and seat not in match.ready for seat in self.seats_of(player))


LOCK = threading.RLock()
