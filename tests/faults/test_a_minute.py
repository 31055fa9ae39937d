"""A minute of faults: the short form of `python -m tests.faults`."""

import random

import pytest

from tests.faults.driver import run
from tests.faults.grounds import grounds
from tests.faults.summary import summary

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]

# Beside other tests, on a machine that is busy with them.
PATIENCE_SECONDS = 15.0


def test_nothing_is_lost_doubled_early_or_leaked_while_parts_of_a_site_die() -> None:
    with grounds() as ground:
        done = run(ground, seconds=30, seed=random.randrange(10**6), patience=PATIENCE_SECONDS)

    assert done.findings == [], summary(done)
    # How much of it fits into the time is the machine's matter.
    assert len(done.faults) >= 3, summary(done)
    assert done.told.moves_acknowledged > 30, summary(done)
