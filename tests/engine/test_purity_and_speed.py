"""The engine stands alone, and it is quick."""

import subprocess
import sys
from random import Random
from statistics import median
from time import process_time

import pytest

from games.engine.rules import Rules
from tests.engine.random_matches import Setting, play

LOADS = """
import importlib, pkgutil, sys
package = importlib.import_module("{package}")
for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
print(*sorted({{name.split(".")[0] for name in sys.modules}}))
"""


@pytest.mark.parametrize("package", ["games.engine", "games.computers"])
def test_a_pure_package_loads_neither_django_nor_a_generator_of_its_own(package: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADS.format(package=package)], capture_output=True, text=True, check=True
    )
    loaded = set(run.stdout.split())

    assert "games" in loaded
    assert not loaded & {"django", "rest_framework", "celery", "redis", "psycopg", "random", "secrets"}


def test_a_random_match_of_six_runs_in_a_blink() -> None:
    rng = Random(6)
    seconds = []
    for seed in range(30):
        setting = Setting(
            rules=Rules(seats=6, exact=rng.choice(["off", "regain", "others_lose"])),
            pace="live",
            numbers=tuple(range(6)),
            seed=seed,
        )
        began = process_time()
        *_, last = play(setting)
        seconds.append(process_time() - began)
        assert last.after.status == "finished"

    assert median(seconds) < 0.020
