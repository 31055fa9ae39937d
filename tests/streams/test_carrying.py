"""What threads carry to other processes: whole, in its newest form, bounded, and without anybody waiting."""

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import NoReturn

import pytest
import structlog
from django.db import transaction

from games.live import carrying, hints
from games.live.carrying import Away, Batch, Carrier


class Taker:
    """Takes batches, or is away for the first few."""

    def __init__(self, *, away: int = 0) -> None:
        self.took: list[dict[object, object]] = []
        self.tried = 0
        self._away = away

    def __call__(self, batch: Batch) -> None:
        self.tried += 1
        if self.tried <= self._away:
            raise Away
        self.took.append(dict(batch))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "QUIET_SECONDS", 0.02)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_what_comes_while_it_lingers_goes_together_and_in_its_newest_form() -> None:
    taker = Taker()
    carrier = Carrier(taker, name="test", linger=0.2)

    for key, value in (("a", 1), ("b", 7), ("a", 3), ("a", 2)):
        carrier.take(key, value)
    until(lambda: bool(taker.took))

    assert taker.took == [{"a": 3, "b": 7}]


def test_the_end_of_a_process_does_not_linger() -> None:
    taker = Taker()
    carrier = Carrier(taker, name="test", linger=60)
    carrier.take("a", 1)

    carrier.finish(5)

    assert taker.took == [{"a": 1}]


@pytest.mark.usefixtures("quick")
def test_what_nobody_took_stays_and_what_came_meanwhile_is_newer() -> None:
    taker = Taker(away=3)
    carrier = Carrier(taker, name="test", linger=0)
    carrier.take("a", 1)
    carrier.take("b", 5)
    until(lambda: taker.tried >= 1)
    carrier.take("a", 2)

    carrier.finish(5)

    together = {key: max(batch[key] for batch in taker.took if key in batch) for key in ("a", "b")}  # type: ignore[type-var]
    assert together == {"a": 2, "b": 5}
    assert taker.tried >= 4


def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "MOST_WAITING", 50)
    monkeypatch.setattr(carrying, "MOST_AT_ONCE", 5)
    taker = Taker(away=1000)
    carrier = Carrier(taker, name="test", linger=0)

    for number in range(500):
        carrier.take(number, 1)

    assert len(carrier._waiting) <= 50 + 5


def test_many_threads_lose_nothing() -> None:
    taker = Taker()
    carrier = Carrier(taker, name="test", linger=0)
    threads = [
        threading.Thread(target=lambda part=part: [carrier.take((part, n), n) for n in range(500)])  # type: ignore[misc]
        for part in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    carrier.finish(5)

    assert {key for batch in taker.took for key in batch} == {(p, n) for p in range(4) for n in range(500)}


@pytest.mark.parametrize("error", [RuntimeError, KeyError, UnicodeError, MemoryError, AssertionError])
def test_whatever_a_carrier_meets_is_logged_and_it_goes_on(error: type[Exception]) -> None:
    took = []

    def carry(batch: Batch) -> None:
        if "bad" in batch:
            raise error
        took.append(dict(batch))

    carrier = Carrier(carry, name="test", linger=0)
    with structlog.testing.capture_logs() as logs:
        for key in ("bad", "good", "bad", "better"):
            carrier.take(key, 1)
            carrier.finish(5)

    assert took == [{"good": 1}, {"better": 1}]
    told = {"event": "batch_lost", "carrier": "test", "error": error.__name__}
    assert [told.items() <= log.items() and log["log_level"] == "error" for log in logs] == [True, True]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "hint",
    [
        lambda: hints.archive_table("t"),
        lambda: hints.wake_computer("t", after=0, awaited=True),
    ],
)
def test_a_process_that_may_have_no_more_threads_does_what_it_is_asked(
    hint: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(carrying, "_kept", {})
    monkeypatch.setattr(threading.Thread, "start", refused)
    heard = []

    with transaction.atomic():
        hint()
        transaction.on_commit(lambda: heard.append("what follows"))

    assert heard == ["what follows"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_a_carrier_is_made_makes_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "_kept", {})
    child = 0

    def make() -> Carrier:
        nonlocal child
        child = os.fork()
        if not child:
            carried_in_a_fork()
        return Carrier(Taker(), name="test", linger=0)

    carrying.carrier("test", make)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def carried_in_a_fork() -> NoReturn:
    taker, good = Taker(), False
    try:
        signal.alarm(5)
        carrying.carrier("test", lambda: Carrier(taker, name="test", linger=0)).take("a", 1)
        carrying.finish(4)
        good = taker.took == [{"a": 1}]
    finally:
        os._exit(0 if good else 1)
