"""The published document, and whether an answer is one that it describes.

Clients must bear fields that they do not know. Here every field that is sent must be named, so that the
document says everything; the schemas are closed for that.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from tests.people import API, Person

TELLING_HEADERS = (
    "ETag",
    "Idempotency-Replayed",
    "Preference-Applied",
    "Retry-After",
    "WWW-Authenticate",
    "Location",
)
"""The headers by which an answer says something of its own; the rest comes from the framework."""

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@cache
def document() -> dict[str, Any]:
    """The document as the service publishes it."""
    # Under a name that is good while the tests are still being collected.
    answer = Client().get(f"{API}/schema", headers={"host": "localhost"})
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every call."""
    for path, item in document()["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def operation_at(method: str, path: str) -> dict[str, Any]:
    """What the document says of a request to this path; a path without parameters goes first."""
    for template in sorted(document()["paths"], key=lambda known: known.count("{")):
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path):
            return document()["paths"][template][method.lower()]
    raise AssertionError(f"{path} is not in the document")


@cache
def closed_components() -> dict[str, Any]:
    """The components, where an object has the fields that are named and no other."""
    components = copy.deepcopy(document()["components"])
    _close(components["schemas"])
    return components


def _close(part: Any) -> None:
    if isinstance(part, dict) and isinstance(part.get("properties"), dict):
        part.setdefault("additionalProperties", False)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _close(inner)


def faults_of(schema: Mapping[str, Any], value: Any) -> list[str]:
    """Where a value is not what the schema says, every field being named."""
    validator = Draft202012Validator(
        {**schema, "components": closed_components()}, format_checker=FormatChecker()
    )
    return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(value)]


@dataclass
class Seen:
    """The answers that were checked: operation and status."""

    answers: set[tuple[str, int]] = field(default_factory=set)

    def check(self, method: str, path: str, answer: Any) -> None:
        """Hold one answer to the document."""
        operation = operation_at(method, path)
        name, status = operation["operationId"], answer.status_code
        described = operation["responses"].get(str(status))
        assert described is not None, f"{name} answers {status}: {answer.content!r}"
        self.answers.add((name, status))
        _check_headers(f"{name} {status}", described.get("headers", {}), answer)
        _check_body(f"{name} {status}", described.get("content"), answer)


def _check_headers(where: str, described: Mapping[str, Any], answer: Any) -> None:
    sent = set(answer.headers)
    for name, header in described.items():
        assert name in sent or not header.get("required"), f"{where} lacks {name}"
        if name in sent:
            whole = header["schema"].get("type") == "integer"
            value = int(answer[name]) if whole else answer[name]
            assert faults_of(header["schema"], value) == [], f"{where}: {name}: {value}"
    assert {name for name in TELLING_HEADERS if name in sent} <= set(described), f"{where} sends {sent}"


def _check_body(where: str, described: Mapping[str, Any] | None, answer: Any) -> None:
    if described is None:
        assert answer.content == b"", f"{where} has a body"
        return
    kind = answer["Content-Type"].partition(";")[0]
    assert kind in described, f"{where} is {kind}"
    if not answer.streaming:
        value = json.loads(answer.content) if kind == "application/json" else answer.content.decode()
        assert faults_of(described[kind]["schema"], value) == [], where


class CheckedClient(Client):
    """A client that holds every answer of the API to the document."""

    def __init__(self, seen: Seen, **about: Any) -> None:
        super().__init__(**about)
        self.seen = seen

    def request(self, **request: Any) -> Any:
        """Send the request, and check what comes."""
        answer = super().request(**request)
        if request["PATH_INFO"].startswith(f"{API}/"):
            self.seen.check(request["REQUEST_METHOD"], request["PATH_INFO"], answer)
        return answer


def a_checked_guest(seen: Seen, name: str) -> Person:
    """A guest whose answers are all held to the document."""
    person = Person(name=name, client=CheckedClient(seen))
    made = person.post("guests", {"name": name}).json()
    person.token, person.id = made["token"], made["player"]["id"]
    return person
