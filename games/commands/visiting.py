"""Following a table: what somebody has seen of it, and whose cups they have lifted."""

from django.db import DatabaseError, transaction

from games.store.visits import Followed, followed, save_visit


def look(*, table_id: str, player_id: str, version: int, before: Followed | None) -> None:
    """Note that this player saw this version; where it cannot be noted, nothing is lost but a reminder."""
    was = before or Followed()
    if version <= was.version:
        return
    try:
        with transaction.atomic():
            save_visit(table_id, player_id, Followed(version=version, lifted=was.lifted))
    except DatabaseError:
        return


def lift(*, table_id: str, player_id: str, number: int) -> None:
    """Note that this player lifted the cups of this round; what was lifted stays so."""
    with transaction.atomic():
        was = followed(table_id, player_id) or Followed()
        if number > was.lifted:
            save_visit(table_id, player_id, Followed(version=was.version, lifted=number))
