"""What the pages of the guide reckon out: comparisons, tables of chances, the sample of the fair dice."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from games.clocks import PACES
from games.computers.odds import chance_of_exactly, expected_of, matching_faces
from games.engine.moves import Bid, count_matching, lowest_of_face
from games.engine.rules import PRESETS, Rules, rules_from
from games.engine.words import quantity_words
from games.web import chances
from games.web.examples import FIVE_THREES
from games.web.odds import figure

SAMPLE = Path(__file__).parents[1] / "static" / "games" / "sample-match.json"

_WAYS = {
    "aces": "Aces",
    "wild": "Always wild",
    "low": "Wild and low",
    "straight": "Plain",
}
_PRESET_WORDS = {
    "standard": "The usual game: ones are aces, and spot on costs everyone else a die.",
    "classic": "The same without spot on.",
    "wild": "Ones are wild and are never bid; no spot on.",
    "straight": "Ones are plain, nothing is wild; no spot on.",
    "low-ones": "Ones are wild, and the lowest face one can bid; no spot on.",
    "calza": "Aces may open a round, spot on wins a die back, and the host opens the match.",
    "sum": "Bids on the total of all pips; spot on wins a die back, and the host opens the match.",
}


def of_rules() -> dict[str, Any]:
    """The clocks and the ready-made tables."""
    return {
        "paces": [
            {"name": pace.title(), "turn": _seconds(turn), "look": _seconds(look)}
            for pace, (turn, look) in PACES.items()
        ],
        "presets": [
            {"name": name, "words": _PRESET_WORDS[name], "rules": rules_from(name, {}).document()}
            for name in PRESETS
        ],
    }


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g} s"


@cache
def of_ones() -> dict[str, Any]:
    """The four ways of ones, compared by what the engine says of each."""
    return {"ways": [_way(Rules(ones=ones), title) for ones, title in _WAYS.items()]}  # type: ignore[arg-type]


def _way(rules: Rules, title: str) -> dict[str, Any]:
    hands = [[int(die) for die in hand] for hand in FIVE_THREES]
    fives = Bid(quantity=4, face=5)
    return {
        "key": rules.ones,
        "title": title,
        "opens": _lowest(rules, 1, None),
        "to_ones": _lowest(rules, 1, Bid(quantity=7, face=4)),
        "from_ones": _lowest(rules, 4, Bid(quantity=3, face=1)) if rules.ones != "wild" else None,
        "threes": count_matching(rules, Bid(quantity=5, face=3), hands, palifico=False),
        "expected": f"{expected_of(rules, fives, 20, palifico=False):.1f}",
        "share": "a third" if matching_faces(rules, fives, palifico=False) == chances.WILD else "a sixth",
    }


def _lowest(rules: Rules, face: int, standing: Bid | None) -> str | None:
    lowest = lowest_of_face(rules, face, palifico=False, standing=standing)
    return None if lowest is None else quantity_words(lowest, face)


@cache
def of_odds() -> dict[str, Any]:
    """The tables and pictures of chances."""
    return {
        "wild_columns": range(1, 13),
        "wild_table": chances.at_least(chances.WILD, 12),
        "plain_columns": range(1, 9),
        "plain_table": chances.at_least(chances.PLAIN, 8),
        "likeliest": chances.likeliest(),
        "totals": chances.totals(),
        "reached": [
            {"figure": figure(chance), "step": min(4, int(chance * 5))} for chance in chances.REACHED
        ],
        "wild_bars": chances.bars_of_faces(19, chances.WILD, needed=5),
        "plain_bars": chances.bars_of_faces(19, chances.PLAIN, needed=3),
        "total_bars": chances.bars_of_sums(8, needed=28),
    }


def of_strategy() -> dict[str, Any]:
    """How often the likeliest number of fifteen dice is met exactly."""
    return {"exactly": figure(chance_of_exactly(15, 5, chances.WILD))}


@cache
def of_fair_dice() -> dict[str, Any]:
    """The sample match, and its first hand as one would roll it on paper."""
    match = json.loads(SAMPLE.read_text())
    printed = [f"Round {round['number']} is fair: {round['hands']}" for round in match["rounds"]]
    return {"first": _by_hand(match), "printed": printed}


def _by_hand(match: Mapping[str, Any]) -> dict[str, Any]:
    round = match["rounds"][0]
    seeds = "|".join(seat["client_seed"] for seat in match["table"]["seats"])
    message = f"{match['table']['id']}|1|0|0|{seeds}"
    block = hmac.digest(bytes.fromhex(round["secret"]), message.encode(), "sha256")
    return {
        "secret": round["secret"],
        "hash": hashlib.sha256(bytes.fromhex(round["secret"])).hexdigest(),
        "seeds": seeds,
        "message": message,
        "block": block.hex(),
        "hand": round["hands"]["0"],
        "bytes": [
            {
                "hex": f"{byte:02x}",
                "byte": byte,
                "rest": byte % 6,
                "die": byte % 6 + 1 if byte < 252 else None,
            }
            for byte in block[: len(round["hands"]["0"])]
        ],
    }
