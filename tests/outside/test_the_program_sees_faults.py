"""The program finds nothing wrong with an honest stand-in, and finds every fault that one is given."""

from __future__ import annotations

import pytest

from tests.outside.run import run
from tests.outside.standin_http import serving

FAULTS = {
    "hand": "spectators are shown a hand",
    "list": "a list carries the last roll",
    "legal": "the lowest sixes are offered one too high",
    "stale": "any version will do",
    "bump": "a refused action raises the version",
    "place": "a third place is shown as a second",
    "chain": "the secrets are no chain",
    "dice": "the dice of later rounds come from another message",
    "press": "a second press counts as a change",
    "key": "keys are forgotten",
    "etag": "all viewers get one ETag",
}


def test_an_honest_service_has_no_difference() -> None:
    with serving() as base:
        summary = run(base, 40, seed=11)

    assert summary.reports == []
    assert summary.matches == 40
    assert summary.reveals > 40
    assert summary.races > 0
    assert {"409 stale", "409 taken", "422 key_reused"} <= summary.refusals.keys()
    assert {"practice", "private", "computers", "substitute", "forfeit"} <= summary.met.keys()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    with serving(fault) as base:
        summary = run(base, 100, seed=12)

    assert summary.differences
    assert summary.matches < 100
