#!/usr/bin/env python3
"""A bot for Longbluff, to begin from: it sits down at a table and plays the match to its end.

    python3 examples/bot.py http://127.0.0.1:8000 TOKEN TABLE
    python3 examples/bot.py http://127.0.0.1:8000 TOKEN         every public casual table with a free seat

It needs Python 3.11 and nothing else. The token is shown once when you make a bot on the page "Your bots"
(/me/bots), or by `manage.py bot YOU --name "Alice's bot"`. What a bot sees and does is what everybody sees
and does through the API; /api/v1/docs has all of it.

How it works: the event stream of a table only says that something changed. The bot then asks for the view of
the table, in which `legal` says what it may do now, and null means that there is nothing to do but wait.
The one function to replace with something cleverer is `choose`.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from math import comb
from typing import Any

View = dict[str, Any]

SILENCE_SECONDS = 60
"""The stream says something every 20 seconds at least; after a minute of nothing the line is dead."""


class Refused(Exception):
    """The site said no: `status` and `code` are for programs, the message is for people."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('message')}")
        self.status = status
        self.code = problem.get("code")


class Site:
    """The API of one site, for the holder of one token."""

    def __init__(self, address: str, token: str) -> None:
        self._api = f"{address.rstrip('/')}/api/v1/"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One request and its answer. It waits when asked to, and tries again when the line drops."""
        pause = 1.0
        while True:
            try:
                with self._open(method, path, body) as answer:
                    found: dict[str, Any] = json.load(answer)
                    return found
            except urllib.error.HTTPError as error:
                problem = _problem(error)
                if error.code not in (429, 502, 503, 504):
                    raise Refused(error.code, problem) from None
                pause = float(error.headers.get("Retry-After") or pause)
            except OSError:
                pass  # no connection; what was sent twice is refused as stale, so nothing is done twice
            time.sleep(pause)
            pause = min(2 * pause, 30.0)

    def changes(self, table: str) -> Iterator[int]:
        """The version of a table, at once and whenever it changes; a line that drops is taken up again."""
        pause = 1.0
        while True:
            try:
                with self._open("GET", f"tables/{table}/events") as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            pause = 1.0
                            yield json.loads(line[5:])["version"]
            except urllib.error.HTTPError as error:
                if error.code not in (429, 502, 503, 504):
                    raise Refused(error.code, _problem(error)) from None
            except OSError:
                pass
            time.sleep(pause)
            pause = min(2 * pause, 30.0)

    def _open(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._api + path, content, self._headers, method=method)
        return urllib.request.urlopen(request, timeout=SILENCE_SECONDS)


def choose(view: View) -> dict[str, Any]:
    """The move to make, of those that are legal: call what is likely false, else make the likeliest raise."""
    legal, round = view["legal"], view["round"]
    if legal["next_round"]:
        return {"type": "next_round"}
    raises = [
        {"total": lowest} if face == "total" else {"quantity": lowest, "face": int(face)}
        for face, (lowest, _) in legal["bids"].items()
    ]
    if legal["liar"] and (not raises or chance(view, round["bids"][-1]) < 0.5):
        return {"type": "liar"}
    return {"type": "bid", **max(raises, key=lambda bid: chance(view, bid))}


def chance(view: View, bid: dict[str, Any]) -> float:
    """How likely a bid is, with one's own dice known and all others as they may fall."""
    rules, round = view["rules"], view["round"]
    hand, hidden = round["hand"], round["dice_in_play"] - len(round["hand"])
    if "total" in bid:
        return chance_of_total(hidden, bid["total"] - sum(hand))
    face = bid["face"]
    wild = rules["ones"] != "straight" and not round["palifico"] and face != 1
    missing = bid["quantity"] - sum(1 for die in hand if die == face or (wild and die == 1))
    hit = 2 / 6 if wild else 1 / 6
    return sum(
        comb(hidden, n) * hit**n * (1 - hit) ** (hidden - n) for n in range(max(0, missing), hidden + 1)
    )


def chance_of_total(dice: int, wanted: int) -> float:
    """How likely so many dice come to so much or more."""
    ways = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, 7):
                more[total + face] = more.get(total + face, 0) + count
        ways = more
    return sum(count for total, count in ways.items() if total >= wanted) / 6**dice


def play(site: Site, table: str) -> View:
    """Play at this table until its match is over, and return how it stands then."""
    me = site.ask("GET", "me")["player"]["id"]
    view = site.ask("GET", f"tables/{table}")
    if view["status"] == "open" and not _sits(view, me):
        view = site.ask("POST", f"tables/{table}/seats", {})
    for version in site.changes(table):
        if version > view["version"]:
            view = site.ask("GET", f"tables/{table}")
        while view["legal"] is not None:
            view = act(site, view)
        if view["status"] == "finished":
            return view
    raise AssertionError("changes never end")


def act(site: Site, view: View) -> View:
    """Make one move, and return the view after it. Where the table moved on meanwhile, look again."""
    action = {**choose(view), "version": view["version"]}
    try:
        return site.ask("POST", f"tables/{view['id']}/actions", action)
    except Refused as refused:
        if refused.status not in (409, 422):
            raise
        return site.ask("GET", f"tables/{view['id']}")


def tables_to_join(site: Site) -> Iterator[str]:
    """Public casual tables with a free seat, one after another, for ever."""
    tried: set[str] = set()
    while True:
        for table in site.ask("GET", "tables?status=open&mode=casual")["results"]:
            if table["id"] not in tried and any(seat["player"] is None for seat in table["seats"]):
                tried.add(table["id"])
                yield table["id"]
        time.sleep(10)


def _sits(view: View, me: str) -> bool:
    return any(seat["player"] is not None and seat["player"]["id"] == me for seat in view["seats"])


def _problem(error: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        found = json.load(error)
    except ValueError:
        return {"message": error.reason}
    return found if isinstance(found, dict) else {}


def main() -> None:
    """Play at the table that was named, or wherever there is a seat."""
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    site = Site(*sys.argv[1:3])
    for table in sys.argv[3:] or tables_to_join(site):
        try:
            view = play(site, table)
        except Refused as refused:
            print(f"{table}: {refused}", flush=True)
            continue
        winner = (view["result"] or {}).get("winner")
        name = "nobody" if winner is None else view["seats"][winner]["player"]["name"]
        print(f"{table}: {name} won", flush=True)


if __name__ == "__main__":
    main()
