"""How many people look at a table just now, as the processes that serve streams say now and then.

Each of them writes down who follows which table, under a place of its own; what it wrote is forgotten soon
after it fell silent. It is a number for people: nothing in the game depends on it.
"""

from collections.abc import Collection, Mapping

import structlog
from django.core.cache import cache

PLACES = 16
KEPT_SECONDS = 50
MOST_NAMED = 500

_log = structlog.get_logger(__name__)


def take_place() -> int:
    """A place for one process, which no other has while there are not more than sixteen."""
    try:
        cache.add("audience-places", 0, None)
        return int(cache.incr("audience-places")) % PLACES
    except Exception as error:  # a cache that is away costs a number on a page
        _log.warning("audience_unknown", error=type(error).__name__)
        return 0


def write_down(place: int, tables: Mapping[str, Collection[str | None]]) -> None:
    """Say who follows each table through this process: players, and None for each stranger."""
    seen = {
        _key(table_id, place): (
            sum(1 for player_id in people if player_id is None),
            sorted({player_id for player_id in people if player_id is not None})[:MOST_NAMED],
        )
        for table_id, people in tables.items()
    }
    try:
        cache.set_many(seen, KEPT_SECONDS)
    except Exception as error:
        _log.warning("audience_unknown", error=type(error).__name__)


def watchers(table_id: str, *, seated: Collection[str]) -> int | None:
    """How many people look at a table without a seat there; None where that is not known."""
    try:
        found = cache.get_many([_key(table_id, place) for place in range(PLACES)])
    except Exception as error:
        _log.warning("audience_unknown", error=type(error).__name__)
        return None
    players = {player_id for _, players in found.values() for player_id in players}
    return sum(strangers for strangers, _ in found.values()) + len(players - set(seated))


def _key(table_id: str, place: int) -> str:
    return f"audience:{table_id}:{place}"
