"""Who asks about a table, and the table: what a request with a token needs to know, read at once."""

from dataclasses import dataclass
from datetime import datetime

from accounts.queries import digest_of
from games.store.reading import read_for_token
from games.store.rows import Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A player by their token, and the table they ask about, None where there is none."""

    player_id: str
    seen_at: datetime | None
    table: Loaded | None


def asking(table_id: str, *, token: str) -> Asking | None:
    """Whose token this is, with the table; None for a token that is nobody's."""
    found = read_for_token(table_id, digest_of(token))
    if found is None:
        return None
    player_id, seen_at, table = found
    return Asking(player_id=player_id, seen_at=seen_at, table=table)
