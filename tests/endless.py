"""A match that never ends, and what each of its moves costs.

Its owner practises for all four seats, sees every hand, bids exactly what lies there and calls it exact:
nobody loses a die, so that every round is like the first.
"""

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.people import Person

SEATS = 4
_PRESENCE = '"accounts_player" SET "seen_at"'
_TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one move took: milliseconds, statements (presence and transactions apart), bytes answered."""

    kind: str
    milliseconds: float
    statements: int
    size: int


class Endless:
    """A match that goes on for as long as one likes."""

    def __init__(self, owner: Person) -> None:
        rules = {"seats": SEATS, "ones": "straight", "exact": "regain", "first_opener": "host"}
        self._owner = owner
        self._view = owner.opens(mode="practice", rules=rules)
        self.id = self._view["id"]

    @property
    def number(self) -> int:
        """The rounds that have begun."""
        return int(self._view["round"]["number"] if self._view["round"] else self._view["reveal"]["number"])

    def play_round(self) -> list[Cost]:
        """A bid, a call and the next round."""
        opener = self._view["round"]["turn"]
        dice = Counter(die for seat in range(SEATS) for die in self._hand(seat))
        face, quantity = max(dice.items(), key=lambda item: (item[1], item[0]))
        return [
            self._act(type="bid", quantity=quantity, face=face, seat=opener),
            self._act(type="exact", seat=(opener + 1) % SEATS),
            self._act(type="next_round", seat=(opener + 1) % SEATS),
        ]

    def _hand(self, seat: int) -> list[int]:
        hand: list[int] = self._owner.sees(self.id, **{"as": seat})["round"]["hand"]
        return hand

    def _act(self, **action: Any) -> Cost:
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as captured:
            answer = self._owner.acts(self.id, self._view["version"], **action)
        took = (time.perf_counter() - began) * 1000
        assert answer.status_code == 200, answer.content
        self._view = answer.json()
        asked = [query["sql"] for query in captured.captured_queries]
        counted = [sql for sql in asked if not sql.startswith(_TRANSACTION) and _PRESENCE not in sql]
        return Cost(action["type"], took, len(counted), len(answer.content))
