"""A database that goes away: whoever asked is told that it may be tried again."""

import os
import socket
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection

from games.store import sending
from tests.faults.postgresql import own_postgresql

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connection to lose"),
]


def cut() -> None:
    """Cut the line of this thread's connection, as a server does that dies."""
    with socket.socket(fileno=os.dup(connection.connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)


def cut_soon(seconds: float = 0.3) -> threading.Timer:
    line = socket.socket(fileno=os.dup(connection.connection.pgconn.socket))

    def cut_it() -> None:
        with line:
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut_it)
    timer.start()
    return timer


def terminate() -> None:
    """Let another connection end this one's backend, which says a last word and is gone."""
    gone = "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = %s"
    backend = [connection.connection.info.backend_pid]
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", backend)
        while other.execute(gone, backend).fetchone() != (True,):
            time.sleep(0.01)
    time.sleep(0.1)  # it leaves the list a moment before its line closes


ASKED: list[Callable[[], Any]] = [
    lambda: sending.fetch_value("SELECT %s::text", ["x"]),
    lambda: sending.fetch_column("SELECT %s::text", ["x"]),
    lambda: sending.execute_texts("SELECT %s::text", ["x"]),
    lambda: sending.fetch("SELECT %s::text", ["x"]),
    lambda: sending.execute("SELECT %s::text", ["x"]),
]


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("lose", [cut, terminate])
def test_a_connection_that_is_gone_is_told_as_such_and_the_next_one_works(lose, ask) -> None:
    ask()
    lose()

    with pytest.raises(OperationalError):
        ask()

    connection.close_if_unusable_or_obsolete()
    ask()


@pytest.mark.parametrize("ask", ASKED[:3])
@pytest.mark.parametrize("lose", [cut, terminate])
def test_who_knows_something_of_a_connection_that_was_lost_hears_of_the_next_one(lose, ask) -> None:
    ask()
    before = sending.connections_made()
    ask()
    lose()
    with pytest.raises(OperationalError):
        ask()
    assert sending.connections_made() == before
    connection.close_if_unusable_or_obsolete()
    ask()

    assert sending.connections_made() == before + 1


@pytest.mark.parametrize("ask", [sending.fetch_value, sending.fetch])
def test_a_connection_that_breaks_while_the_server_works_is_told_as_such(ask) -> None:
    ask("SELECT %s::text", ["x"])
    timer = cut_soon()

    with pytest.raises(OperationalError):
        ask("SELECT pg_sleep(3)::text || %s", ["x"])

    timer.join()
    connection.close_if_unusable_or_obsolete()
    ask("SELECT %s::text", ["x"])


def test_a_server_that_crashed_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last word is a notice and no error, and libpq holds the line for whole until it reads on."""
    with own_postgresql() as server, psycopg.connect(server.url, autocommit=True) as line:
        there = SimpleNamespace(
            vendor="postgresql",
            in_atomic_block=False,
            queries_logged=False,
            execute_wrappers=[],
            connection=line,
            wrap_database_errors=connection.wrap_database_errors,
            ensure_connection=lambda: None,
            autocommit=True,
        )
        monkeypatch.setattr(sending, "connections", {DEFAULT_DB_ALIAS: there})
        sending.fetch_value("SELECT %s::text", ["x"])
        server.stop("immediate")

        with pytest.raises(OperationalError):
            sending.fetch_value("SELECT %s::text", ["x"])
