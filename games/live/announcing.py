"""Announcements: a table's id and its new version, to every process that serves streams.

They go to the hubs of this process by hand, and to those of others through Redis, where there is one: what
cannot be sent stays, of each table its newest version, and is tried again a second later. What is lost all
the same costs seconds, since hubs look at their tables now and then.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

import structlog
from django.conf import settings
from django.db import transaction

from games.live.carrying import Away, Batch, Carrier, carrier

CHANNEL = "longbluff:tables"
REDIS_SECONDS = 1.0
LINGER_SECONDS = 0.005
"""One message carries all that changes meanwhile; nobody sees so little."""

_log = structlog.get_logger(__name__)


class Listener(Protocol):
    """A hub of this process, which hears of changes from any thread."""

    def hear(self, table_id: str, version: int) -> None: ...


_listeners: set[Listener] = set()


def announce(table_id: str, version: int) -> None:
    """Once the transaction is committed, tell whoever follows this table that it has a new version."""
    transaction.on_commit(lambda: _tell(table_id, version), robust=True)


def listen(listener: Listener) -> None:
    """Let a hub of this process hear of every change."""
    _listeners.add(listener)


def unlisten(listener: Listener) -> None:
    """Let it hear no more."""
    _listeners.discard(listener)


def written(changes: Iterable[tuple[str, int]]) -> str:
    """Changes as they stand in a message."""
    return " ".join(f"{table_id}:{version}" for table_id, version in changes)


def read(message: str) -> list[tuple[str, int]]:
    """The changes in a message; what cannot be read is nothing of ours."""
    pairs = (change.rpartition(":") for change in message.split(" "))
    return [
        (table_id, int(version))
        for table_id, _, version in pairs
        if table_id and version.isdecimal() and len(version) < 12
    ]


def _tell(table_id: str, version: int) -> None:
    for listener in tuple(_listeners):
        listener.hear(table_id, version)
    if settings.REDIS_URL:
        _messenger().take(table_id, version)


def _messenger() -> Carrier:
    url: str = settings.REDIS_URL
    return carrier(
        ("announcements", url), lambda: Carrier(_to_redis(url), name="announcements", linger=LINGER_SECONDS)
    )


def _to_redis(url: str) -> Callable[[Batch], None]:
    """How changes go to this Redis, many in one message."""
    # Only here: a club, which has no Redis, would carry its client all the same.
    from redis import Redis, RedisError
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    client = Redis.from_url(
        url,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    silent = False

    def carry(batch: Batch) -> None:
        nonlocal silent
        try:
            client.publish(CHANNEL, written(batch.items()))
            silent = False
        except (RedisError, OSError) as error:
            if not silent:
                _log.warning("announcements_wait", error=type(error).__name__)
            silent = True
            raise Away from error

    return carry
