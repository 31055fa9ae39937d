"""The steps in C do what the steps in numpy do."""

import sys

import numpy as np
import pytest

from games.solving import steps
from games.solving.steps import SINGLE, Turn, carry, weigh

OWN, OTHER = 3, 2


def some(rng: np.random.Generator, *shape: int) -> steps.Singles:
    return rng.random(shape).astype(SINGLE)


@pytest.mark.parametrize("mover", [0, 1])
def test_both_forms_of_the_steps_agree(mover: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    turn = Turn(mover, np.array([0, 1, 1, 2]), np.array([0, 3]))
    here, values, calls = some(rng, 4, OWN, OTHER), some(rng, 6, OWN, OTHER), some(rng, 1, OWN, OTHER)
    shares = rng.random((4, 3, (OWN, OTHER)[mover]))

    def both_steps() -> list[steps.Numbers]:
        into, worth = np.zeros((6, OWN, OTHER), SINGLE), np.zeros((4, OWN, OTHER), SINGLE)
        carry(turn, here, shares, into)
        gains = weigh(turn, values, calls, shares, worth, here)
        return [into, worth, gains]

    compiled = both_steps()
    monkeypatch.setattr(steps, "compiled", lambda: None)
    plain = both_steps()

    for one, other in zip(compiled, plain, strict=True):
        assert one == pytest.approx(other, rel=1e-5)
        assert one.any()


def test_the_compiled_steps_leave_the_arithmetic_of_the_process_alone() -> None:
    steps.compiled()

    assert sys.float_info.min / 2 > 0
