"""Mail that tells whose move it is: once a turn, to who wants it, and never what a reveal brought.

The rows of the tables say whom to tell: nothing has to be remembered by the move itself. A notice is claimed
before it is sent, so that two workers, or a crash, never send it twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from games.models import Notice, Seat, Visit

YOUR_MOVE = "your_move"
SETTLED = timedelta(minutes=1)
"""A turn is told of once it is this old: many are over sooner."""

AWAY = timedelta(minutes=5)
"""Who was seen since then sees for themselves."""

MOST_ATTEMPTS = 6
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Letter:
    """What a mail is written from: nothing that its reader does not know from the list of their tables."""

    subject: str
    template: str
    context: Mapping[str, Any]


def notice_turns(*, now: datetime, most: int) -> int:
    """Note whom to tell that it is their move, at most so many; how many?"""
    seats = _waiting_seats(now).order_by("table__began_at")[:most]
    notices = [
        Notice(
            player_id=seat.player_id or "",
            kind=YOUR_MOVE,
            table_id=seat.table_id,
            table_name=seat.table.name,
            turn=seat.table.began_at,
            at=now,
        )
        for seat in seats
    ]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    return len(notices)


def _waiting_seats(now: datetime) -> QuerySet[Seat]:
    """Seats whose person is awaited, wants to hear of it, and neither knows it yet nor has been told."""
    told = Notice.objects.filter(
        player_id=OuterRef("player_id"), table_id=OuterRef("table_id"), turn=OuterRef("table__began_at")
    )
    looked = Visit.objects.filter(
        player_id=OuterRef("player_id"),
        table_id=OuterRef("table_id"),
        version__gte=OuterRef("table__version"),
    )
    return (
        _awaited(Seat.objects.all())
        .filter(
            player__preferences__notices="mail",
            player__user__is_active=True,
            player__user__emailaddress__primary=True,
            player__user__emailaddress__verified=True,
            table__began_at__lte=now - SETTLED,
        )
        .exclude(player__seen_at__gt=now - AWAY)
        .filter(~Exists(told), ~Exists(looked))
        .select_related("table")
    )


def _awaited(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Those of these seats whose person a match waits for, where nobody has to sit and watch."""
    playing = seats.filter(
        over=False, left=None, table__status__in=("bidding", "revealed"), table__live=False
    )
    shifted = F("table__awaited").bitrightshift(F("number"))  # type: ignore[arg-type]  # it takes columns too
    bit = shifted.bitand(1)
    return playing.exclude(table__mode="practice").annotate(waits=bit).filter(waits=1)


def send_due(*, now: datetime, most: int) -> int:
    """Send the notices that wait, at most so many; how many were sent?"""
    wanted = Notice.objects.filter(told_at=None, at__lte=now, player__preferences__notices="mail")
    addressed = wanted.filter(
        player__user__emailaddress__primary=True, player__user__emailaddress__verified=True
    )
    waiting = addressed.annotate(address=F("player__user__emailaddress__email")).select_related(
        "player__preferences"
    )
    sent = 0
    with_server = get_connection()
    for notice in waiting.order_by("at")[:most]:
        sent += _send(notice, with_server, now=now)
    return sent


def _send(notice: Any, server: Any, *, now: datetime) -> bool:
    """Send one notice, unless somebody else does or it is out of date."""
    if not Notice.objects.filter(pk=notice.pk, told_at=None).update(told_at=now):
        return False
    letter = _letter(notice)
    if letter is None:
        return False
    try:
        _mail(notice, letter, server).send()
    except Exception as error:  # whatever a mail server that is away may raise
        _log.warning("notice_not_sent", notice=notice.pk, error=type(error).__name__)
        _try_again(notice, now=now)
        return False
    return True


def _try_again(notice: Any, *, now: datetime) -> None:
    """Let a notice wait, twice as long each time; in the end it is given up."""
    if notice.attempts + 1 < MOST_ATTEMPTS:
        later = now + timedelta(minutes=2**notice.attempts)
        Notice.objects.filter(pk=notice.pk).update(told_at=None, at=later, attempts=F("attempts") + 1)


def _letter(notice: Any) -> _Letter | None:
    """What to write; None where it is no longer so."""
    if notice.kind == "expired":
        return _Letter(f"{notice.table_name} was closed", "games/mail/expired.txt", {})
    waiting = _awaited(Seat.objects.filter(table_id=notice.table_id, player_id=notice.player_id))
    seat = waiting.filter(Q(table__began_at=notice.turn)).select_related("table").first()
    if seat is None:
        return None
    lifting = seat.table.status == "revealed"
    subject = "The cups are waiting" if lifting else "Your move"
    context = {"lifting": lifting, "due_at": seat.table.due_at}
    return _Letter(f"{subject}: {notice.table_name}", "games/mail/your_move.txt", context)


def _mail(notice: Any, letter: _Letter, server: Any) -> EmailMessage:
    zone = notice.player.preferences.time_zone or "UTC"
    context = {
        **letter.context,
        "table_name": notice.table_name,
        "zone": zone,
        "table_url": f"{settings.BASE_URL}{reverse('table', args=[notice.table_id])}",
        "preferences_url": f"{settings.BASE_URL}{reverse('preferences')}",
    }
    with timezone.override(ZoneInfo(zone)):
        text = render_to_string(letter.template, context)
    return EmailMessage(
        subject=" ".join(letter.subject.split()),
        body=text,
        to=[notice.address],
        # The same at every attempt: a mail that was taken after all is thrown away as known.
        headers={"Message-ID": f"<notice-{notice.pk}-{notice.table_id}@longbluff>"},
        connection=server,
    )
