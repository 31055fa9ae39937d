"""A month of slow tables in seconds: the short form of `python -m tests.faults.month`."""

import random

import pytest

from tests.faults.correspondents import DAY
from tests.faults.grounds import grounds
from tests.faults.month import Plan, run
from tests.faults.summary import summary

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]

DAYS, SECONDS, TABLES = 36, 20, 20
# Beside other tests, on a machine that is busy with them.
PATIENCE_SECONDS = 15.0


def test_every_deadline_of_a_month_fires_once_and_in_time_though_workers_are_killed() -> None:
    with grounds(rate=DAYS * DAY / SECONDS, COMPUTER_THINK_SECONDS="0", THROTTLE_LOOPBACK="off") as ground:
        plan = Plan(
            tables=TABLES,
            days=DAYS,
            seed=random.randrange(10**6),
            patience=PATIENCE_SECONDS,
            kill_every=(5.0, 9.0),
            # The key to an action lasts for a day, which is short here: the web stays, and answers at once.
            rarely=("worker-default",),
        )
        done = run(ground, plan)

    assert done.findings == [], summary(done)
    assert done.verdict.fired > 20, summary(done)
    assert done.faults, summary(done)
    assert done.expired > 0, summary(done)
