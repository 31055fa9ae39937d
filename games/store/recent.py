"""Tables as the latest bids of this process left them, so that the bids that follow need not read them.

Nothing of it is trusted. Who bids at a table from here brings a `Proof`, and what is saved moves the table
only from the very state that is remembered, and only while the proof holds; else nothing is written, and the
rows are asked. Nobody is shown anything from here, as a name may have changed. Hands are as sealed as in the
rows.
"""

from collections import OrderedDict
from dataclasses import replace

from games.store.rows import Loaded, Proof

MOST = 1000
"""The tables that are remembered; of more, those whose first bid from here is the longest ago are let go."""

# Each of its methods is one step for other threads.
_kept: OrderedDict[str, Loaded] = OrderedDict()


def keep(table: Loaded) -> None:
    """Remember a table that a bid has brought to this state, once that is committed."""
    round = table.state.round
    if round is None or round.hands:
        return
    _kept[table.row.id] = table
    while len(_kept) > MOST:
        _kept.popitem(last=False)


def at_version(table_id: str, version: int, *, proof: Proof) -> Loaded | None:
    """The table as it was left at this version, to be saved with this proof; None where it is not known."""
    table = _kept.get(table_id)
    return replace(table, proof=proof) if table is not None and table.row.version == version else None
