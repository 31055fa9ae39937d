"""How strong the computers are: seeded matches with mirrored dice, every deal played from every seat.

    python -m bench.strength levels               the levels against one another
    python -m bench.strength simple               Hard against simple strategies
    python -m bench.strength styles               each character of Hard against plain Hard and Normal
    python -m bench.strength pair hard "call or raise"   one against others of one kind
    python -m bench.strength legal --matches 10000       every move legal, over all options

One sits among others of one kind: with four seats an even share is 25 %. Deals are independent, the matches
of one deal are not: the intervals (95 %) are of deals. Time is CPU time of the one process.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from bench.strength_legal import play_random_matches
from bench.strength_matches import Observed, Share, share_from, wins_of
from bench.strength_players import PLAYERS, SIMPLE
from games.computers.registry import CHARACTERS
from games.engine.rules import Rules

WAYS = ("aces", "wild", "low", "straight", "sum")
SEATS = (2, 3, 4, 6)


@dataclass
class Asked:
    """What was asked for on the command line."""

    matches: int
    seats: Sequence[int]
    ways: Sequence[str]
    observed: Observed = field(default_factory=Observed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["levels", "simple", "styles", "pair", "legal"])
    parser.add_argument("names", nargs="*", help="for `pair`: one, and the others")
    parser.add_argument("--matches", type=int, default=2000, help="for each number of seats, or in all")
    parser.add_argument("--seats", type=int, nargs="+", default=SEATS)
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    arguments = parser.parse_args()
    asked = Asked(arguments.matches, arguments.seats, arguments.ways)
    if arguments.what == "legal":
        print(f"{play_random_matches(arguments.matches)} moves, all of them legal")
        return
    for one, others in pairs_of(arguments.what, arguments.names):
        compare(one, others, asked)
    print(*told_of(asked.observed), sep="\n")


def pairs_of(what: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Who is to play whom."""
    if what == "levels":
        return [("hard", "normal"), ("normal", "easy"), ("hard", "easy")]
    if what == "simple":
        return [("hard", name) for name in SIMPLE]
    if what == "styles":
        return [(f"hard {key}", others) for key in CHARACTERS for others in ("hard", "normal")]
    one, others = names
    return [(one, others)]


def compare(one: str, others: str, asked: Asked) -> None:
    """Print a line for each number of seats: the share that one wins in all, and under each way of ones."""
    for seats in asked.seats:
        every: list[float] = []
        of_ways: list[tuple[str, Share]] = []
        for way in asked.ways:
            deals = max(1, round(asked.matches / len(asked.ways) / seats))
            wins = wins_of(
                rules_of(seats, way),
                PLAYERS[one],
                PLAYERS[others],
                deals=_deals(f"{seats} {way}", deals),
                observed=asked.observed if one.startswith("hard") else None,
            )
            every += wins
            of_ways.append((way, share_from(wins, seats)))
        whole = share_from(every, seats)
        told = ", ".join(f"{way} {share}" for way, share in of_ways)
        print(
            f"{one} among {others}, {seats} seats: {whole} of {whole.matches}, "
            f"even {100 / seats:.1f} % ({told})",
            flush=True,
        )


def rules_of(seats: int, way: str) -> Rules:
    """The default options, but for how ones are treated."""
    if way == "sum":
        return Rules(seats=seats, bidding="sum", ones="straight")
    return Rules(seats=seats, ones=way)  # type: ignore[arg-type]  # one of WAYS


def told_of(observed: Observed) -> Iterator[str]:
    """Time for each move of Hard, and how often what it thought likely was so."""
    if not observed.seconds:
        return
    for least in (2, 21):
        times = sorted(took for dice, took in observed.seconds if dice >= least)
        if times:
            p99 = times[int(0.99 * len(times))]
            yield (
                f"Hard, {least} dice in play or more: median {1000 * median(times):.1f} ms, "
                f"p99 {1000 * p99:.1f} ms, of {len(times)} moves"
            )
    yield "that the standing bid is true: thought, was (how many)"
    for tenth in range(10):
        found = [(thought, was) for thought, was in observed.beliefs if min(9, int(10 * thought)) == tenth]
        if found:
            thought, was = (sum(column) / len(found) for column in zip(*found, strict=True))
            yield f"  {thought:.3f} {was:.3f} ({len(found)})"


def _deals(name: str, most: int) -> Iterator[str]:
    return (f"{name} {number}" for number in range(most))


if __name__ == "__main__":
    main()
