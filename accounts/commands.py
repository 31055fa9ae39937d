"""What is done to accounts and guests."""

import base64
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog
from django.db import OperationalError, connection, transaction
from django.utils.crypto import salted_hmac

from accounts import queries
from accounts.models import Player, Preferences, Token, User
from accounts.names import NameRefused, account_name, fit_name, guest_name

__all__ = [
    "BotRefused",
    "NameRefused",
    "create_bot",
    "create_guest",
    "guest_of_press",
    "make_player",
    "new_guest",
    "new_token",
    "prefer",
    "rename",
    "rest_bot",
    "seen",
]

NOTED_EVERY = timedelta(seconds=15)

PRESSED_TWICE = timedelta(minutes=1)
"""Whoever sends a form again later than that, and is nobody still, is somebody else."""

MOST_BOTS = 10
"""So many bots may one account have."""

_log = structlog.get_logger(__name__)


class BotRefused(Exception):
    """A bot that cannot be made, or is not this account's; the text is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def create_bot(*, owner: User, name: str, now: datetime) -> tuple[Player, str]:
    """Make a bot that this account answers for, and the token that is shown once.

    Raises `NameRefused` and `BotRefused`.
    """
    shown = fit_name(name)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if Player.objects.filter(owner=owner, bot_since__isnull=False).count() >= MOST_BOTS:
            raise BotRefused("too_many_bots", f"An account has {MOST_BOTS} bots at most.")
        player = Player.objects.create(name=shown, created_at=now, bot_since=now, owner=owner)
        return player, _token_for(player, now)


def new_token(*, owner: User, bot_id: str, now: datetime) -> tuple[Player, str]:
    """Give a bot another token; the ones before are no longer good. Raises `BotRefused`."""
    with transaction.atomic():
        player = _bot(owner, bot_id)
        player.tokens.all().delete()
        return player, _token_for(player, now)


def rest_bot(*, owner: User, bot_id: str) -> Player:
    """Take a bot's tokens away, so that it plays no more until it gets another. Raises `BotRefused`."""
    player = _bot(owner, bot_id)
    player.tokens.all().delete()
    return player


def _bot(owner: User, bot_id: str) -> Player:
    found = queries.player_by_id(bot_id)
    if found is None or found.kind != "bot" or found.owner_id != owner.pk:
        raise BotRefused("no_such_bot", "You have no such bot.")
    return found


def _token_for(player: Player, now: datetime) -> str:
    token = secrets.token_urlsafe(32)
    Token.objects.create(digest=queries.digest_of(token), player=player, created_at=now)
    return token


def new_guest(*, name: str | None, now: datetime) -> Player:
    """Make a guest, whom a token or a session will remember."""
    shown = guest_name() if name is None else fit_name(name)
    return Player.objects.create(name=shown, created_at=now, seen_at=now)


def guest_of_press(mark: str, *, name: str | None, now: datetime) -> Player:
    """Make the guest of one press of a form; the same press again, soon after, finds the one it made."""
    shown = guest_name() if name is None else fit_name(name)
    wanted = Player(id=_id_of(mark), name=shown, created_at=now, seen_at=now)
    # Of two at once one waits here for the other.
    Player.objects.bulk_create([wanted], ignore_conflicts=True)
    found = Player.objects.get(pk=wanted.id)
    if found.kind != "guest" or found.created_at < now - PRESSED_TWICE:
        return new_guest(name=shown, now=now)
    return found


def _id_of(mark: str) -> str:
    """The id of who did this: as long as any, and nothing that could be traced back."""
    digest = salted_hmac("accounts.press", mark, algorithm="sha256").digest()
    return base64.b32encode(digest[:10]).decode().lower()


def create_guest(*, name: str | None, now: datetime) -> tuple[Player, str]:
    """Make a guest, and the token that only its owner will ever have."""
    with transaction.atomic():
        player = new_guest(name=name, now=now)
        return player, _token_for(player, now)


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


# As plain as it is frequent: the ORM would take four times as long.
_SEEN = "UPDATE accounts_player SET seen_at = %s WHERE id = %s"


def seen(*, player_id: str, before: datetime | None, now: datetime) -> datetime | None:
    """Note that this player is there, whom we saw `before`, at most every few seconds.

    Returns when that was noted last. Where it fails, it is no fault of theirs.
    """
    if before is not None and before > now - NOTED_EVERY:
        return before
    try:
        with connection.cursor() as cursor:
            cursor.execute(_SEEN, [connection.ops.adapt_datetimefield_value(now), player_id])
    except OperationalError as error:
        _log.warning("not_noted", player=player_id, error=type(error).__name__)
        return before
    return now
