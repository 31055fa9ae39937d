"""How far somebody has followed a table: the version they saw, and the round whose cups they lifted."""

from dataclasses import dataclass

from games.models import Visit


@dataclass(frozen=True, slots=True)
class Followed:
    """The version of a table that somebody saw last, and the latest round whose cups they lifted."""

    version: int = 0
    lifted: int = 0


def followed(table_id: str, player_id: str) -> Followed | None:
    """How far this player has followed the table; None for who was never here."""
    found = Visit.objects.filter(table_id=table_id, player_id=player_id).values_list("version", "lifted")
    row = found.first()
    return None if row is None else Followed(*row)


def lifted_rounds(player_id: str, table_ids: list[str]) -> dict[str, int]:
    """The latest round whose cups this player has lifted, of each table that they ever looked at."""
    rows = Visit.objects.filter(player_id=player_id, table_id__in=table_ids)
    return dict(rows.values_list("table_id", "lifted"))


def save_visit(table_id: str, player_id: str, followed: Followed) -> None:
    """Keep how far this player has followed the table."""
    Visit.objects.bulk_create(
        [Visit(table_id=table_id, player_id=player_id, version=followed.version, lifted=followed.lifted)],
        update_conflicts=True,
        unique_fields=["table", "player"],
        update_fields=["version", "lifted"],
    )
