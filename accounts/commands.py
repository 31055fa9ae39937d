"""What is done to accounts and guests."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog
from django.db import OperationalError, transaction

from accounts import queries
from accounts.models import Player, Preferences, Token, User
from accounts.names import NameRefused, account_name, fit_name, guest_name

__all__ = ["NameRefused", "create_guest", "make_player", "new_guest", "prefer", "rename", "seen"]

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


def make_player(*, user: User, guest: Player | None, now: datetime) -> bool:
    """Give a new account its player: the guest that it was, or somebody new; was the guest taken along?

    Whoever plays by now keeps playing as they do.
    """
    name = account_name(user.first_name or user.username)
    with transaction.atomic():
        if Player.objects.filter(user=user).exists():
            return False
        # Only a guest who is still one: nobody else's account is ever taken over.
        if guest is not None and Player.objects.filter(pk=guest.pk, user=None).update(user=user, name=name):
            return True
        Player.objects.create(user=user, name=name, created_at=now, seen_at=now)
    return False


def rename(*, player: Player, name: str) -> None:
    """Let a player go by another name from now on; archives keep the old one. Raises `NameRefused`."""
    player.name = fit_name(name)
    player.save(update_fields=["name"])


def prefer(*, player: Player, wanted: Mapping[str, object]) -> None:
    """Keep how a player likes the site; what is not named stays as it was."""
    Preferences.objects.update_or_create(player=player, defaults=dict(wanted))


def seen(*, player: Player, now: datetime) -> None:
    """Note that this player is there, at most every few seconds; where it fails, it is no fault of theirs."""
    if player.seen_at is not None and player.seen_at > now - NOTED_EVERY:
        return
    try:
        Player.objects.filter(pk=player.pk).update(seen_at=now)
    except OperationalError as error:
        _log.warning("not_noted", player=player.pk, error=type(error).__name__)
