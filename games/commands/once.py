"""Doing what was asked exactly once: the first answer to an idempotency key is every answer for a day.

The claim of the key, what was done and the answer are one transaction: a crash leaves all of it or nothing.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection, transaction

from games import sealing
from games.models import Answer
from games.store.rows import time_column

KEPT = timedelta(hours=24)

_CLAIM = """
    INSERT INTO games_answer (player_id, request, body, status, sealed, at) VALUES (%s, %s, %s, NULL, '', %s)
    ON CONFLICT (player_id, request) DO UPDATE
        SET body = excluded.body, status = NULL, sealed = '', at = excluded.at
        WHERE games_answer.at < %s
    RETURNING id
"""


class KeyReused(Exception):
    """The key was used before, for something else."""

    code = "key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request: take a new key.")
        self.message = str(self)


class InProgress(Exception):
    """The first request with this key is still in work."""

    code = "in_progress"

    def __init__(self) -> None:
        super().__init__("The first request with this Idempotency-Key is still in work.")
        self.message = str(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request with a key: digests of what tells it from every other, and of what is asked."""

    player_id: str
    request: str
    body: str

    @classmethod
    def of(cls, player_id: str, *, named: str, asked: bytes) -> "Request":
        """The request of this player that goes by this name: where it goes, and its key."""
        return cls(
            player_id=player_id,
            request=_digest(named.encode("utf-8", "replace")),
            body=_digest(asked),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The first answer: its status and its body."""

    status: int
    body: bytes = field(repr=False)
    replayed: bool = False


def once(asked: Request, act: Callable[[], Answered], *, now: datetime) -> Answered:
    """Do what was asked, or give the answer that was given when it was done.

    A second request waits for the first, on either database. What `act` raises undoes the claim.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            at, expired = time_column(now), time_column(now - KEPT)
            cursor.execute(_CLAIM, [asked.player_id, asked.request, asked.body, at, expired])
            claimed = cursor.fetchone()
        if claimed is None:
            return _first_answer(asked)
        answered = act()
        Answer.objects.filter(pk=claimed[0]).update(
            status=answered.status, sealed=sealing.seal(answered.body, place=_place(asked))
        )
    return answered


def forget_old_requests(*, now: datetime) -> int:
    """Delete the answers whose day is over; return how many."""
    return Answer.objects.filter(at__lt=now - KEPT).delete()[0]


def _first_answer(asked: Request) -> Answered:
    first = Answer.objects.filter(player_id=asked.player_id, request=asked.request).first()
    if first is None or first.status is None:
        raise InProgress
    if first.body != asked.body:
        raise KeyReused
    return Answered(
        status=first.status, body=sealing.unseal(first.sealed, place=_place(asked)), replayed=True
    )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _place(asked: Request) -> str:
    return sealing.answer_place(asked.player_id, asked.request)
