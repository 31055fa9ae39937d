"""The HTTP side of the stand-in service."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NoReturn
from urllib.parse import parse_qs, unquote, urlsplit

from tests.model.rulebook import DEFAULTS, PRESETS, VALUES, OptionsRefused, options
from tests.outside.standin import LOCK, No, Table

MOST_DIGITS = 4000
CREATION: dict[str, Any] = {
    "name": str, "preset": str, "mode": str, "clock": dict, "visibility": str, "computers": list,
    "client_seed": str, "sit": bool,
}  # fmt: skip


class Service(ThreadingHTTPServer):
    """Tables and guests in memory."""

    daemon_threads = True

    def __init__(self, faults: set[str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.faults = faults
        self.people: dict[str, dict[str, Any]] = {}
        self.tables: dict[str, Table] = {}
        self.answers: dict[tuple[str, str, str], tuple[bytes, int, Any]] = {}
        self.made = 0


@contextmanager
def serving(*faults: str) -> Iterator[str]:
    """Run the stand-in with these faults; yields its address."""
    service = Service(set(faults))
    thread = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{service.server_address[1]}"
    finally:
        service.shutdown()
        service.server_close()
        thread.join()


def need(body: dict[str, Any], name: str, kind: type) -> Any:
    """A field that must be there and of its type."""
    if type(body.get(name)) is not kind:
        raise No(400, "malformed", fields={name: ["This is missing or of the wrong type."]})
    return body[name]


def no_token() -> NoReturn:
    """Refuse who has no token where one is needed."""
    raise No(401, "not_authenticated")


def text_is_fine(seed: str) -> bool:
    """May this be a client seed?"""
    strange = any(char in "|\0" or "\ud800" <= char <= "\udfff" for char in seed)
    return len(seed) <= 64 and not strange


class Handler(BaseHTTPRequestHandler):
    """Everything of the contract that the program asks for."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Service

    def log_message(self, *words: Any) -> None: ...

    def do_GET(self) -> None:
        self._answer()

    do_POST = do_DELETE = do_GET  # noqa: N815 - http.server asks for these names

    def _answer(self) -> None:
        self.more: dict[str, str] = {}
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with LOCK:
            try:
                status, body = self._routed(raw)
            except No as no:
                status, body = no.status, no.body
        text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        for name, value in ({"Content-Type": "application/json"} | self.more).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def _routed(self, raw: bytes) -> tuple[int, Any]:
        parts = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.me = self._who()
        path = unquote(parts.path).removeprefix("/api/v1/")
        body = self._body(raw) if self.command == "POST" else {}
        for pattern, name in ROUTES:
            if match := re.fullmatch(pattern, f"{self.command} {path}"):
                return self._once(path, raw, name, match.groups(), body)
        raise No(404, "not_found")

    def _once(
        self, path: str, raw: bytes, name: str, groups: tuple[str, ...], body: dict[str, Any]
    ) -> tuple[int, Any]:
        """Answer a request with a key as it was answered the first time."""
        key = self.headers.get("Idempotency-Key")
        found: tuple[int, Any]
        if key is None or self.me is None:
            found = getattr(self, name)(*groups, body)
            return found
        known = self.server.answers.get((self.me["id"], path, key))
        if known and "key" not in self.server.faults:
            if known[0] != raw:
                raise No(422, "key_reused")
            self.more["Idempotency-Replayed"] = "true"
            return known[1], known[2]
        try:
            found = getattr(self, name)(*groups, body)
        except No as no:
            found = no.status, no.body
        self.server.answers[(self.me["id"], path, key)] = (raw, *found)
        return found

    def _who(self) -> dict[str, Any] | None:
        given = self.headers.get("Authorization")
        if given is None:
            return None
        known = self.server.people.get(given.removeprefix("Bearer "))
        return known or no_token()

    def _body(self, raw: bytes) -> dict[str, Any]:
        if self.me is None and not self.path.endswith("/guests"):
            no_token()
        try:
            if len(max(re.findall(rb"\d+", raw), key=len, default=b"")) > MOST_DIGITS:
                raise ValueError("too many digits")
            body = json.loads(raw)
        except (ValueError, RecursionError) as fault:
            raise No(400, "malformed") from fault
        if not isinstance(body, dict):
            raise No(400, "malformed")
        return body

    def guests(self, body: dict[str, Any]) -> tuple[int, Any]:
        number = len(self.server.people)
        player = {"id": f"p{number}", "name": body.get("name", f"Guest {number}"), "kind": "guest"}
        self.server.people[f"token{number}"] = player
        return 201, {"token": f"token{number}", "player": player}

    def whoami(self, body: dict[str, Any]) -> tuple[int, Any]:
        me = self.me or no_token()
        waiting = [table.id for table in self.server.tables.values() if table.waits_for(me)]
        return 200, {"player": me, "waiting": waiting}

    def presets(self, body: dict[str, Any]) -> tuple[int, Any]:
        described = {}
        for name, values in VALUES.items():
            limits = {"min": min(values), "max": max(values)}
            described[name] = limits if type(values[0]) is int else {"values": values}
        return 200, {
            "presets": PRESETS,
            "options": {name: described[name] | {"default": DEFAULTS[name]} for name in VALUES},
        }

    def listed(self, body: dict[str, Any]) -> tuple[int, Any]:
        tables = reversed(self.server.tables.values())
        if "mine" in self.query:
            me = self.me or no_token()
            tables = reversed([table for table in self.server.tables.values() if table.seats_of(me)])
        else:
            tables = (table for table in tables if table.visibility == "public")
        found = [table.summary(self.me) for table in tables]
        found.sort(key=lambda summary: str(summary["updated_at"]), reverse=True)
        wanted = self.query.get("status")
        return 200, {"results": [s for s in found if wanted in (None, s["status"])][:50], "next": None}

    def create(self, body: dict[str, Any]) -> tuple[int, Any]:
        me = self.me or no_token()
        for name, kind in CREATION.items():
            if name in body:
                need(body, name, kind)
        clock, mode = body.get("clock"), body.get("mode", "casual")
        computers = [need({"it": each}, "it", dict) for each in body.get("computers", [])]
        levels = [need(each, "level", str) for each in computers]
        asked = self._asked(body, clock, mode)
        seats = asked["rules"]["seats"]
        fits = len(levels) <= seats and set(levels) <= {"easy", "normal", "hard"}
        sits = body.get("sit", True)
        if not fits or (mode == "practice" and not sits) or not text_is_fine(body.get("client_seed", "")):
            raise No(422, "impossible")
        self.server.made += 1
        table = Table(self.server.made, me, asked, self.server.faults)
        self.server.tables[table.id] = table
        people = [(me, body.get("client_seed", ""))] if sits else []
        for number, level in enumerate(levels):
            computer = {"id": f"c{number}", "name": "Robot", "kind": "computer", "level": level}
            people.append((computer, ""))
        while mode == "practice" and len(people) < seats:
            people.append((me, body.get("client_seed", "")))
        for seat, (player, seed) in enumerate(people):
            table.sit(seat, player, seed)
        return 201, table.view(me)

    def _asked(self, body: dict[str, Any], clock: dict[str, Any] | None, mode: str) -> dict[str, Any]:
        preset, visibility = body.get("preset", "standard"), body.get("visibility", "public")
        if clock is None:
            clock = {"kind": "none"} if mode == "practice" else {"kind": "slow", "turn_seconds": 172800}
        kind = need(clock, "kind", str)
        good = kind in ("none", "live", "slow") and preset in PRESETS and mode in ("casual", "practice")
        if kind == "slow":
            turn, bank = need(clock, "turn_seconds", int), clock.get("bank_seconds", 0)
            good = good and 3600 <= turn <= 1209600 and 0 <= bank <= 2592000
        if kind == "live":
            good = good and clock.get("pace") in ("normal", "relaxed", "quick")
        if not good or visibility not in ("public", "unlisted", "private"):
            raise No(422, "impossible")
        try:
            rules = options(preset, body.get("rules", {}))
        except OptionsRefused as refusal:
            raise No(422, "options", fields={name: ["No."] for name in refusal.names}) from refusal
        name = body.get("name", "A table")
        return {"rules": rules, "clock": clock, "mode": mode, "visibility": visibility, "name": name}

    def _table(self, table_id: str) -> Table:
        table = self.server.tables.get(table_id)
        if table is None:
            raise No(404, "not_found")
        left = [table.chairs[seat] for seat in table.match.left] if table.match else []
        inside = self.me is not None and (self.me == table.host or table.seats_of(self.me) or self.me in left)
        if table.visibility == "private" and not inside:
            raise No(404, "not_found")
        table.tick()
        return table

    def _hosted(self, table_id: str) -> Table:
        self.me or no_token()
        table = self._table(table_id)
        if table.host != self.me:
            raise No(403, "forbidden")
        return table

    def show(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table, through = self._table(table_id), None
        if "as" in self.query:
            if not self.query["as"].isdigit():
                raise No(400, "malformed")
            through = int(self.query["as"])
            if table.mode != "practice" or table.host != self.me or through not in table.chairs:
                raise No(403, "forbidden")
        view = table.view(self.me, through)
        who = self.me["id"] if self.me else "nobody"
        print_of = f"{table.id} {table.version} {who} {through}"
        if "etag" in self.server.faults:
            print_of = f"{table.id} {table.version}"
        tag = f'"{hashlib.md5(print_of.encode()).hexdigest()}"'
        self.more |= {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
        if self.headers.get("If-None-Match") == tag:
            return 304, None
        return 200, view

    def close_table(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._hosted(table_id)
        if table.match:
            raise No(422, "started")
        del self.server.tables[table.id]
        return 204, None

    def sit(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        me = self.me or no_token()
        seed = need(body, "client_seed", str) if "client_seed" in body else ""
        seat = need(body, "seat", int) if "seat" in body else None
        table = self.server.tables.get(table_id)
        if not table or body.get("invite") not in table.invites:
            table = self._table(table_id)
        if table.seats_of(me) or (seat is not None and table.chairs.get(seat)) or not table.free():
            raise No(409, "taken")
        if (seat is not None and seat not in table.chairs) or not text_is_fine(seed):
            raise No(422, "impossible")
        table.sit(table.free()[0] if seat is None else seat, me, seed)
        return 200, table.view(me)

    def add_computer(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        level = need(body, "level", str)
        table = self._hosted(table_id)
        if table.match or level not in ("easy", "normal", "hard"):
            raise No(422, "impossible")
        seat = body.get("seat", table.free()[0])
        if table.chairs[seat]:
            raise No(409, "taken")
        table.sit(seat, {"id": "c", "name": "Robot", "kind": "computer", "level": level}, "")
        return 200, table.view(self.me)

    def free_seat(self, table_id: str, seat: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._hosted(table_id)
        if table.match:
            raise No(422, "started")
        table.stand(int(seat))
        return 200, table.view(self.me)

    def start(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._hosted(table_id)
        if table.match or len(table.chairs) - len(table.free()) < 2:
            raise No(422, "cannot_start")
        table.start()
        return 200, table.view(self.me)

    def invite(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._hosted(table_id)
        table.invites.add(f"come to {table.id}")
        return 201, {"invite": f"come to {table.id}", "url": f"/{table.id}"}

    def leave(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        me, table = self.me or no_token(), self._table(table_id)
        seats = table.seats_of(me)
        if not seats:
            raise No(403, "no_seat")
        if table.match:
            table.leave(next((seat for seat in seats if seat in table.match.persons_in()), seats[0]))
        else:
            table.stand(seats[0])
        return 200, table.view(me)

    def act(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        me, kind, version = self.me or no_token(), need(body, "type", str), need(body, "version", int)
        if kind == "bid":
            for name in ["total"] if "total" in body else ["quantity", "face"]:
                need(body, name, int)
        table = self._table(table_id)
        seats = table.seats_of(me)
        if table.mode == "practice":
            seats = [seat for seat in seats if seat == need(body, "seat", int)]
        if not seats:
            raise No(403, "no_seat")
        lowest = table.reveal_version if kind == "next_round" else table.version
        if not lowest <= version <= table.version and "stale" not in self.server.faults:
            raise No(409, "stale", version=table.version)
        if "bump" in self.server.faults:
            table.version += 1
        table.act(seats[0], body)
        if self.headers.get("Prefer") == "return=minimal":
            return 200, {"id": table.id, "version": table.version}
        return 200, table.view(me, seats[0] if table.mode == "practice" else None)

    def rounds(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        return 200, {"results": self._table(table_id).reveals, "next": None}

    def one_round(self, table_id: str, number: str, body: dict[str, Any]) -> tuple[int, Any]:
        reveals = self._table(table_id).reveals
        if not number.isdigit() or not 1 <= int(number) <= len(reveals):
            raise No(404, "not_found")
        return 200, reveals[int(number) - 1]

    def archive(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._table(table_id)
        if table.match is None or table.match.status != "finished":
            raise No(404, "not_found")
        return 200, {"format": 1, "table": table.view(None), "rounds": table.reveals, "events": []}

    def events(self, table_id: str, body: dict[str, Any]) -> tuple[int, Any]:
        table = self._table(table_id)
        self.more |= {"Content-Type": "text/event-stream", "Connection": "close"}
        data = json.dumps({"id": table.id, "version": table.version})
        return 200, f"event: table\ndata: {data}\n\n".encode()


ROUTES = [
    (r"POST guests", "guests"),
    (r"GET me", "whoami"),
    (r"GET presets", "presets"),
    (r"GET tables", "listed"),
    (r"POST tables", "create"),
    (r"GET tables/([^/]+)", "show"),
    (r"DELETE tables/([^/]+)", "close_table"),
    (r"POST tables/([^/]+)/seats", "sit"),
    (r"POST tables/([^/]+)/computers", "add_computer"),
    (r"DELETE tables/([^/]+)/seats/me", "leave"),
    (r"DELETE tables/([^/]+)/seats/(\d+)", "free_seat"),
    (r"POST tables/([^/]+)/start", "start"),
    (r"POST tables/([^/]+)/invites", "invite"),
    (r"POST tables/([^/]+)/actions", "act"),
    (r"GET tables/([^/]+)/rounds", "rounds"),
    (r"GET tables/([^/]+)/rounds/([^/]+)", "one_round"),
    (r"GET tables/([^/]+)/archive", "archive"),
    (r"GET tables/([^/]+)/events", "events"),
]
