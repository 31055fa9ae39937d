"""A served club with tables in every state, so that requests made by chance hit something real."""

import random
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

API = "/api/v1"

DOES_WELL_AT = {
    "sit": "of Bob",
    "add_computer": "waiting",
    "free_seat": "waiting",
    "start": "waiting",
    "close_table": "private",
    "invite": "private",
    "act": "revealed",
    "one_round": "revealed",
    "archive": "over",
}
"""The table at which a call by Alice may well succeed; the others do so anywhere."""


@dataclass
class Stage:
    """Alice and Bob at a server, and the tables that they made there last."""

    address: str
    tokens: list[str] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=f"{self.address}{API}/", timeout=30)
        self.tokens = [
            self.client.post("guests", json={"name": name}).json()["token"] for name in ("Alice", "Bob")
        ]
        self._chance = random.Random(20)
        self._asked = count()

    def ask(self, who: int, method: str, path: str, body: Any = None) -> Any:
        """What one of them is answered; a refusal here is a fault of the test."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        answer = self.client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def keep_up(self) -> None:
        """Make tables anew now and then, one in each state: what is asked of them wears them out."""
        if next(self._asked) % 20 == 0:
            self._set_up()

    def _set_up(self) -> None:
        heads_up = {"rules": {"seats": 2, "first_opener": "host"}}
        self.tables = {
            "waiting": self._opens(rules={"seats": 6}, computers=[{"level": "easy"}]),
            "private": self._opens(rules={"seats": 3}, visibility="private"),
            "bidding": self._match(**heads_up),
            "total": self._match(**heads_up, preset="sum"),
            "revealed": self._match(**heads_up),
            "over": self._match(**heads_up),
            "practice": self._opens(mode="practice", rules={"seats": 2}),
            "of Bob": str(self.ask(1, "POST", "tables", {"rules": {"seats": 6}})["id"]),
        }
        for name in ("revealed", "over"):
            self._plays_a_round(self.tables[name])
        self.ask(1, "DELETE", f"tables/{self.tables['over']}/seats/me")

    def whose(self) -> dict[str, str]:
        """The headers of whoever asks next: mostly Alice, who made the tables, now and then nobody known."""
        who = self._chance.choice([0, 0, 0, 0, 0, 0, 0, 1, 1, None])
        return {} if who is None else {"Authorization": f"Bearer {self.tokens[who]}"}

    def a_table(self, call: str, made_up: str) -> str:
        """The id of a table: one where this call should do well, any other, or the one made up."""
        chance = self._chance.random()
        if chance < 0.4 and call in DOES_WELL_AT:
            return self.tables[DOES_WELL_AT[call]]
        return made_up if chance > 0.85 else self._chance.choice(list(self.tables.values()))

    def a_number(self, made_up: Any) -> Any:
        """The number of a seat or of a round, often one that is there."""
        return self._chance.choice([1, 1, 2, made_up])

    def version(self, table_id: str) -> int | None:
        """The version of a table, if there is such a table."""
        answer = self.client.get(f"tables/{table_id}", headers={"Authorization": f"Bearer {self.tokens[0]}"})
        return answer.json().get("version")

    def _opens(self, **wanted: Any) -> str:
        return str(self.ask(0, "POST", "tables", wanted)["id"])

    def _match(self, **wanted: Any) -> str:
        table_id = self._opens(**wanted)
        self.ask(1, "POST", f"tables/{table_id}/seats", {})
        return table_id

    def _plays_a_round(self, table_id: str) -> None:
        version = self.version(table_id)
        bid = {"type": "bid", "quantity": 9, "face": 6, "version": version}
        version = self.ask(0, "POST", f"tables/{table_id}/actions", bid)["version"]
        self.ask(1, "POST", f"tables/{table_id}/actions", {"type": "liar", "version": version})
