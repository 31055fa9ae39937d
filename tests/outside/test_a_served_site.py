"""The outside program against the real thing: random whole matches over HTTP, without one difference."""

import pytest

from tests.outside.run import run
from tests.serving import a_home, serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("outside")]


def test_random_matches_over_http_agree_with_the_model() -> None:
    with a_home() as home, serving(home, THROTTLE_LOOPBACK="off", COMPUTER_THINK_SECONDS="0.02") as served:
        summary = run(served.address, matches=14, seed=7)

    assert summary.reports == []
    assert summary.matches == 14
