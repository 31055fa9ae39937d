"""How statements go to the database: through Django; on PostgreSQL the few of nearly every move go past it.

Of what a small statement costs this process, most is Django's and psycopg's care for every kind of value. One
that is its own transaction, has texts for parameters and brings back at most one value is prepared once for
each connection, and handed to libpq as it is.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.signals import connection_created
from django.dispatch import receiver

Texts = Sequence[str | None]

_UNKNOWN_STATEMENT = b"26000"
_numbers = count(1)
_made = 0


def connections_made() -> int:
    """How many connections this process has made: the server behind the latest may lack what others told."""
    return _made


@receiver(connection_created)
def _note_connection(**_: object) -> None:
    global _made
    _made += 1


def fetch(statement: str, parameters: Sequence[Any]) -> list[Sequence[Any]]:
    """Run a statement; its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Sequence[Any]] = cursor.fetchall()
    return rows


def execute(statement: str, parameters: Sequence[Any]) -> int:
    """Run a statement; how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        touched: int = cursor.rowcount
    return touched


def fetch_value(statement: str, parameters: Texts) -> str | bytes | None:
    """Run a statement of nearly every move; the one value of its one row, None where there is no row."""
    if past_django():
        result = _sent(statement, parameters)
        value: bytes | None = result.get_value(0, 0) if result.ntuples else None
        return value
    rows = fetch(statement, parameters)
    return rows[0][0] if rows else None


def fetch_column(statement: str, parameters: Texts) -> list[str]:
    """Run a statement of nearly every move; the first value, a text, of each of its rows."""
    if past_django():
        result = _sent(statement, parameters)
        return [result.get_value(row, 0).decode() for row in range(result.ntuples)]
    return [row[0] for row in fetch(statement, parameters)]


def execute_texts(statement: str, parameters: Texts) -> int:
    """Run a statement of nearly every move; how many rows it touched."""
    return (
        _sent(statement, parameters).command_tuples or 0 if past_django() else execute(statement, parameters)
    )


def past_django() -> bool:
    """Is this PostgreSQL, outside a transaction, with nobody who listens to what is sent?"""
    own = connections[DEFAULT_DB_ALIAS]  # looked up once: each look asks for this thread's
    if own.vendor != "postgresql" or own.in_atomic_block or own.queries_logged:
        return False
    own.ensure_connection()
    return own.autocommit and not own.execute_wrappers


def _sent(statement: str, parameters: Texts) -> Any:
    """The result of a prepared statement; refusals and lost connections are Django's exceptions, as ever."""
    from psycopg.pq import ExecStatus

    values = [None if text is None else text.encode() for text in parameters]
    own = connections[DEFAULT_DB_ALIAS]
    with own.wrap_database_errors:
        result = _server(own.connection).run(statement, values)
        if result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
            raise _error(own.connection, result)
    return result


def _error(wrapped: Any, result: Any) -> Exception:
    from psycopg import OperationalError
    from psycopg.errors import error_from_result
    from psycopg.pq import ConnStatus

    # What has no code does not come from the server but from libpq, which waits for it in vain.
    if wrapped.pgconn.status != ConnStatus.OK or _state_of(result) is None:
        return OperationalError("the connection to the database is lost")
    return error_from_result(result, encoding="utf-8")


class _Server:
    """One connection, and the statements that it has prepared."""

    def __init__(self, pgconn: Any) -> None:
        self._pgconn, self._prepared = pgconn, set[str]()

    def run(self, statement: str, values: list[bytes | None]) -> Any:
        name, text = _named(statement)
        if statement not in self._prepared:
            self._pgconn.prepare(name, text)
            self._prepared.add(statement)
        result = self._pgconn.exec_prepared(name, values)
        if _state_of(result) == _UNKNOWN_STATEMENT:  # psycopg let go of all, as it does after a rollback
            self._pgconn.prepare(name, text)
            result = self._pgconn.exec_prepared(name, values)
        return result


_servers: "WeakKeyDictionary[Any, _Server]" = WeakKeyDictionary()


def _server(wrapped: Any) -> _Server:
    server = _servers.get(wrapped)
    if server is None:
        server = _servers[wrapped] = _Server(wrapped.pgconn)
    return server


def _state_of(result: Any) -> bytes | None:
    from psycopg.pq import DiagnosticField

    state: bytes | None = result.error_field(DiagnosticField.SQLSTATE)
    return state


@cache
def _named(statement: str) -> tuple[bytes, bytes]:
    """The name of a statement on every connection, and how PostgreSQL itself writes its parameters."""
    parts = statement.split("%s")
    text = "".join(f"{part}${number}" for number, part in enumerate(parts[:-1], 1)) + parts[-1]
    return f"longbluff_{next(_numbers)}".encode(), text.encode()
