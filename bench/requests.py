"""What a request costs over HTTP: milliseconds for actions and views, beside a request that reads no row.

    python -m bench.requests                                        on SQLite
    python -m tests.services postgresql -- python -m bench.requests on PostgreSQL

One client, one request after the other, against `manage.py serve`. Machines are noisy: read the ratios, which
are to the request without a row in the same run, each taken in turn with the others.
"""

import argparse
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx

from tests.serving import a_home, serving

FLOOR = "presets (no row)"


class Table:
    """A match of two guests, with moves made as they are asked for."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.tokens = [client.post("guests").json()["token"] for _ in range(2)]
        body = {"rules": {"seats": 2, "exact": "regain"}}
        self.id = client.post("tables", json=body, headers=self._who(0)).json()["id"]
        self.view = client.post(f"tables/{self.id}/seats", json={}, headers=self._who(1)).json()

    def act(self, **headers: str) -> str:
        """Make the next move of a match that goes round and round; return which kind it was."""
        seat = self.view["round"]["turn"] if self.view["round"] else self.view["reveal"]["next_opener"]
        action = self._action()
        answer = self.client.post(
            f"tables/{self.id}/actions",
            json={**action, "version": self.view["version"]},
            headers={**self._who(seat), **headers},
        )
        assert answer.status_code == 200, answer.text
        return str(action["type"])

    def look(self, **headers: str) -> httpx.Response:
        return self.client.get(f"tables/{self.id}", headers={**self._who(0), **headers})

    def refresh(self) -> bool:
        """Look again; is the match still going on?"""
        self.view = self.look().json()
        return self.view["status"] != "finished"

    def _action(self) -> dict[str, Any]:
        round = self.view["round"]
        if round is None:
            return {"type": "next_round"}
        bids = round["bids"]
        if len(bids) >= 6 or (bids and bids[-1]["quantity"] >= round["dice_in_play"]):
            return {"type": "liar"}
        quantity = bids[-1]["quantity"] + 1 if bids else 1
        return {"type": "bid", "quantity": quantity, "face": 3}

    def _who(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


def measure(client: httpx.Client, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every kind of request, each taken in turn."""
    took: dict[str, list[float]] = defaultdict(list)

    def timed(name: str, act: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        result = act()
        took[name].append((time.perf_counter() - began) * 1000)
        return result

    table = Table(client)
    for number in range(rounds):
        if not table.refresh():
            table = Table(client)
        timed(FLOOR, lambda: client.get("presets"))
        seen = timed("view", table.look)
        timed("view, unchanged (304)", partial(table.look, **{"If-None-Match": seen.headers["etag"]}))
        headers = {"Prefer": "return=minimal"} if number % 2 else {}
        began = time.perf_counter()
        kind = table.act(**headers)
        took[f"{kind}, {'minimal' if headers else 'with view'}"].append((time.perf_counter() - began) * 1000)
    return took


def report(took: dict[str, list[float]]) -> str:
    """A table of medians, 99th parts of a hundred, and ratios to the floor."""
    floor = statistics.median(took[FLOOR])
    lines = [f"{'request':28} {'n':>5} {'p50 ms':>8} {'p99 ms':>8} {'x floor':>8}"]
    for name in sorted(took):
        times = sorted(took[name])
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        median = statistics.median(times)
        lines.append(f"{name:28} {len(times):5} {median:8.2f} {p99:8.2f} {median / floor:8.2f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=600, help="of each kind (default 600)")
    wanted = parser.parse_args().requests
    database = "PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite"
    with a_home() as home, serving(home, THROTTLE_LOOPBACK="off") as served:
        print(database)
        with httpx.Client(base_url=f"{served.address}/api/v1/", timeout=30) as client:
            measure(client, 40)
            print(report(measure(client, wanted)))
    with a_home() as home:
        for start in ("first", "second"):
            with serving(home) as served:
                print(f"{start} start: ready after {served.ready_after:.2f} s")


if __name__ == "__main__":
    main()
