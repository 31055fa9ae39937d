"""What other processes announce, through Redis: one connection for all streams of a process."""

import asyncio

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.announcing import CHANNEL, read
from games.live.hub import Hub

RETRY_SECONDS = 0.5
CONNECT_SECONDS = 1.0
SILENCE_SECONDS = 3.0

_log = structlog.get_logger(__name__)


class _Silent(Exception):
    """Redis does not answer, though the connection stands."""


async def subscribe(hub: Hub, url: str) -> None:
    """Hand every announcement to the hub, and say whether they come in; connects again for ever."""
    while True:
        try:
            await _hear(hub, url)
        except (RedisError, OSError, ValueError, _Silent) as error:
            _log.warning("announcements_unheard", error=type(error).__name__)
        finally:
            hub.hears_others(False)
        _end_if_cancelled()
        await asyncio.sleep(RETRY_SECONDS)


async def _hear(hub: Hub, url: str) -> None:
    client = Redis.from_url(
        url, decode_responses=True, socket_connect_timeout=CONNECT_SECONDS, retry=Retry(NoBackoff(), 0)
    )
    async with client, client.pubsub() as messages:
        await messages.subscribe(CHANNEL)
        asked = False
        while True:
            _end_if_cancelled()
            message = await messages.get_message(timeout=SILENCE_SECONDS)
            if message is None:
                asked = await _ask(messages, asked)
                continue
            asked = False
            # Nothing is lost from here on.
            hub.hears_others(True)
            if message["type"] == "message":
                for table_id, version in read(message["data"]):
                    hub.hear(table_id, version)


async def _ask(messages: PubSub, asked: bool) -> bool:
    """Ask whether Redis is there, since it said nothing for a while; it is not when it was asked before."""
    if asked:
        raise _Silent
    await messages.ping()
    return True


def _end_if_cancelled() -> None:
    """End here too where the client was told to end, which it may keep to itself while it connects."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
