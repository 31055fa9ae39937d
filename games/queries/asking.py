"""Who asks about a table, and the table: what a request with a token needs, read at once or remembered."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection

from accounts.queries import digest_of
from games.store import recent
from games.store.reading import read_for_token
from games.store.rows import Loaded, Proof

MOST = 4000
"""The tokens that this process remembers, by their digests."""

# Each of its methods is one step for other threads.
_met: OrderedDict[str, "Asking"] = OrderedDict()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Asking:
    """A player by their token, and the table they ask about, None where there is none."""

    player_id: str
    seen_at: datetime | None
    digest: str
    table_id: str
    table: Loaded | None

    @property
    def proof(self) -> Proof | None:
        """What must hold when a step from this table is saved, where it was not read just now."""
        return self.table.proof if self.table else None


def asking(table_id: str, *, token: str) -> Asking | None:
    """Whose token this is, with the table; None for a token that is nobody's."""
    digest = digest_of(token)
    found = read_for_token(table_id, digest)
    if found is None:
        _met.pop(digest, None)
        return None
    player_id, seen_at, table = found
    return Asking(player_id=player_id, seen_at=seen_at, digest=digest, table_id=table_id, table=table)


def remembered(table_id: str, version: int, *, token: str) -> Asking | None:
    """The same as far as this process remembers, for a bid at this version that is saved with a proof.

    None where it does not, and where whatever is saved would be part of a transaction.
    """
    who = _met.get(digest_of(token))
    if who is None or connection.in_atomic_block:
        return None
    proof = Proof(digest=who.digest, player_id=who.player_id)
    table = recent.at_version(table_id, version, proof=proof)
    return None if table is None else replace(who, table_id=table_id, table=table)


def remember(who: Asking, *, seen_at: datetime | None) -> None:
    """Know this token for a while, and when its player was seen last."""
    _met[who.digest] = replace(who, seen_at=seen_at, table=None)
    while len(_met) > MOST:
        _met.popitem(last=False)
