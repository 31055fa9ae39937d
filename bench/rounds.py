"""What a move costs in round 200, beside round 1: statements, bytes, and time.

    python -m bench.rounds                                         on SQLite
    python -m tests.services postgresql -- python -m bench.rounds  on PostgreSQL

Two matches at which every round is like the first take turns, one just begun and one driven that far, at the
door of the API inside this process. Read the ratios: machines are noisy.
"""

import argparse
import os
import statistics

from tests.serving import a_home


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--round", type=int, default=200)
    parser.add_argument("--turns", type=int, default=100, help="rounds compared (default 100)")
    asked = parser.parse_args()
    with a_home() as home:
        limits = dict.fromkeys(("THROTTLE_PLAY", "THROTTLE_GUESTS", "THROTTLE_TABLES"), "1000000/min")
        os.environ |= {**home, **limits, "ALLOWED_HOSTS": "testserver", "LOG_LEVEL": "WARNING"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        compare(asked.round, asked.turns)


def compare(number: int, turns: int) -> None:
    """Print what the kinds of moves cost at the beginning and in this round, and the ratios."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from tests.endless import Cost, Endless
    from tests.people import a_guest

    call_command("migrate", verbosity=0)
    alice = a_guest("Alice")
    late = Endless(alice)
    while late.number < number:
        late.play_round()
    costs: dict[str, list[Cost]] = {"early": [], "late": []}
    early = Endless(alice)
    for turn in range(turns):
        if turn % 5 == 0:
            early = Endless(alice)  # so that it stays in its first rounds
        costs["early"] += early.play_round()
        costs["late"] += late.play_round()
    connection.close()
    print(f"{connection.vendor}: rounds 1 to 5 beside rounds {number} to {late.number - 1}")
    for kind in ("bid", "exact", "next_round"):
        pairs = [[cost for cost in costs[name] if cost.kind == kind] for name in ("early", "late")]
        time_, statements, size = (
            [statistics.median(getattr(cost, name) for cost in some) for some in pairs]
            for name in ("milliseconds", "statements", "size")
        )
        print(
            f"{kind:10} {time_[0]:.2f} -> {time_[1]:.2f} ms ({time_[1] / time_[0]:.2f}); "
            f"{statements[0]:.0f} -> {statements[1]:.0f} statements; "
            f"{size[0]:.0f} -> {size[1]:.0f} bytes ({size[1] / size[0]:.3f})"
        )


if __name__ == "__main__":
    main()
