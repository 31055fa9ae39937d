"""Lines of the log: one each, whoever writes it; no trouble with the log is trouble for who writes."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from config.celery import app
from config.logs import logging_config

Lines = Callable[[], list[str]]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Lines]:
    """What was written to standard error, in JSON from level INFO on."""
    before = structlog.get_config()
    logging_config("INFO")
    yield lambda: capsys.readouterr().err.splitlines()
    structlog.configure(**before)


def read(lines: Lines) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines()]


def test_a_line_says_what_who_when_and_how_grave(lines: Lines) -> None:
    with structlog.contextvars.bound_contextvars(request="abc"):
        structlog.get_logger("games.moves").info("move", table="t", ms=1.5)

    (line,) = read(lines)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "move",
        "level": "info",
        "logger": "games.moves",
        "request": "abc",
        "table": "t",
        "ms": 1.5,
    }


def test_what_is_below_the_level_is_not_written(lines: Lines) -> None:
    log = structlog.get_logger("x")
    log.debug("small")
    log.warning("great")

    assert [line["event"] for line in read(lines)] == ["great"]


def test_a_traceback_is_text_in_its_line(lines: Lines) -> None:
    try:
        secret = [6, 6, 6]
        raise ValueError("a fault")
    except ValueError:
        structlog.get_logger("x").error("failed", exc_info=True)

    (line,) = read(lines)
    assert "ValueError: a fault" in line["exception"]
    assert str(secret) not in line["exception"]


@pytest.mark.parametrize("value", ["\ud800", 2**70, {1: 2}, object(), b"\xff", float("nan")], ids=type)
def test_whatever_it_is_told_it_writes_a_line(lines: Lines, value: object) -> None:
    structlog.get_logger("x").info("odd", value=value)

    (line,) = lines()
    assert '"odd"' in line


def test_nobody_fails_for_want_of_a_log(monkeypatch: pytest.MonkeyPatch, lines: Lines) -> None:
    log = structlog.get_logger("x")
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    log.info("unread")

    read_end, write_end = os.pipe()
    os.close(read_end)
    with open(write_end, "w", buffering=1) as broken:
        monkeypatch.setattr(sys, "stderr", broken)
        log.info("unread")
        with pytest.raises(BrokenPipeError):
            broken.write("as anybody else would\n")
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), write_end)
    assert lines() == []


def test_a_worker_writes_the_same_lines(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery would put words of its own round whatever is written to standard error."""
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    assert app.conf.worker_redirect_stdouts is False
    app.log.setup(loglevel="INFO", redirect_stdouts=app.conf.worker_redirect_stdouts)
    structlog.get_logger("games.moves").info("move", table="t")

    (line,) = read(lines)
    assert line["event"] == "move"


@pytest.mark.parametrize("form", ["json", "text"])
def test_our_lines_and_those_of_libraries_look_alike(form: str) -> None:
    script = (
        "import django; django.setup(); import logging, structlog\n"
        "structlog.get_logger('ours').warning('said')\n"
        "logging.getLogger('theirs').warning('said')\n"
    )
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_FORMAT": form}
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | settings, capture_output=True, text=True, check=True
    )

    ours, theirs = done.stderr.splitlines()
    if form == "json":
        assert json.loads(ours).keys() == json.loads(theirs).keys()
    else:
        assert [line.split()[1:3] for line in (ours, theirs)] == [["[warning", "]"]] * 2
    assert "ours" in ours
    assert "theirs" in theirs
    assert logging.getLogger("theirs").level == logging.NOTSET
