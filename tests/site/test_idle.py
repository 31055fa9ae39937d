"""A club on a small machine: what its process takes while nobody plays."""

import sys

import pytest

from bench.idle import SETTLE_SECONDS, measure
from tests.serving import a_home, serving

pytestmark = [
    pytest.mark.xdist_group("club"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


def test_from_its_first_start_on_a_club_idles_below_120_mb_and_5_per_cent_of_a_core():
    with a_home() as home, serving(home) as served:
        measure({served.process.pid: "settling"}, SETTLE_SECONDS)

        # The best of three: a busy machine makes the same work dearer.
        watched = [measure({served.process.pid: "club"}, 3)[0] for _ in range(3)]

    assert max(club.resident for club in watched) < 120
    assert min(club.cpu for club in watched) < 5
