"""What a match says of how a player bids and calls, as small counts that can be added up over matches.

A bid is held against what lay under the cups, a call against what it brought, each beside the chance that it
had as the player could count it from their own dice.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from games.engine.moves import amount_of, bid_from, count_matching
from games.engine.rules import Rules

Document: TypeAlias = Mapping[str, Any]
Counts: TypeAlias = dict[str, list[Any]]
"""By `kind tenth dice players`: how many there were, how many came true, and the sum of their chances."""

TENTHS = 10


def key(kind: str, chance: float, dice: int, players: int) -> str:
    """Where something of this chance is counted; kind is bid, liar or exact."""
    return f"{kind} {min(int(chance * TENTHS), TENTHS - 1)} {dice} {players}"


def added(
    so_far: Mapping[str, Counts],
    rules: Rules,
    reveal: Document,
    decisions: Sequence[Document],
    own: Iterable[int],
) -> dict[str, Counts]:
    """The counts of every seat with those of one more round."""
    counts = {seat: dict(of_seat) for seat, of_seat in so_far.items()}
    for move in own:
        decision = decisions[move - 1]
        seat = str(decision["seat"])
        kind, chance, good = _outcome(rules, reveal, decision, move)
        where = key(kind, chance, len(reveal["hands"][seat]), len(reveal["hands"]))
        number, came_true, sum_of = counts.setdefault(seat, {}).get(where, (0, 0, 0.0))
        counts[seat][where] = [number + 1, came_true + good, round(sum_of + chance, 4)]
    return counts


def _outcome(rules: Rules, reveal: Document, decision: Document, move: int) -> tuple[str, float, bool]:
    """Of a bid: how likely it was, and whether it was true. Of a call: the same of its being right."""
    called = decision["move"].get("call")
    if called is not None:
        chance = 1 - decision["true"] if called == "liar" else decision["exactly"]
        return called, chance, bool(reveal["right"])
    bid = bid_from(reveal["bids"][move - 1])
    there = count_matching(rules, bid, reveal["hands"].values(), palifico=reveal["palifico"])
    return "bid", decision["true"], there >= amount_of(bid)
