"""Hints to workers while the broker is away: a move waits for it once, and not again and again."""

from typing import Any

import pytest
from kombu.exceptions import OperationalError

from games.live import hints


class Broker:
    """Takes tasks, or is away; what was asked of it, and how late it is."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.away = False
        self.now = 100.0

    def send_task(self, task: str, *, args: list[str], **_: Any) -> None:
        self.asked.append(args[0])
        if self.away:
            self.now += 5  # as long as one waits for a server that does not answer
            raise OperationalError


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(hints, "current_app", broker)
    monkeypatch.setattr(hints, "monotonic", lambda: broker.now)
    monkeypatch.setattr(hints, "_away_until", None)
    return broker


def hint(table_id: str) -> None:
    hints._hint("games.run_computer", table_id, after=0, queue="computers")


def test_while_the_broker_is_there_every_hint_is_sent(broker: Broker):
    for table in ("one", "two", "three"):
        hint(table)

    assert broker.asked == ["one", "two", "three"]


def test_after_one_was_lost_the_next_do_not_wait_for_the_same_broker(broker: Broker):
    broker.away = True

    for table in ("one", "two", "three"):
        hint(table)

    assert broker.asked == ["one"]


def test_a_while_later_one_tries_again_and_the_others_do_not_wait_with_it(broker: Broker):
    broker.away = True
    hint("one")
    broker.now += hints.AWAY_SECONDS

    asked_meanwhile = broker.send_task

    def another_comes(task: str, **kwargs: Any) -> None:
        broker.send_task = asked_meanwhile  # type: ignore[method-assign]
        hint("meanwhile")
        asked_meanwhile(task, **kwargs)

    broker.send_task = another_comes  # type: ignore[method-assign]
    hint("two")

    assert broker.asked == ["one", "two"]


def test_once_the_broker_is_back_every_hint_is_sent_again(broker: Broker):
    broker.away = True
    hint("one")
    broker.away, broker.now = False, broker.now + hints.AWAY_SECONDS

    for table in ("two", "three"):
        hint(table)

    assert broker.asked == ["one", "two", "three"]
