"""What table to try next: random options, clock, company and the request that asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.model.rulebook import PRESETS, every_sensible_combination, options

COMBINATIONS = every_sensible_combination()
SEATS = [2, 2, 2, 3, 3, 3, 4, 4, 5, 6]
DICE = [1, 1, 2, 2, 2, 3, 3, 4, 5]
LEVELS = ["easy", "normal", "hard"]
SEEDS = [
    "",
    "a",
    "Grüße",
    "骰子 🎲",
    " space ",
    "0123456789abcdef0123456789abcdef",
    "x" * 64,
    "🎲" * 64,
    "e\u0301",
]

TURN_SECONDS = {"normal": 30, "relaxed": 60, "quick": 15}
REVEAL_SECONDS = {"normal": 9.0, "relaxed": 18.0, "quick": 4.5}


@dataclass
class Plan:
    """One table to be made, and how it is to be filled."""

    rules: dict[str, Any]
    mode: str
    clock: dict[str, Any]
    visibility: str
    sit: bool
    computers: list[str]
    client_seed: str | None
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def practice(self) -> bool:
        """Is it one person's practice table?"""
        return self.mode == "practice"

    def turn_seconds(self) -> int | None:
        """The time of one turn, or None without limit."""
        if self.clock["kind"] == "live":
            return TURN_SECONDS[self.clock["pace"]]
        return int(self.clock["turn_seconds"]) if self.clock["kind"] == "slow" else None

    def reveal_seconds(self) -> float | None:
        """The time for looking at a reveal, or None without limit."""
        if self.clock["kind"] == "live":
            return REVEAL_SECONDS[self.clock["pace"]]
        return self.turn_seconds()


def a_seed(rng: Random) -> str | None:
    """A client seed to sit down with, or none."""
    return rng.choice([None, *SEEDS, f"{rng.getrandbits(128):032x}"])


def a_plan(rng: Random, *, practice: bool, bots: bool = True) -> Plan:
    """Draw a table; `practice` says whether it is a practice table."""
    asked, rules = _options(rng)
    clock_asked, clock = _clock(rng, practice)
    sit = practice or rng.random() < 0.8
    computers = _computers(rng, rules["seats"], sit, practice) if bots else []
    visibility = rng.choice(["public", "public", "unlisted", "private"])
    plan = Plan(rules, "practice" if practice else "casual", clock, visibility, sit, computers, None)
    plan.client_seed = a_seed(rng) if sit else None

    body = asked | clock_asked
    if practice or rng.random() < 0.3:
        body["mode"] = plan.mode
    if visibility != "public" or rng.random() < 0.3:
        body["visibility"] = visibility
    if computers or rng.random() < 0.1:
        body["computers"] = [{"level": level} for level in computers]
    if plan.client_seed is not None:
        body["client_seed"] = plan.client_seed
    if not sit or rng.random() < 0.2:
        body["sit"] = sit
    if rng.random() < 0.7:
        body["name"] = rng.choice(["A table", "Stammtisch am Fluß", "ピンゾロ", "x"])
    if rng.random() < 0.2:
        body["a field of tomorrow"] = {"is": ["ignored"]}
    plan.body = body
    return plan


def _options(rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    target = dict(rng.choice(COMBINATIONS)) | {"seats": rng.choice(SEATS), "starting_dice": rng.choice(DICE)}
    share = rng.choice([0.0, 0.4, 1.0])
    named = {name: value for name, value in target.items() if rng.random() < share}
    named |= {"seats": target["seats"], "starting_dice": target["starting_dice"]}
    preset = rng.choice([None, *PRESETS])
    asked = {"rules": named} | ({"preset": preset} if preset else {})
    return asked, options(preset or "standard", named)


def _clock(rng: Random, practice: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The clock as asked for (perhaps not at all), and the one that must come of it."""
    if practice:
        return ({} if rng.random() < 0.7 else {"clock": {"kind": "none"}}), {"kind": "none"}
    turn, bank = rng.choice([3600, 86400, 1209600, 7201]), rng.choice([0, 1, 2592000, 86400])
    clock = rng.choice(
        [
            None,
            {"kind": "none"},
            {"kind": "live", "pace": "normal"},
            {"kind": "live", "pace": "relaxed"},
            {"kind": "slow", "turn_seconds": turn},
            {"kind": "slow", "turn_seconds": turn, "bank_seconds": bank},
        ]
    )
    if clock is None:
        return {}, {"kind": "slow", "turn_seconds": 172800}
    return {"clock": clock}, clock


def _computers(rng: Random, seats: int, sit: bool, practice: bool) -> list[str]:
    if rng.random() < (0.4 if practice else 0.75):
        return []
    places = seats - 1 if sit else seats
    number = rng.randint(1, places) if sit or rng.random() < 0.3 else rng.randint(0, places - 1)
    return [rng.choice(LEVELS) for _ in range(number)]
