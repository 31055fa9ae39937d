"""What a task leaves in the log where the database is away: a line, and no traceback of every worker."""

import logging
from collections.abc import Callable, Iterator

import pytest
from celery import Task
from django.db import OperationalError, connection
from structlog.testing import capture_logs

from games import tasks
from games.commands import archiving, clockwork

Told = Callable[[int], list[str]]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[Told]:
    """What was said from a level on, by us and by the libraries."""
    with capture_logs() as ours:
        yield lambda level: [
            *(
                str(line)
                for line in ours
                if logging.getLevelNamesMapping()[line["log_level"].upper()] >= level
            ),
            *(str((record.msg, record.exc_info)) for record in caplog.records if record.levelno >= level),
        ]


def nothing_to_ask(**_: object) -> list[str]:
    raise OperationalError("the database is away")


def a_fault(**_: object) -> list[str]:
    raise ValueError("a fault of ours")


def test_a_database_that_is_away_is_one_line(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    monkeypatch.setattr(clockwork, "tables_due", nothing_to_ask)

    result = tasks.run_due_tables.apply()

    assert result.failed()
    (line,) = told(logging.WARNING)
    assert "database_away" in line
    assert "exc_info" not in line


def test_a_fault_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clockwork, "tables_due", a_fault)

    result = tasks.run_due_tables.apply()

    assert result.failed()
    assert any(record.exc_info for record in caplog.records)


def lost(**_: object) -> None:
    raise OperationalError("the connection is lost")


@pytest.fixture
def three_due(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, listed in (
        *((clockwork, name) for name in ("tables_due", "computers_due")),
        *((archiving, name) for name in ("tables_behind", "matches_to_prune")),
    ):
        monkeypatch.setattr(module, listed, lambda **_: ["aaaa", "bbbb", "cccc"])
    for name in ("run_due_table", "run_computer", "put_off"):
        monkeypatch.setattr(clockwork, name, lost)
    for name in ("archive_table", "prune"):
        monkeypatch.setattr(archiving, name, lost)
    monkeypatch.setattr(tasks, "_stuck", {})


SWEEPS = [
    *(tasks.run_due_tables, tasks.run_due_computers),
    *(tasks.archive_recent, tasks.archive_all, tasks.prune_matches),
]


@pytest.mark.django_db
@pytest.mark.usefixtures("three_due")
@pytest.mark.parametrize("sweep", SWEEPS, ids=lambda task: task.name)
def test_a_database_that_goes_in_the_middle_of_a_sweep_is_one_line_and_puts_off_no_table(
    sweep: Task, monkeypatch: pytest.MonkeyPatch, told: Told
) -> None:
    monkeypatch.setattr(connection, "is_usable", lambda: False)

    sweep.apply()

    assert ["database_away" in line for line in told(logging.WARNING)] == [True]
    assert tasks._stuck == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("three_due")
@pytest.mark.parametrize("sweep", SWEEPS, ids=lambda task: task.name)
def test_a_table_that_fails_while_the_database_is_there_holds_up_no_other(sweep: Task, told: Told) -> None:
    sweep.apply()

    lines = told(logging.ERROR)
    assert [table for table in ("aaaa", "bbbb", "cccc") if any(table in line for line in lines)] == [
        *("aaaa", "bbbb", "cccc")
    ]
