"""Who stays for a while, what they showed at the door, and whether it still counts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q

from accounts.models import Player, Token, User
from accounts.queries import digest_of

NOTED_EVERY = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A player with the token or the session that they came with; nobody in particular has neither."""

    player_id: str | None = None
    token: str = field(default="", repr=False)  # its digest
    session: str = field(default="", repr=False)
    user_id: int | None = None
    password_mark: str = field(default="", repr=False)  # another one after a change of password


STRANGER = Visitor()


def visitor_with_token(player: Player, token: str) -> Visitor:
    """Return the visitor who brought this token."""
    return Visitor(player_id=player.id, token=digest_of(token))


def visitor_with_session(player: Player, user: User | AnonymousUser, session: str) -> Visitor:
    """Return the visitor who is signed in to the site in this session, or whom it remembers as a guest."""
    if not isinstance(user, User):
        return Visitor(player_id=player.id, session=session)
    mark = user.get_session_auth_hash()
    return Visitor(player_id=player.id, session=session, user_id=user.pk, password_mark=mark)


def still_good(visitors: Iterable[Visitor], *, now: datetime) -> frozenset[Visitor]:
    """Return those whose token has not been taken away, and who have not been signed out."""
    visitors = frozenset(visitors)
    tokens = _tokens({each.token for each in visitors if each.token})
    sessions = _sessions({each.session for each in visitors if each.session}, now=now)
    marks = _password_marks({each.user_id for each in visitors if each.user_id is not None})
    return frozenset(
        each
        for each in visitors
        if (not each.token or each.token in tokens)
        and (not each.session or each.session in sessions)
        and (each.user_id is None or marks.get(each.user_id) == each.password_mark)
    )


def note_seen(player_ids: Iterable[str], *, now: datetime) -> None:
    """Note that these players are there, each at most every few seconds."""
    stale = Q(seen_at__isnull=True) | Q(seen_at__lte=now - NOTED_EVERY)
    late = list(Player.objects.filter(stale, pk__in=set(player_ids)).values_list("pk", flat=True))
    if not late:
        return
    with transaction.atomic():
        # Whom somebody else is noting just now they note for us; and nobody waits for anybody in a ring.
        free = Player.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=late)
        Player.objects.filter(stale, pk__in=list(free.values_list("pk", flat=True))).update(seen_at=now)


def _tokens(digests: Collection[str]) -> set[str]:
    if not digests:
        return set()
    return set(Token.objects.filter(digest__in=digests).values_list("digest", flat=True))


def _sessions(keys: Collection[str], *, now: datetime) -> set[str]:
    if not keys:
        return set()
    running = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    return set(running.values_list("session_key", flat=True))


def _password_marks(user_ids: Collection[int]) -> dict[int, str]:
    if not user_ids:
        return {}
    users = User.objects.filter(pk__in=user_ids, is_active=True).only("pk", "password")
    return {user.pk: user.get_session_auth_hash() for user in users}
