"""The two inner steps of learning a round: in C where there is a compiler, much faster, else in numpy.

Both work on all states over one rung in which the same side moves. Shares are of [state, move, hand], the
raises first; `after` numbers the context that follows a state, and a raise leads to the state of that number
among those of the higher rung, whose first one `firsts` names. Hands are paired as [opener's, other's].
"""

import ctypes
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.solving.rounds import Numbers

SINGLE = np.float32
"""For what is kept of every pair of hands: half the memory, and precise enough."""

Singles: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.int64]

_SOURCE = Path(__file__).with_name("steps.c")
# Not the whole of -ffast-math: the process that loads such a library knows no subnormal numbers from then on,
# in whatever else it does.
_ARITHMETIC = ("-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros", "-fassociative-math")
_FLAGS = ("-O3", "-march=native", *_ARITHMETIC, "-shared", "-fPIC")


@dataclass(frozen=True, slots=True)
class Turn:
    """The states over one rung in which `mover` moves, and where its raises lead."""

    mover: int
    after: Places
    firsts: Places


def carry(turn: Turn, here: Singles, shares: Numbers, into: Singles) -> None:
    """Pass on how often pairs of hands meet here to all states that a raise leads to."""
    single = np.ascontiguousarray(shares, SINGLE)
    library = compiled()
    if library is None:
        _carry_in_numpy(turn, here, single, into)
        return
    sizes = (*here.shape, turn.mover, single.shape[1], len(turn.firsts))
    library.carry(*sizes, *_addresses(here, single, turn.after, turn.firsts, into))


def weigh(
    turn: Turn, values: Singles, calls: Singles, shares: Numbers, worth: Singles, met: Singles | None
) -> Numbers:
    """Add up what states are worth, from what raises lead to and calls bring.

    Where `met` says how often pairs of hands meet here, tell also what each move gains each hand.
    """
    single = np.ascontiguousarray(shares, SINGLE)
    library = compiled()
    if library is None:
        return _weigh_in_numpy(turn, values, calls, single, worth, met)
    gains = np.zeros(single.shape)
    sizes = (*worth.shape, turn.mover, single.shape[1], len(turn.firsts))
    library.weigh(*sizes, *_addresses(values, calls, single, turn.after, turn.firsts, worth, met, gains))
    return gains


@cache
def compiled() -> Any:
    """The library with both steps, or None where it cannot be made."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "steps.so"
        try:
            subprocess.run(["cc", *_FLAGS, "-o", target, _SOURCE], check=True, capture_output=True)
            library = ctypes.CDLL(str(target))
        except (OSError, subprocess.CalledProcessError):
            return None
    library.carry.argtypes = [ctypes.c_long] * 6 + [ctypes.c_void_p] * 5
    library.weigh.argtypes = [ctypes.c_long] * 6 + [ctypes.c_void_p] * 8
    library.carry.restype = library.weigh.restype = None
    return library


def _addresses(*arrays: NDArray[Any] | None) -> list[int | None]:
    if any(array is not None and not array.flags.c_contiguous for array in arrays):
        raise ValueError("the steps take arrays that lie in one piece")
    return [None if array is None else array.ctypes.data for array in arrays]


def _carry_in_numpy(turn: Turn, here: Singles, shares: Singles, into: Singles) -> None:
    order = np.argsort(turn.after, kind="stable")
    targets, starts = np.unique(turn.after[order], return_index=True)
    for raise_, first in enumerate(turn.firsts):
        parts = here * _by_pairs(shares[:, raise_], turn.mover)
        into[first + targets] += np.add.reduceat(parts[order], starts, axis=0)


def _weigh_in_numpy(
    turn: Turn, values: Singles, calls: Singles, shares: Singles, worth: Singles, met: Singles | None
) -> Numbers:
    gains, raises = np.zeros(shares.shape), len(turn.firsts)
    for move in range(shares.shape[1]):
        outcome = values[turn.firsts[move] + turn.after] if move < raises else calls[move - raises][None]
        worth += outcome * _by_pairs(shares[:, move], turn.mover)
        if met is not None:
            gains[:, move] = (met * outcome).sum(axis=2 - turn.mover)
    return gains


def _by_pairs(shares: Singles, mover: int) -> Singles:
    """Shares of [state, hand] laid beside both sides' hands."""
    return shares[:, :, None] if mover == 0 else shares[:, None, :]
