"""`python -m tests.outside --base http://127.0.0.1:8000 --matches 200 --seed 1`."""

from __future__ import annotations

import argparse
import sys

from tests.outside.run import run


def main() -> int:
    """Read the command line, run, print the summary; 1 where anything differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.outside", description=__doc__)
    parser.add_argument("--base", required=True, help="address of the service, without /api/v1")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--practice", action="store_true", help="practice tables only")
    parser.add_argument("--ranked", choices=["yes", "no"], default="yes", help="no: try no ranked table")
    parser.add_argument("--bots", choices=["yes", "no"], default="yes", help="no: no computers play")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--differences", type=int, default=1, help="stop after so many")
    given = parser.parse_args()

    summary = run(
        given.base,
        given.matches,
        given.seed,
        practice=given.practice,
        ranked=given.ranked == "yes",
        bots=given.bots == "yes",
        workers=given.workers,
        differences=given.differences,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    for report in summary.reports:
        print(report, end="\n\n")
    print(summary)
    return 1 if summary.differences or summary.matches < given.matches else 0


if __name__ == "__main__":
    sys.exit(main())
