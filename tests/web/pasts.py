"""Past matches for the tests of pages: archives of random matches, taken in as if played here."""

import json
from collections.abc import Callable
from typing import Any

from games.commands import archiving
from tests.people import Person, a_guest
from tests.verify.building import Document
from tests.verify.samples import a_document


def take_in(document: Document, **changed: Any) -> str:
    """Keep a document as an archive of this site, and return its table's id."""
    table = {**document["table"], **changed}
    whole = {**document, "table": table}
    assert archiving.take_in(line=json.dumps(whole).encode())
    return str(table["id"])


def a_past_match(suits: Callable[[Document], bool] = lambda document: True, **changed: Any) -> Document:
    """A match of the past that suits, of at least two rounds and with a result, whose archive is here."""
    document = a_document(
        lambda document: len(document["rounds"]) > 1 and bool(document["table"]["result"]) and suits(document)
    )
    take_in(document, **changed)
    return document


def a_finished_match() -> tuple[Person, str]:
    """A match of one round that was played here just now: who made its table, and the table's id."""
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens(rules={"seats": 2, "starting_dice": 1})["id"]
    view = bob.sits(table_id)
    opener, other = (alice, bob) if view["round"]["turn"] == 0 else (bob, alice)
    view = opener.acts(table_id, view["version"], type="bid", quantity=1, face=6).json()
    assert other.acts(table_id, view["version"], type="liar").json()["status"] == "finished"
    return alice, table_id
