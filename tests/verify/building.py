"""Archive documents of random matches, written from the facts of the engine as they happen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from games.computers.registry import CHARACTERS, LEVELS, computer
from games.engine import transition
from games.engine.actions import Act, Action
from games.engine.dice import FairDice, commitment_of
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
from games.engine.state import State
from games.engine.view import SPECTATOR, SeatView, Viewer, view_for
from tests.engine.random_matches import Setting, opened, random_action

Document = dict[str, Any]
Chooser = Callable[[State, Random], Action]

CAST = ("alice", "bob", "carol", "dave", "erin", "frank")
CLOCKS: Mapping[str, Mapping[str, Any]] = {
    "live": {"kind": "live", "pace": "normal"},
    "slow": {"kind": "slow", "turn_seconds": 172800, "bank_seconds": 0},
    "practice": {"kind": "none"},
}


@dataclass
class Scribe:
    """Writes down what happens at one table, version by version."""

    setting: Setting
    rng: Random
    table_id: str = ""
    chain_end: bytes = b""
    seeds: dict[int, str] = field(default_factory=dict)
    events: list[Document] = field(default_factory=list)
    rounds: list[Document] = field(default_factory=list)
    version: int = 0
    status: str = "open"
    number: int = 0
    now: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __post_init__(self) -> None:
        self.table_id = "".join(self.rng.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(16))
        self.chain_end = self.rng.randbytes(32)
        for number in self.setting.numbers:
            seed = self.rng.randbytes(16).hex()
            self.seeds[number] = "" if number in self.setting.computers else seed
        if self.setting.pace == "practice":
            self.seeds = {seat: seed and self.seeds[self.host_seat] for seat, seed in self.seeds.items()}

    @property
    def host_seat(self) -> int:
        return min(set(self.setting.numbers) - set(self.setting.computers), default=-1)

    @property
    def dice(self) -> FairDice:
        seeds = [self.seeds[number] for number in self.setting.numbers]
        return FairDice(table_id=self.table_id, chain_end=self.chain_end, seeds=seeds)

    def later(self) -> str:
        self.now += timedelta(milliseconds=self.rng.randint(500, 25_000))
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def event(self, kind: str, seat: int | None = None, **facts: Any) -> None:
        self.version += 1
        self.events.append(
            {
                "version": self.version,
                "kind": kind,
                "seat": seat,
                "at": self.later(),
                "round": self.number,
                "status": self.status,
                **facts,
            }
        )

    def player(self, number: int) -> Document:
        """Who sits there; on a practice table every person is the owner."""
        owner = self.setting.pace == "practice"
        name = CAST[max(self.host_seat, 0) if owner else number]
        return {"id": f"player-{name}", "name": name.title(), "kind": "guest"}

    def machine(self, number: int) -> Document:
        return {"level": LEVELS[number % 3], "character": list(CHARACTERS)[number]}

    def seat_everybody(self) -> None:
        """People and computers take their seats, and some think better of it first."""
        self.event("created")
        for number in self.setting.numbers:
            if number in self.setting.computers:
                if self.rng.random() < 0.2:
                    self.event("computer", number, level="easy", character="wick")
                    self.event("freed", number, player=None)
                self.event("computer", number, **self.machine(number))
                continue
            if self.rng.random() < 0.2 and self.setting.pace != "practice":
                self.event("sat", number, player=self.player(number))
                kind = self.rng.choice(["stood", "freed"])
                self.event(kind, number, player=self.player(number)["id"])
            self.event("sat", number, player=self.player(number))

    def tell(self, fact: Fact) -> None:
        """Write one fact down as what it is in the document: a bid, a reveal or an event."""
        match fact:
            case BidMade():
                self.version += 1
            case Called(reveal=reveal):
                self.version += 1
                self.rounds.append(dict(reveal))
                self.status = "revealed"
            case MatchStarted(opener=opener, seats=seats):
                self.event("started", opener=opener, seats=list(seats))
                self.status, self.number = "bidding", 1
            case RoundStarted(seat=seat, number=number, opener=opener, palifico=palifico):
                self.event("round", seat, number=number, opener=opener, palifico=palifico)
                self.status, self.number = "bidding", number
            case Pressed(seat=seat):
                self.event("ready", seat)
            case TimedOut(seat=seat, strikes=strikes):
                self.event("strike", seat, strikes=strikes)
            case PersonLeft(seat=seat, why=why, forfeit=forfeit):
                self.event("left", seat, why=why, forfeit=forfeit)
            case PracticeEnded(seat=seat):
                self.event("abandoned", seat)

    def document(self, state: State) -> Document:
        view = view_for(state, SPECTATOR)
        return {
            "format": 1,
            "table": {
                "id": self.table_id,
                "version": self.version,
                "name": "Thursdays",
                "status": view.status,
                "mode": "practice" if self.setting.pace == "practice" else "casual",
                "visibility": "public",
                "rules": view.rules.document(),
                "clock": dict(CLOCKS[self.setting.pace]),
                "commitment": commitment_of(self.chain_end),
                "created_at": self.events[0]["at"],
                "host": self.player(max(self.host_seat, 0))["id"],
                "deadline": None,
                "seats": [self._seat(seat) for seat in view.seats.values()],
                "viewer": view.viewer.document(),
                "round": None,
                "legal": None,
                "reveal": view.reveal,
                "result": view.result.document() if view.result else None,
            },
            "rounds": self.rounds,
            "events": self.events,
        }

    def _seat(self, seat: SeatView) -> Document:
        return {
            "seat": seat.number,
            "player": self._sits(seat.number),
            "dice": seat.dice,
            "place": seat.place,
            "substitute": seat.substitute,
            "ready": seat.ready,
            "bank_seconds": None,
            "client_seed": self.seeds[seat.number],
        }

    def _sits(self, number: int) -> Document:
        if number not in self.setting.computers:
            return self.player(number)
        machine = self.machine(number)
        name = CHARACTERS[machine["character"]]
        return {"id": f"computer-{machine['character']}", "name": name, "kind": "computer", **machine}


def randomly(setting: Setting) -> Chooser:
    """People and computers who do whatever is legal."""
    return lambda state, rng: random_action(state, rng, restless=setting.restless)


def counting(state: State, rng: Random) -> Action:
    """Computers that count the odds on every seat; people press Next round one after another."""
    if state.status == "revealed":
        return random_action(state, rng)
    assert state.turn is not None
    move = computer("normal", "quill").choose(view_for(state, Viewer("player", state.turn)), rng)
    return Act(seat=state.turn, move=move)


def build(setting: Setting, choose: Chooser | None = None) -> Document:
    """The archive of a match played to its end."""
    rng = Random(f"archive {setting.seed}")
    scribe = Scribe(setting, rng)
    scribe.seat_everybody()
    opener = scribe.dice.opener(setting.numbers)
    if setting.rules.first_opener == "host" and scribe.host_seat >= 0:
        opener = scribe.host_seat
    state, facts = transition.start(opened(setting), opener=opener, chance=scribe.dice)
    scribe.tell(facts[0])
    choose = choose or randomly(setting)
    while state.status != "finished":
        action = choose(state, rng)
        state, facts = transition.apply(state, action, at=scribe.later(), chance=scribe.dice)
        for fact in facts:
            scribe.tell(fact)
    return scribe.document(state)
