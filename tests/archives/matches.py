"""Matches of every kind, played to their end, and everything that anybody may read of one."""

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.commands import archiving, clockwork
from games.models import Archive, Event, Hand, Round, Table
from tests.history import present
from tests.people import Person, a_guest, nobody
from tests.tables import a_move
from tests.verify.test_served_archives import CLOCKS, RULES, acting

KINDS = ("people", "computers", "leavers", "sleepers", "forfeit", "practice", "left practice", "few seats")

Cast = list[Person]


def a_played_match(kind: str, seed: int = 0, **wanted: Any) -> tuple[Cast, str]:
    """A match of this kind that is over, and its people; of at least three rounds where nothing ends it."""
    rng = random.Random(f"{kind} {seed}")
    while True:
        people, table_id = a_begun_match(kind, rng, **wanted)
        while Table.objects.get(pk=table_id).status != "finished":
            a_step(kind, people, table_id, rng)
        if kind not in ("people", "computers") or Table.objects.get(pk=table_id).number >= 3:
            return people, table_id
        forget_everything(table_id)


def a_begun_match(kind: str, rng: random.Random, **wanted: Any) -> tuple[Cast, str]:
    rules = {"starting_dice": 2, **rng.choice(RULES)}
    host, *others = people = [a_guest(name) for name in ("Alice", "Bob", "Carol")]
    if "practice" in kind:
        wanted |= {"mode": "practice", "computers": [{"level": "easy"}]}
        return [host], host.opens(rules={**rules, "seats": 3}, **wanted)["id"]
    wanted.setdefault("clock", CLOCKS[1] if kind == "sleepers" else rng.choice(CLOCKS))
    if kind == "forfeit":
        people = [host, others[0]]
    computers = [{"level": "normal"}] * (2 if kind in ("computers", "few seats") else 0)
    seats = 6 if kind == "few seats" else len(people) + len(computers)
    table = host.opens(rules={**rules, "seats": seats}, computers=computers, **wanted)
    opened = table
    if wanted.get("visibility") == "private":
        invite = host.post(f"tables/{table['id']}/invites").json()["invite"]
        wanted = {"invite": invite}
    else:
        wanted = {}
    for other in people[1:]:
        opened = other.sits(table["id"], client_seed=f"{other.name}'s luck ⚄", **wanted)
    if opened["status"] == "open":
        assert host.post(f"tables/{table['id']}/start").status_code == 200
    return people, table["id"]


def a_step(kind: str, people: Cast, table_id: str, rng: random.Random) -> None:
    """Somebody acts, presses, leaves or oversleeps, or a computer moves."""
    row = present(table_id)[0].row
    if row.computer_due_at is not None:
        assert clockwork.run_computer(table_id=table_id, now=row.computer_due_at)
        return
    if kind == "sleepers" and row.due_at is not None and rng.random() < 0.3:
        clockwork.run_due_table(table_id=table_id, now=row.due_at + timedelta(seconds=1))
        return
    gone = {"leavers": 0.03, "forfeit": 0.1, "left practice": 0.1}.get(kind, 0)
    person = rng.choice(people)
    if rng.random() < gone:
        person.delete(f"tables/{table_id}/seats/me")
        return
    view = person.sees(table_id)
    if view["legal"]:
        person.acts(table_id, view["version"], **acting(view, a_move(view, rng)))


def everything_read(people: Sequence[Person], table_id: str) -> Iterator[tuple[str, int, str, bytes]]:
    """All answers about a table that is over, for those who sat, a stranger and nobody."""
    for person in (*people, nobody()):
        paths = [f"tables/{table_id}", f"tables/{table_id}/archive", "tables?status=finished"]
        paths += [f"tables/{table_id}/rounds", f"tables/{table_id}/rounds?cursor=3"]
        paths += [f"tables/{table_id}/rounds/{number}" for number in (1, 2, 3, 6, 99)]
        if person.token:
            paths += ["me", "tables?mine=true"]
        for path in paths:
            answer = person.get(path)
            yield f"{person.name}: {path}", answer.status_code, answer.get("ETag", ""), answer.content


def prune(table_id: str) -> bool:
    """Bring the archive up to date and let the match live in it alone."""
    archiving.archive_table(table_id=table_id)
    return archiving.prune(table_id=table_id, now=timezone.now())


def live_rows(table_id: str) -> int:
    """How many rows tell of the moves of a match."""
    return sum(model.objects.filter(table_id=table_id).count() for model in (Event, Round, Hand))


def forget_everything(table_id: str) -> None:
    """Take away whatever is here of a table, its archive too, as if this were another installation."""
    Archive.objects.filter(pk=table_id).delete()
    Table.objects.filter(pk=table_id).delete()
