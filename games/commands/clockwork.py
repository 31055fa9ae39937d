"""What time and computers do at a table, found in the rows and done under the lock; twice is harmless.

A computer thinks outside the lock, from the view of its seat, and answers with a version like anybody else.
Its move for a person whose time is over is made in the same transaction as the strike.
"""

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from games import live
from games.commands.play import advance, with_what_it_needs
from games.computers.registry import computer
from games.engine.actions import Act, Leave, RevealOver, TimeOut
from games.engine.moves import Move
from games.engine.view import Viewer, view_for
from games.models import Notice, Seat, Table
from games.store.reading import absent_seats, load, load_unlocked, lock, peek
from games.store.rows import Loaded, TableRow

SUBSTITUTE = ("normal", "quill")
"""Level and character of the computer that plays for a person who left, or whose time is over."""

PUT_OFF = timedelta(minutes=1)
ABSENT_AFTER = timedelta(seconds=60)
UNTOUCHED = timedelta(days=30)


def computers_due(*, now: datetime, most: int) -> list[str]:
    """The tables where a computer has thought enough, the longest due first."""
    due = Table.objects.filter(computer_due_at__lte=now).order_by("computer_due_at")
    return list(due.values_list("id", flat=True)[:most])


def tables_due(*, now: datetime, most: int) -> list[str]:
    """The tables where a person's turn or a reveal is over, the longest due first."""
    due = Table.objects.filter(due_at__lte=now, computer_due_at__isnull=True).order_by("due_at")
    return list(due.values_list("id", flat=True)[:most])


def run_computer(*, table_id: str, now: datetime) -> bool:
    """Let the computer whose turn it is move, if it has thought enough; was there anything to do?"""
    found = peek(table_id, None)
    if found is None or not _over(found[0].computer_due_at, now):
        return False
    table = load_unlocked(found[0])
    turn = table.state.turn
    if turn is None or table.state.seat(turn).person:
        return False
    act = _choose(table, turn)
    with transaction.atomic():
        row = _unchanged(table.row, wait=True)
        if row is None:
            return False
        advance(with_what_it_needs(load(row), act.move), act, now=now)
    return True


def run_due_table(*, table_id: str, now: datetime) -> bool:
    """End the turn or the reveal whose time is over; was there anything to do?

    A turn that is over is a strike, and the computer moves; a reveal that is over begins the next round.
    """
    found = peek(table_id, None)
    if found is None or not _over(found[0].due_at, now):
        return False
    table = load_unlocked(found[0])
    turn = table.state.turn
    if turn is not None and not table.state.seat(turn).person:
        return False
    move = None if turn is None else _choose(table, turn).move
    with transaction.atomic():
        row = _unchanged(table.row, wait=False)
        if row is None or not _over(row.due_at, now):
            return False
        if move is None:
            return advance(load(row), RevealOver(), now=now).row.version > row.version
        _time_out(load(row), move, now=now)
    return True


def _time_out(table: Loaded, move: Move, *, now: datetime) -> None:
    """Strike the person to move; unless that forfeits the match, the computer makes the move."""
    turn = table.state.turn
    after = advance(table, TimeOut(), now=now)
    if turn is not None and after.state.status == "bidding":
        absent = after.state.seat(turn).person
        advance(with_what_it_needs(after, move), Act(seat=turn, move=move, auto=absent), now=now)


def put_off(*, table_id: str, now: datetime) -> None:
    """Let a table whose computer cannot move wait a minute, so that it does not stand before all others."""
    late = Table.objects.filter(pk=table_id, computer_due_at__lte=now)
    late.update(computer_due_at=now + PUT_OFF)


def absent(*, now: datetime, most: int) -> list[tuple[str, int]]:
    """Table and seat of people whose connection has been gone for a minute at a live table."""
    return absent_seats(since=now - ABSENT_AFTER, most=most)


def leave_absent(*, table_id: str, seat: int, now: datetime) -> bool:
    """Let a person who is gone leave a live table, if they still are; did they leave?"""
    with transaction.atomic():
        row = lock(table_id, wait=False)
        if row is None or row.clock.kind != "live" or row.status not in ("bidding", "revealed"):
            return False
        table = load(row)
        player = Player.objects.filter(pk=table.seat(seat).player_id).first()
        if player is None or (player.seen_at is not None and player.seen_at > now - ABSENT_AFTER):
            return False
        return advance(table, Leave(seat), now=now).row.version > row.version


def anybody_seen(*, since: datetime) -> bool:
    """Was anybody at all seen since then? Where nobody was, it may be the service that is away."""
    return Player.objects.filter(seen_at__gte=since).exists()


def close_untouched(*, now: datetime, most: int) -> int:
    """Close open tables that nobody touched for thirty days, with a notice for who sat there; how many?"""
    untouched = Table.objects.filter(status="open", updated_at__lt=now - UNTOUCHED)
    closed = 0
    for table_id in list(untouched.order_by("updated_at").values_list("id", flat=True)[:most]):
        with transaction.atomic():
            row = lock(table_id, wait=False)
            if row is None or row.status != "open" or row.updated_at >= now - UNTOUCHED:
                continue
            _close_with_notice(row, now=now)
            closed += 1
    return closed


def _close_with_notice(row: TableRow, *, now: datetime) -> None:
    sitting = Seat.objects.filter(table_id=row.id, player__isnull=False).values_list("player_id", flat=True)
    Notice.objects.bulk_create(
        Notice(player_id=player_id, kind="expired", table_id=row.id, table_name=row.name, at=now)
        for player_id in sorted({row.host_id, *filter(None, sitting)})
    )
    Table.objects.filter(pk=row.id).delete()
    live.announce(row.id, row.version + 1)


def _unchanged(row: TableRow, *, wait: bool) -> TableRow | None:
    """The row under its lock, where it is still the one that was thought about."""
    locked = lock(row.id, wait=wait)
    return locked if locked is not None and locked.version == row.version else None


def _over(due_at: datetime | None, now: datetime) -> bool:
    return due_at is not None and due_at <= now


def _choose(table: Loaded, turn: int) -> Act:
    """What the computer at this seat does, or the one that moves for its person."""
    seat = table.seat(turn)
    player = computer(seat.level or SUBSTITUTE[0], seat.character or SUBSTITUTE[1])
    view = view_for(table.opened({turn}).state, Viewer("player", turn))
    rng = random.Random(secrets.randbits(64))
    move = player.choose(view, rng)
    return Act(seat=turn, move=move, tell=table.row.tells and player.tells(view, move, rng))
