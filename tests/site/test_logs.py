"""What a whole match leaves in the log of a real server, as loud as it can be."""

import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import a_home, serving
from tests.tables import a_move

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("club")]

IN_A_MOVE = {"event", "table", "version", "seat", "kind", "ms", "request", "logger", "level", "timestamp"}


class Match:
    """A match of Alice, Bob and a computer over HTTP, and every secret that came by."""

    def __init__(self, address: str) -> None:
        self.api = httpx.Client(base_url=f"{address}/api/v1/", timeout=20)
        self.tokens = [
            self.api.post("guests", json={"name": name}).json()["token"] for name in ("Alice", "Bob")
        ]
        self.secrets = set(self.tokens)
        self.hands: set[tuple[int, ...]] = set()
        self.moves = 0
        table = self._post(0, "tables", {"rules": {"seats": 3}, "visibility": "private"}).json()
        self.id = table["id"]
        self.secrets.add(invite := self._post(0, f"tables/{self.id}/invites", {}).json()["invite"])
        self._post(0, f"tables/{self.id}/computers", {"level": "easy"})
        self._post(1, f"tables/{self.id}/seats", {"invite": invite, "client_seed": self._seed()})

    def play(self) -> dict[str, Any]:
        """Play to the end; return the archive."""
        rng = random.Random(11)
        while self._see(0)["status"] != "finished":
            for seat in (0, 1):
                mine = self._see(seat)
                if mine["legal"]:
                    action = {**a_move(mine, rng), "version": mine["version"]}
                    self.moves += self._post(seat, f"tables/{self.id}/actions", action).status_code == 200
        archive = self.api.get(f"tables/{self.id}/archive", headers=self._who(0))
        return archive.json()

    def _see(self, seat: int) -> dict[str, Any]:
        view = self.api.get(f"tables/{self.id}", headers=self._who(seat)).json()
        if view["round"] and view["round"]["hand"]:
            self.hands.add(tuple(view["round"]["hand"]))
        return view

    def _post(self, seat: int, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.api.post(path, json=body, headers={**self._who(seat), "Idempotency-Key": self._seed()})

    def _seed(self) -> str:
        self.secrets.add(seed := f"{random.getrandbits(128):032x}")
        return seed

    def _who(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


def values_of(document: Any) -> set[str]:
    """Every text of a document that is long enough to be a secret or a seed."""
    if isinstance(document, dict):
        return set().union(*map(values_of, document.values()))
    if isinstance(document, list):
        return set().union(*map(values_of, document))
    return {document} if isinstance(document, str) and len(document) >= 32 else set()


@pytest.fixture(scope="module")
def played() -> tuple[list[str], Match, set[str], dict[str, Any]]:
    with a_home() as home, tempfile.TemporaryFile("w+") as log:
        with serving(
            home, log=log, LOG_LEVEL="DEBUG", DEBUG="on", THROTTLE_LOOPBACK="off", COMPUTER_THINK_SECONDS="0"
        ) as served:
            match = Match(served.address)
            archive = match.play()
        keys = {
            line
            for name in ("secret_key", "sealing_keys")
            for line in (Path(home["DATA_DIR"]) / name).read_text().split()
        }
        log.seek(0)
        return log.read().splitlines(), match, keys, archive


def test_every_line_is_one_json_object(played):
    lines, *_ = played

    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_every_move_has_one_line_that_says_no_more_than_everybody_may_know(played):
    lines, match, *_ = played
    moves = [line for line in map(json.loads, lines) if line["event"] == "move" and line["table"] == match.id]

    # Each is written after its commit, so that two may come in either order.
    versions = sorted(move["version"] for move in moves)
    assert versions == list(range(versions[0], versions[0] + len(moves)))
    assert len([move for move in moves if move["kind"] in ("bid", "liar", "exact")]) > match.moves / 2 > 5
    assert all(move.keys() <= IN_A_MOVE for move in moves)
    assert all(isinstance(move["ms"], int | float) and 0 <= move["ms"] < 10_000 for move in moves)
    assert all(re.fullmatch("[a-z_]+", move["kind"]) for move in moves)
    assert any("request" in move for move in moves)  # a person's
    assert any("request" not in move for move in moves)  # a computer's


def test_no_line_holds_a_secret_a_seed_a_token_or_a_key(played):
    lines, match, keys, archive = played
    secrets = match.secrets | keys | values_of(archive)
    text = "\n".join(lines)

    assert len(keys) == 2
    assert len(secrets) > 20
    assert [secret for secret in secrets if secret in text] == []


def test_no_line_holds_a_hand(played):
    lines, match, *_ = played
    long_enough = {hand for hand in match.hands if len(hand) >= 3}
    text = "\n".join(lines)

    assert len(long_enough) > 5
    for hand in long_enough:
        for between in ("", ",", ", ", " ", "-"):
            shown = between.join(map(str, hand))
            # A row of digits inside a longer number, such as a fraction of a second, is no hand.
            assert not re.search(rf"(?<![\d.:+a-z]){re.escape(shown)}(?![\d.:a-z])", text), shown
