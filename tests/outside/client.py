"""HTTP as the program speaks it: one kept-alive connection, and people with their tokens."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

API = "/api/v1/"
PATIENCE = 60.0  # seconds for one answer


def within(address: str) -> str:
    """The path and query of an address that the service named, whole or not."""
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


@dataclass(frozen=True)
class Person:
    """Somebody with a token."""

    token: str
    id: str
    name: str


NOBODY: Person | None = None


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes
    request: str = ""
    _parsed: list[Any] = field(default_factory=list, repr=False)

    @property
    def json(self) -> Any:
        """The body as JSON, or None where it is none."""
        if not self._parsed:
            try:
                self._parsed.append(json.loads(self.body))
            except ValueError:
                self._parsed.append(None)
        return self._parsed[0]


@dataclass
class Request:
    """One request, ready to be sent once or several times."""

    who: Person | None
    method: str
    path: str
    body: Any = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def payload(self) -> bytes | None:
        """The bytes to send: raw ones as they are, anything else as JSON."""
        if self.raw is not None:
            return self.raw
        return None if self.body is None else json.dumps(self.body).encode()

    def __str__(self) -> str:
        payload = self.payload() or b""
        extra = {k: v for k, v in self.headers.items() if k != "If-None-Match"}
        shown = payload[:300].decode("utf-8", "backslashreplace")
        who = self.who.name if self.who else "nobody"
        return f"{who}: {self.method} {self.path} {shown} {extra or ''}".rstrip()


class Connection:
    """A connection that stays open, opens again when it was closed, and waits when told to."""

    def __init__(self, base: str, on_wait: Callable[[int], None] = lambda status: None) -> None:
        parts = urlsplit(base)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.on_wait = on_wait
        self._http: http.client.HTTPConnection | None = None

    def send(self, request: Request) -> Answer:
        """Send, and send again as long as the service asks to come back later."""
        for _ in range(100):
            answer = self._once(request)
            if answer.status not in (429, 503):
                return answer
            self.on_wait(answer.status)
            time.sleep(min(float(answer.headers.get("retry-after", "1")), 30.0))
        return answer

    def _once(self, request: Request) -> Answer:
        headers = {"Accept": "application/json"} | request.headers
        payload = request.payload()
        if payload is not None:
            headers.setdefault("Content-Type", "application/json")
        if request.who:
            headers["Authorization"] = f"Bearer {request.who.token}"
        path = request.path if request.path.startswith("/") else API + request.path
        fresh = self._http is None
        try:
            return self._exchange(request, path, payload, headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            # A server may close an idle connection; only an answer on a fresh one is owed.
            self.close()
            if fresh:
                raise
            return self._exchange(request, path, payload, headers)

    def _exchange(
        self, request: Request, path: str, payload: bytes | None, headers: dict[str, str]
    ) -> Answer:
        if self._http is None:
            self._http = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        self._http.request(request.method, path, payload, headers)
        response = self._http.getresponse()
        body = response.read()
        found = {name.lower(): value for name, value in response.getheaders()}
        if response.will_close:
            self.close()
        return Answer(response.status, found, body, str(request))

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def first_event(self, request: Request, *, until_the_end: bool = False) -> Answer:
        """Open an event stream and read its first event, or everything until it ends."""
        stream = http.client.HTTPConnection(self.host, self.port, timeout=15)
        headers = {"Accept": "text/event-stream"} | request.headers
        if request.who:
            headers["Authorization"] = f"Bearer {request.who.token}"
        try:
            stream.request(request.method, API + request.path, headers=headers)
            response = stream.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            text = b""
            while response.status == 200:
                line = response.readline()
                text += line
                ended = line == b"" or (line in (b"\n", b"\r\n") and b"data:" in text)
                if line == b"" or (ended and not until_the_end):
                    break
            else:
                text = response.read()
            return Answer(response.status, found, text, str(request))
        except TimeoutError:
            return Answer(0, {}, b"no end of the stream within 15 s", str(request))
        finally:
            stream.close()


def all_at_once(connections: list[Connection], requests: list[Request]) -> list[Answer]:
    """Send the requests at the same moment, each on a connection of its own."""
    gate = threading.Barrier(len(requests))
    answers: list[Answer | BaseException | None] = [None] * len(requests)

    def one(number: int) -> None:
        gate.wait()
        try:
            answers[number] = connections[number].send(requests[number])
        except (OSError, http.client.HTTPException) as fault:
            answers[number] = fault

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        if not isinstance(answer, Answer):
            raise ConnectionError(f"a request of a race was not answered: {answer}")
    return [answer for answer in answers if isinstance(answer, Answer)]
