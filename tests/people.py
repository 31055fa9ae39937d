"""The cast: Alice and Bob sit, Carol watches, Dave is a stranger; and how they talk to the API."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.doors import a_client

API = "/api/v1"


@dataclass
class Person:
    """Somebody with a token, or nobody known (`token` None), at the door of the API."""

    name: str = ""
    token: str | None = None
    id: str = ""
    client: Client = field(default_factory=a_client, repr=False)

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"{API}/{path}", headers=self._headers(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        data = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
        return self.client.post(
            f"{API}/{path}", data=data, content_type="application/json", headers=self._headers(headers)
        )

    def delete(self, path: str, **headers: str) -> Any:
        return self.client.delete(f"{API}/{path}", headers=self._headers(headers))

    def opens(self, **wanted: Any) -> dict[str, Any]:
        """Make a table, and return its view."""
        answer = self.post("tables", wanted)
        assert answer.status_code == 201, answer.content
        return answer.json()

    def sits(self, table_id: str, **wanted: Any) -> dict[str, Any]:
        answer = self.post(f"tables/{table_id}/seats", wanted)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def sees(self, table_id: str, **query: Any) -> dict[str, Any]:
        """The view of a table."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        answer = self.get(f"tables/{table_id}" + (f"?{asked}" if asked else ""))
        assert answer.status_code == 200, answer.content
        return answer.json()

    def acts(self, table_id: str, version: int, **action: Any) -> Any:
        """Send an action, and return the whole answer."""
        return self.post(f"tables/{table_id}/actions", {"version": version, **action})

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("authorization", f"Bearer {self.token}")
        return sent


def a_guest(name: str) -> Person:
    """A guest with a token of their own."""
    made = Person().post("guests", {"name": name})
    assert made.status_code == 201, made.content
    answer = made.json()
    return Person(name=name, token=answer["token"], id=answer["player"]["id"])


def nobody() -> Person:
    """Whoever is not signed in."""
    return Person()
