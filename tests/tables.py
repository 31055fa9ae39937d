"""Tables for tests: made, filled and played through the doors that people use."""

import random
from collections.abc import Sequence
from typing import Any

from games.commands import clockwork
from tests.history import present
from tests.people import Person


def a_match(*people: Person, rules: dict[str, Any] | None = None, **wanted: Any) -> dict[str, Any]:
    """A match that has begun between these people, in the order of their seats."""
    host, *others = people
    table = host.opens(rules={**(rules or {}), "seats": len(people)}, **wanted)
    for other in others:
        table = other.sits(table["id"])
    return table


def whose_turn(people: Sequence[Person], table: dict[str, Any]) -> Person:
    """The person who is to move."""
    return people[table["round"]["turn"]]


def a_move(view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal action in this view, with calls often enough that matches end."""
    legal = view["legal"]
    if legal["next_round"]:
        return {"type": "next_round"}
    calls = [name for name in ("liar", "exact") if legal[name]]
    if calls and (not legal["bids"] or rng.random() < 0.3):
        return {"type": rng.choice(calls)}
    face = rng.choice(sorted(legal["bids"]))
    lowest, highest = legal["bids"][face]
    amount = min(highest, lowest + rng.choice([0, 0, 0, 1]))
    if face == "total":
        return {"type": "bid", "total": amount}
    return {"type": "bid", "quantity": amount, "face": int(face)}


def play_on(
    people: Sequence[Person], table_id: str, rng: random.Random, *, most: int = 100_000
) -> dict[str, Any]:
    """Let these people play until the match is over, or `most` actions were made; return the last view."""
    view = people[0].sees(table_id)
    for _ in range(most):
        if view["status"] == "finished":
            break
        seat = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
        mine = people[seat].sees(table_id)
        answer = people[seat].acts(table_id, mine["version"], **a_move(mine, rng))
        assert answer.status_code == 200, answer.content
        view = answer.json()
    return view


def a_random_step(people: list[Person], table_id: str, rng: random.Random) -> bool:
    """Somebody acts, presses or leaves, or a computer moves; False once the match is over."""
    loaded, state = present(table_id)
    if state.status == "finished":
        return False
    if loaded.row.computer_due_at is not None:
        assert clockwork.run_computer(table_id=table_id, now=loaded.row.computer_due_at)
        return True
    if rng.random() < 0.02:
        rng.choice(people).delete(f"tables/{table_id}/seats/me")
        return True
    person = rng.choice(people)
    view = person.sees(table_id)
    if view["legal"]:
        assert person.acts(table_id, view["version"], **a_move(view, rng)).status_code == 200
    return True
