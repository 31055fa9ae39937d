"""People who follow the stream of a table, and strangers who look now and then."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import urlsplit

from tests.faults.line import API, EXPECTED, Line, Lost
from tests.faults.players import Party, Player
from tests.faults.told import Sight, Told, a_sight

_opened = itertools.count(1)


class Follower(threading.Thread):
    """Somebody whose stream is open as long as it lasts, and is opened again when it breaks."""

    def __init__(self, player: Player, *, address: str, told: Told, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.player, self.address, self.told, self.stop = player, address, told, stop

    def run(self) -> None:
        while not self.stop.is_set():
            table = self.player.party.table
            if table is not None:
                try:
                    self._follow(table)
                except (OSError, http.client.HTTPException, ValueError):
                    self.told.answered("stream broken")
            self.stop.wait(0.3)

    def _follow(self, table: str) -> None:
        name = f"stream {next(_opened)}"
        stream = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)
        with closing(stream):
            asked = time.time()
            headers = {"Authorization": f"Bearer {self.player.line.token}"}
            stream.request("GET", f"{API}tables/{table}/events", headers=headers)
            response = stream.getresponse()
            wrong = response.status not in EXPECTED
            self.told.answered(f"stream {response.status}", f"the stream: {response.status}" if wrong else "")
            if response.status != 200:
                self.stop.wait(float(response.headers.get("retry-after", "1")))
                return
            for version in self._versions(response, table):
                self.told.saw(
                    Sight(
                        table=table,
                        viewer=self.player.actor.id,
                        by=name,
                        asked=asked,
                        seen=time.time(),
                        version=version,
                    )
                )

    def _versions(self, response: http.client.HTTPResponse, table: str) -> Iterator[int]:
        while not self.stop.is_set() and self.player.party.table == table and (line := response.readline()):
            if line.startswith(b"data: "):
                yield int(json.loads(line.removeprefix(b"data: "))["version"])


class Watcher(threading.Thread):
    """Carol, whom nobody knows: looks at one public table after another and sees no hand."""

    def __init__(self, parties: list[Party], *, address: str, told: Told, rng: random.Random,
                 stop: threading.Event) -> None:  # fmt: skip
        super().__init__(daemon=True)
        self.parties, self.rng, self.stop, self.told = parties, rng, stop, told
        self.line = Line(address, told)

    def run(self) -> None:
        while not self.stop.is_set():
            table = self.rng.choice(self.parties).table
            if table is not None:
                with suppress(Lost):
                    self._look(table)
            self.stop.wait(0.2)

    def _look(self, table: str) -> None:
        answer = self.line.ask("GET", f"tables/{table}")
        if answer.status == 200:
            self.told.saw(
                a_sight(answer.document, viewer=None, by="view", asked=answer.sent, seen=answer.came)
            )
