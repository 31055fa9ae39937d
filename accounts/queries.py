"""Who somebody is."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef

from accounts.models import Player, Preferences, Token, User
from accounts.names import account_name

# Every request begins with this one: as plain SQL it costs a third of what building the query would.
_BY_TOKEN = """
    SELECT p.id, p.name, p.user_id, p.created_at, p.seen_at, p.bot_since, p.owner_id
    FROM accounts_token t JOIN accounts_player p ON p.id = t.player_id
    WHERE t.digest = %s
"""


def digest_of(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def player_by_token(token: str) -> Player | None:
    """Return whose token this is, or None if it is nobody's."""
    return next(iter(Player.objects.raw(_BY_TOKEN, [digest_of(token)])), None)


def player_of_user(user: User | AnonymousUser) -> Player | None:
    """Return the player of an account, made when it first plays; None for whoever is not signed in."""
    if not isinstance(user, User) or not user.is_active:
        return None
    # The player counts from the day of the account, so that nobody has to bring the time of day here.
    player, _ = Player.objects.get_or_create(
        user=user,
        defaults={"name": account_name(user.first_name or user.username), "created_at": user.date_joined},
    )
    return player


def player_by_id(player_id: str) -> Player | None:
    """Return this player, or None; what comes in an address may be anything."""
    if not (player_id.isascii() and player_id.isalnum()):
        return None
    return Player.objects.filter(pk=player_id).first()


def mail_address_of(player: Player | None) -> str:
    """Return where a player is written to: the confirmed e-mail of their account, or nothing."""
    if player is None or player.user_id is None:
        return ""
    found = EmailAddress.objects.filter(user_id=player.user_id, primary=True, verified=True)
    return found.values_list("email", flat=True).first() or ""


def bots_of(user: User) -> list[Player]:
    """Return the bots that an account answers for, the oldest first; those without a token are at rest."""
    tokens = Token.objects.filter(player=OuterRef("pk"))
    bots = Player.objects.filter(owner=user, bot_since__isnull=False).annotate(has_token=Exists(tokens))
    return list(bots.order_by("created_at"))


def player_document(player: Player) -> dict[str, str]:
    """Return what others are told of a player."""
    return {"id": player.id, "name": player.name, "kind": player.kind}


def preferences_of(player: Player | None) -> Preferences:
    """Return how this player likes the site; who never said anything, or is nobody, likes the defaults."""
    if player is None:
        return Preferences()
    try:
        kept: Preferences = player.preferences  # often read together with the player
    except Preferences.DoesNotExist:
        return Preferences(player=player)
    return kept


def seen_at(player_ids: Iterable[str]) -> dict[str, datetime | None]:
    """Return when each of these players was there last, to within a few seconds."""
    return dict(Player.objects.filter(pk__in=list(player_ids)).values_list("pk", "seen_at"))
