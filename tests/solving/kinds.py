"""The kinds of rules that tables are shipped for, and options of every kind there is."""

from itertools import product

from games.engine.rules import Rules

FULL = ("aces-others_lose", "aces-off", "straight-off", "straight-others_lose")
"""The kinds whose small endgames must be as good as exact."""

EVERY_RULES = [
    *(
        Rules(seats=2, ones=ones, open_on_ones=opens, exact=exact)
        for ones, opens, exact in product(
            ("aces", "wild", "low", "straight"), (False, True), ("off", "regain", "others_lose")
        )
        if ones == "aces" or not opens
    ),
    *(
        Rules(seats=2, bidding="sum", ones="straight", exact=exact)
        for exact in ("off", "regain", "others_lose")
    ),
]


def options_of(kind: str) -> dict[str, object]:
    """The options that a kind's name stands for."""
    ones, exact = kind.rsplit("-", 1)
    if ones == "sum":
        return {"bidding": "sum", "ones": "straight", "exact": exact}
    return {"ones": ones, "exact": exact}
