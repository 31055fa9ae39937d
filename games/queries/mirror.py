"""A player's mirror: how their bids and calls went over all finished matches, added up from small counts.

It follows from what was revealed to everybody. A match whose last cups its reader has not lifted yet is left
out, so that no number tells its end.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from games.analysis.mirror import TENTHS
from games.models import Mirrored
from games.queries.people import told_to


@dataclass(slots=True)
class Tally:
    """How many there were, how many came true or were right, and what their chances came to."""

    number: int = 0
    good: int = 0
    chances: float = 0.0

    def add(self, number: int, good: int, chances: float) -> None:
        self.number += number
        self.good += good
        self.chances += chances

    @property
    def share(self) -> float:
        """How many of them came true; 0 where there were none."""
        return self.good / self.number if self.number else 0.0

    @property
    def expected(self) -> float:
        """How many should have come true, from the player's own dice."""
        return self.chances / self.number if self.number else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """What a player's finished matches say of how they bid and call."""

    matches: int
    bids: Tally
    by_tenth: tuple[Tally, ...]  # of bids, from the boldest
    liar: Tally
    exact: Tally
    calls_by_tenth: tuple[Tally, ...]  # of liar, by how likely it was to be right
    by_dice: dict[int, tuple[Tally, Tally]] = field(default_factory=dict)  # bids, calls
    by_players: dict[int, tuple[Tally, Tally]] = field(default_factory=dict)


def mirror_of(player_id: str, *, viewer_id: str | None) -> Mirror:
    """The mirror of a player as this viewer may see it, in one statement however many matches there are."""
    rows = Mirrored.objects.filter(told_to(viewer_id), player_id=player_id)
    return _added_up(list(rows.values_list("counts", flat=True)))


def _added_up(matches: Sequence[dict[str, list[float]]]) -> Mirror:
    kinds: dict[str, Tally] = defaultdict(Tally)
    tenths: dict[tuple[str, int], Tally] = defaultdict(Tally)
    dice: dict[int, tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    players: dict[int, tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    for counts in matches:
        for where, (many, good, chances) in counts.items():
            kind, tenth, held, seats = where.split()
            call = 0 if kind == "bid" else 1
            for tally in (
                kinds[kind],
                tenths[kind, int(tenth)],
                dice[int(held)][call],
                players[int(seats)][call],
            ):
                tally.add(int(many), int(good), chances)
    return Mirror(
        matches=len(matches),
        bids=kinds["bid"],
        by_tenth=tuple(tenths["bid", tenth] for tenth in range(TENTHS)),
        liar=kinds["liar"],
        exact=kinds["exact"],
        calls_by_tenth=tuple(tenths["liar", tenth] for tenth in range(TENTHS)),
        by_dice=dict(sorted(dice.items())),
        by_players=dict(sorted(players.items())),
    )
