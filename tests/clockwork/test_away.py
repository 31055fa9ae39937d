"""What a task leaves in the log where the database is away: a line, and no traceback of every worker."""

import logging

import pytest
from django.db import OperationalError

from games import tasks
from games.commands import clockwork


def nothing_to_ask(**_: object) -> list[str]:
    raise OperationalError("the database is away")


def a_fault(**_: object) -> list[str]:
    raise ValueError("a fault of ours")


def test_a_database_that_is_away_is_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clockwork, "tables_due", nothing_to_ask)

    result = tasks.run_due_tables.apply()

    assert result.failed()
    told = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 1
    assert "database_away" in str(told[0].msg)
    assert told[0].exc_info is None


def test_a_fault_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clockwork, "tables_due", a_fault)

    result = tasks.run_due_tables.apply()

    assert result.failed()
    assert any(record.exc_info for record in caplog.records)
