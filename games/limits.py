"""How much one client may do: few guests and tables, many moves; one count for pages and API alike.

Without a cache nobody is slowed down.
"""

from collections import Counter
from functools import cache
from time import monotonic

import structlog
from django.conf import settings
from django.http import HttpRequest
from rest_framework.throttling import SimpleRateThrottle

_log = structlog.get_logger(__name__)

_LOOPBACK = ("127.", "::1", "::ffff:127.")

HOUSEHOLD = 6
"""As many people as one address may be, towards limits that count people."""

MOST_COUNTED = 100_000


class SlowDown(Exception):
    """Too much in too short a time; `wait` is for how many seconds, where that is known."""

    code = "slow_down"

    def __init__(self, wait: float | None) -> None:
        super().__init__("Too many requests: wait a little.")
        self.message = str(self)
        self.wait = wait

    @property
    def retry_after(self) -> int:
        """Whole seconds after which it may be tried again."""
        return int(self.wait or 0) + 1


def count_guest(request: HttpRequest) -> None:
    """Count a new guest; raise `SlowDown` where too many came from one address."""
    _count(request, _Throttle("guests"))


def count_table(request: HttpRequest, player_id: str | None) -> None:
    """Count a new table of this player, who is easily somebody else, and so of their address too."""
    if player_id is not None:
        _count(request, _Throttle("tables", player_id))
    _count(request, _Throttle("tables", people=HOUSEHOLD))


def count_change(request: HttpRequest, player_id: str | None) -> None:
    """Count a request for a change.

    This limit, unlike those on guests and tables, comes before all other refusals: it is there for a flood,
    whose requests are refused one by one and would otherwise cost a look at a table each.
    """
    if player_id is None:
        _count(request, _Throttle("play"))
    elif often(player_id):
        free, _ = _free(SimpleRateThrottle.THROTTLE_RATES.get("play"))
        _count(request, _Throttle("play", player_id, counted=free or 0))


def often(player_id: str) -> bool:
    """Does this player ask for changes so often that they must be counted for the whole site?

    The first tenth of what is allowed in a span is counted by each process for itself, so that people who
    just play are nothing to the cache.
    """
    rate = SimpleRateThrottle.THROTTLE_RATES.get("play")
    free, seconds = _free(rate)
    return free is not None and _few.count(player_id, monotonic() // seconds) > free


class _Few:
    """How often each player asked in the present span, at this process."""

    def __init__(self) -> None:
        self._span, self._counts = 0.0, Counter[str]()

    def count(self, player_id: str, span: float) -> int:
        if span != self._span or len(self._counts) >= MOST_COUNTED:
            self._span, self._counts = span, Counter()
        self._counts[player_id] += 1
        return self._counts[player_id]


_few = _Few()


@cache
def _free(rate: str | None) -> tuple[int | None, int]:
    requests, seconds = SimpleRateThrottle.parse_rate(_Throttle("play"), rate)
    return None if requests is None else requests // 10, seconds or 1


class _Throttle(SimpleRateThrottle):
    """So many requests a span for one player, or else from one address, which `people` may share.

    `counted` are those of them that came before anything was kept in the cache.
    """

    def __init__(
        self, scope: str, player_id: str | None = None, *, people: int = 1, counted: int = 0
    ) -> None:
        self.scope, self._player_id, self._people, self._counted = scope, player_id, people, counted
        super().__init__()

    def parse_rate(self, rate: str | None) -> tuple[int | None, int | None]:
        requests, seconds = super().parse_rate(rate)
        return None if requests is None else requests * self._people - self._counted, seconds

    def get_cache_key(self, request: object, view: object) -> str:
        if self._player_id is not None:
            return f"throttle:{self.scope}:{self._player_id}"
        return f"throttle:{self.scope}:at:{self.get_ident(request)}"  # type: ignore[arg-type]  # META is enough


def _count(request: HttpRequest, throttle: _Throttle) -> None:
    # Only what came with a request is looked at: Django's own will do.
    address = throttle.get_ident(request) or ""  # type: ignore[arg-type]
    if not settings.THROTTLE_LOOPBACK and address.startswith(_LOOPBACK):
        return
    try:
        allowed = throttle.allow_request(request, None)  # type: ignore[arg-type]
    except Exception as error:  # whatever a cache that is away may raise
        _log.warning("throttle_off", error=type(error).__name__)
        return
    if not allowed:
        raise SlowDown(throttle.wait())
