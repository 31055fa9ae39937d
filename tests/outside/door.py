"""The one way by which the program asks: it expects a status, notes what was said and counts it."""

from __future__ import annotations

from typing import Any

from tests.outside.client import Answer, Connection, Person, Request, all_at_once
from tests.outside.compare import TEXT, differences, leaks
from tests.outside.summary import Difference, Summary

RACERS = 6


class Door:
    """A connection together with the log of one match and the counts of the run."""

    def __init__(self, base: str, summary: Summary) -> None:
        self.base, self.summary = base, summary
        self.connection = Connection(base, self._waited)
        self.racers = [Connection(base, self._waited) for _ in range(RACERS)]
        self.log: list[str] = []
        self.live_hands: list[list[int]] = []

    def begin(self) -> None:
        """Forget the last match."""
        self.log, self.live_hands = [], []

    def note(self, line: str) -> None:
        """Write something into the log of the match."""
        self.log.append(line)

    def ask(
        self,
        who: Person | None,
        method: str,
        path: str,
        body: Any = None,
        *,
        expect: int | tuple[int, ...] = 200,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
        quiet: bool = False,
    ) -> Answer:
        """Ask, and insist on one of the expected statuses."""
        request = Request(who, method, path, body, raw, headers or {})
        answer = self.connection.send(request)
        self.judge(answer, expect, quiet=quiet)
        return answer

    def race(self, requests: list[Request], expect: tuple[int, ...]) -> list[Answer]:
        """Ask all of this at the same moment."""
        answers = all_at_once(self.racers, requests)
        self.summary.races += 1
        self.note(f"a race of {len(requests)}:")
        for answer in answers:
            self.judge(answer, expect)
        return answers

    def judge(self, answer: Answer, expect: int | tuple[int, ...], *, quiet: bool = False) -> None:
        """Check what holds for every answer: its status, its form, and no dice where none may be."""
        self.summary.requests += 1
        wanted = (expect,) if isinstance(expect, int) else expect
        if not quiet or answer.status not in wanted:
            self.note(f"{answer.request} -> {answer.status} {_gist(answer)}")
        if answer.status not in wanted:
            text = answer.body[:2000].decode("utf-8", "replace")
            raise Difference(
                f"the status of the answer to {answer.request}",
                expected=wanted,
                got=f"{answer.status} {text}",
            )
        if answer.status >= 400:
            self._is_an_error(answer)
        if answer.status == 200 and answer.json is None:
            raise Difference("the body is not JSON", got=answer.body[:500], expected="JSON")
        if answer.json is not None and (found := leaks(answer.json, self.live_hands)):
            raise Difference(f"dice in the answer to {answer.request}: {found}", got=answer.json)

    def _is_an_error(self, answer: Answer) -> None:
        wrong = differences({"code": TEXT, "message": TEXT}, answer.json)
        if not wrong and not answer.json["message"].strip():
            wrong = ["the message is empty"]
        if not wrong and "fields" in answer.json:
            fields = answer.json["fields"]
            good = isinstance(fields, dict) and all(
                isinstance(lines, list) and lines and all(isinstance(line, str) for line in lines)
                for lines in fields.values()
            )
            wrong = [] if good else ["fields is not {name: [sentence, …]}"]
        if wrong:
            got = answer.body[:1000].decode("utf-8", "replace")
            raise Difference(f"the form of an error, to {answer.request}: {wrong}", got=got)
        self.summary.refusals[f"{answer.status} {answer.json['code']}"] += 1

    def _waited(self, status: int) -> None:
        self.summary.refusals[f"{status} (waited)"] += 1


def _gist(answer: Answer) -> str:
    if isinstance(answer.json, dict):
        keys = ("id", "version", "status", "code", "message")
        found = {key: answer.json[key] for key in keys if key in answer.json}
        return str(found) if found else ""
    return answer.body[:80].decode("utf-8", "replace")
