"""The people of a run: guests that the program made for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.outside.client import Person
from tests.outside.compare import TEXT, differences
from tests.outside.door import Door
from tests.outside.summary import Difference


@dataclass
class Cast:
    """Six who may sit, one who hosts without sitting, one who watches."""

    players: list[Person]
    host: Person
    watcher: Person


def a_guest(door: Door, name: str | None) -> Person:
    """Ask for a guest and check what comes back."""
    body = {} if name is None else {"name": name}
    got: dict[str, Any] = door.ask(None, "POST", "guests", body, expect=201).json
    expected = {
        "token": TEXT,
        "player": {"id": TEXT, "name": TEXT if name is None else name, "kind": "guest"},
    }
    if wrong := differences(expected, got):
        raise Difference(f"a new guest: {wrong}", expected=expected, got=got)
    person = Person(got["token"], got["player"]["id"], got["player"]["name"])
    me = door.ask(person, "GET", "me").json
    if wrong := differences({"player": got["player"], "waiting": []}, me):
        raise Difference(f"a new guest's me: {wrong}", got=me)
    return person


def a_cast(door: Door) -> Cast:
    """Make everybody that one worker needs."""
    names = ["Alice", "Bob", "Carol", "Dave", None, "Grüße 🎲"]
    return Cast([a_guest(door, name) for name in names], a_guest(door, "Host"), a_guest(door, "Watcher"))
