"""What is done to accounts and guests."""

import secrets
from datetime import datetime, timedelta

import structlog
from django.db import OperationalError, transaction

from accounts import queries
from accounts.models import Player, Token
from accounts.names import NameRefused, fit_name, guest_name

__all__ = ["NameRefused", "create_guest", "new_guest", "seen"]

NOTED_EVERY = timedelta(seconds=15)

_log = structlog.get_logger(__name__)


def new_guest(*, name: str | None, now: datetime) -> Player:
    """Make a guest, whom a token or a session will remember."""
    shown = guest_name() if name is None else fit_name(name)
    return Player.objects.create(name=shown, created_at=now, seen_at=now)


def create_guest(*, name: str | None, now: datetime) -> tuple[Player, str]:
    """Make a guest, and the token that only its owner will ever have."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        player = new_guest(name=name, now=now)
        Token.objects.create(digest=queries.digest_of(token), player=player, created_at=now)
    return player, token


def seen(*, player: Player, now: datetime) -> None:
    """Note that this player is there, at most every few seconds; where it fails, it is no fault of theirs."""
    if player.seen_at is not None and player.seen_at > now - NOTED_EVERY:
        return
    try:
        Player.objects.filter(pk=player.pk).update(seen_at=now)
    except OperationalError as error:
        _log.warning("not_noted", player=player.pk, error=type(error).__name__)
