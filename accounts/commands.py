"""What is done to accounts and guests."""

import secrets
from datetime import datetime

from django.db import transaction

from accounts import queries
from accounts.models import Player, Token
from accounts.names import NameRefused, fit_name, guest_name

__all__ = ["NameRefused", "create_guest"]


def create_guest(*, name: str | None, now: datetime) -> tuple[Player, str]:
    """Make a guest, and the token that only its owner will ever have."""
    token = secrets.token_urlsafe(32)
    shown = guest_name() if name is None else fit_name(name)
    with transaction.atomic():
        player = Player.objects.create(name=shown, created_at=now)
        Token.objects.create(digest=queries.digest_of(token), player=player, created_at=now)
    return player, token
