"""HTTP as people speak it here: nothing is sent again unknown to them, and every answer is noted."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.faults.told import Told

API = "/api/v1/"
PATIENCE = 12.0
# What a fault excuses: "try again", and what another move that came first has done.
EXPECTED = frozenset({200, 201, 204, 304, 409, 503})


class Lost(Exception):
    """No answer came: what was asked may have happened or not."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, and when."""

    status: int
    headers: dict[str, str]
    document: Any
    sent: float
    came: float

    @property
    def pause(self) -> float:
        """How long the service asks to wait."""
        return min(float(self.headers.get("retry-after", "0")), 5.0)


class Line:
    """One kept-alive connection of one person, or of nobody known."""

    def __init__(self, address: str, told: Told, token: str | None = None) -> None:
        self.address, self.token = address, token
        self._told = told
        self._http: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: Any = None, *, expected: frozenset[int] = frozenset(),
            **headers: str) -> Answer:  # fmt: skip
        """Send once; `Lost` where no whole answer comes."""
        sent = time.time()
        try:
            status, found, raw = self._exchange(method, API + path, body, self._headers(headers))
            document = json.loads(raw) if raw else None
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            self._told.answered("lost")
            raise Lost(str(error)) from error
        answer = Answer(status, found, document, sent, time.time())
        self._told.answered(str(status), self._fault(answer, expected, f"{method} {path} {body}"))
        return answer

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _exchange(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        if self._http is None:
            self._http = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        self._http.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._http.getresponse()
        raw = response.read()
        if response.will_close:
            self.close()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, raw

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        return {"Content-Type": "application/json", **sent}

    @staticmethod
    def _fault(answer: Answer, expected: frozenset[int], asked: str) -> str:
        if answer.status not in EXPECTED | expected:
            return f"{asked}: {answer.status} {answer.document}"
        if answer.status == 503 and not answer.headers.get("retry-after", "").isdigit():
            return f"{asked}: 503 without Retry-After"
        if answer.status >= 400 and not {"code", "message"} <= set(answer.document or ()):
            return f"{asked}: {answer.status} says {answer.document}"
        return ""
