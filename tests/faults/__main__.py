"""`python -m tests.faults --minutes 15 --seed 1`: people play on a real site while its parts die."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile

from tests.faults.driver import run
from tests.faults.grounds import grounds
from tests.faults.summary import summary


def main() -> int:
    """Read the command line, run, print the summary; 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument(
        "--patience", type=float, default=5.0, help="seconds a deadline may be late by itself"
    )
    parser.add_argument("--log", help="a file for what the site prints")
    given = parser.parse_args()

    print(f"seed {given.seed}", file=sys.stderr, flush=True)
    with tempfile.TemporaryFile("w+") as errors, grounds(log=errors, LOG_LEVEL="WARNING") as ground:
        done = run(
            ground,
            seconds=60 * given.minutes,
            seed=given.seed,
            patience=given.patience,
            say=lambda words: print(words, file=sys.stderr, flush=True),
        )
        print(summary(done), flush=True)
        if given.log:
            with open(given.log, "w") as file:
                errors.seek(0)
                file.writelines([*ground.site.printed, errors.read()])
    return 1 if done.findings else 0


if __name__ == "__main__":
    sys.exit(main())
