"""What is read of a finished match is the same, byte by byte, before and after its rows are pruned."""

import random
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.commands import archiving
from games.engine.verify import verify
from games.models import Archive, ArchivedReveal, Event, Seat, Table
from games.queries import table as tables
from tests.archives.matches import (
    KINDS,
    a_begun_match,
    a_played_match,
    a_step,
    everything_read,
    live_rows,
    prune,
)
from tests.people import Person, a_guest, nobody

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_stays_the_same_to_the_byte(kind: str, seed: int) -> None:
    people, table_id = a_played_match(kind, seed)
    fresh = list(everything_read(people, table_id))

    archiving.archive_table(table_id=table_id)
    archived = list(everything_read(people, table_id))
    rows = live_rows(table_id)
    pruned = prune(table_id)
    after = list(everything_read(people, table_id))

    assert pruned
    assert archived == fresh
    assert after == fresh
    assert live_rows(table_id) <= 1 < rows
    assert verify(nobody().get(f"tables/{table_id}/archive").json()).good


def test_the_archive_has_the_bytes_of_the_answer() -> None:
    _, table_id = a_played_match("computers")
    answer = nobody().get(f"tables/{table_id}/archive").content

    archiving.archive_table(table_id=table_id)

    document = tables.archive(table_id, None)
    assert orjson.dumps(document) == answer
    assert Archive.objects.get(pk=table_id).format == document["format"] == 1
    assert Archive.objects.get(pk=table_id).version == document["table"]["version"]
    assert ArchivedReveal.objects.filter(archive_id=table_id).count() == len(document["rounds"]) > 2


def test_a_match_that_goes_on_is_archived_reveal_by_reveal_and_reads_the_same_then() -> None:
    rng = random.Random(7)
    people, table_id = a_begun_match("people", rng)
    done = []
    while Table.objects.get(pk=table_id).status != "finished":
        a_step("people", people, table_id, rng)
        before = nobody().get(f"tables/{table_id}/rounds").content
        done.append(archiving.archive_table(table_id=table_id))
        assert nobody().get(f"tables/{table_id}/rounds").content == before
        kept = list(ArchivedReveal.objects.filter(archive_id=table_id).values_list("number", flat=True))
        assert kept == [reveal["number"] for reveal in orjson.loads(before)["results"]]

    assert sum(done) == len(kept)


def test_an_archive_of_a_running_match_has_no_end_and_is_not_found() -> None:
    rng = random.Random(3)
    people, table_id = a_begun_match("people", rng)
    while not Archive.objects.filter(pk=table_id).exists():
        a_step("people", people, table_id, rng)
        archiving.archive_table(table_id=table_id)

    archive = Archive.objects.get(pk=table_id)
    assert (archive.ended_at, bytes(archive.frame)) == (None, b"")
    assert nobody().get(f"tables/{table_id}/archive").status_code == 404


def test_people_are_called_in_the_archive_as_they_were_then() -> None:
    (alice, *_), table_id = a_played_match("people")
    archiving.archive_table(table_id=table_id)
    before = nobody().get(f"tables/{table_id}/archive").content

    Player.objects.filter(pk=alice.id).update(name="Somebody else")

    assert nobody().get(f"tables/{table_id}/archive").content == before
    assert nobody().sees(table_id)["seats"][0]["player"]["name"] == "Somebody else"
    assert prune(table_id)
    assert nobody().get(f"tables/{table_id}/archive").content == before
    assert nobody().sees(table_id)["seats"][0]["player"]["name"] == "Somebody else"


def test_leaving_and_acting_after_the_end_go_on_as_before() -> None:
    people, table_id = a_played_match("people")
    alice = people[0]
    view = alice.get(f"tables/{table_id}")
    replies = [after_the_end(alice, table_id, view["ETag"])]

    assert prune(table_id)

    replies.append(after_the_end(alice, table_id, view["ETag"]))
    assert replies[0] == replies[1]
    assert [status for status, _ in replies[0]] == [200, 422, 422, 304]


def after_the_end(person: Person, table_id: str, tag: str) -> list[tuple[int, bytes]]:
    version = person.sees(table_id)["version"]
    answers = [
        person.delete(f"tables/{table_id}/seats/me"),
        person.acts(table_id, version, type="liar"),
        person.acts(table_id, version, type="next_round"),
        person.get(f"tables/{table_id}", if_none_match=tag),
    ]
    return [(answer.status_code, answer.content) for answer in answers]


def test_the_last_answer_to_a_key_is_replayed_after_the_rows_are_gone() -> None:
    rng = random.Random(1)
    people, table_id = a_begun_match("people", rng, clock={"kind": "none"})
    path, last = f"tables/{table_id}/actions", None
    while Table.objects.get(pk=table_id).status != "finished":
        mover = next(person for person in people if person.sees(table_id)["legal"])
        view = mover.sees(table_id)
        legal = view["legal"]
        kind = "next_round" if legal["next_round"] else "liar" if legal["liar"] else "bid"
        body: dict[str, Any] = {"type": kind, "version": view["version"]}
        if kind == "bid":
            suggested = legal["suggested"]
            body |= suggested
        key = f"move {view['version']}"
        last = mover, body, key, mover.post(path, body, idempotency_key=key).content

    assert last is not None
    assert prune(table_id)

    mover, body, key, first = last
    again = mover.post(path, body, idempotency_key=key)
    assert (again.content, again["Idempotency-Replayed"]) == (first, "true")


def test_a_private_match_stays_private_without_its_rows() -> None:
    people, table_id = a_played_match("people", visibility="private")
    assert prune(table_id)

    for path in ("", "/archive", "/rounds", "/rounds/1"):
        assert people[1].get(f"tables/{table_id}{path}").status_code == 200
        assert a_guest("Dave").get(f"tables/{table_id}{path}").status_code == 404
        assert nobody().get(f"tables/{table_id}{path}").status_code == 404


def test_seats_and_table_stay_and_one_event_where_there_was_a_reveal() -> None:
    _, table_id = a_played_match("people")
    events = Event.objects.filter(table_id=table_id)
    seats = Seat.objects.filter(table_id=table_id).count()

    assert prune(table_id)

    assert [event.version for event in events] == [Table.objects.get(pk=table_id).revealed_version]
    assert Seat.objects.filter(table_id=table_id).count() == seats


@pytest.mark.parametrize("pruned", [False, True])
def test_reading_takes_few_statements_however_long_the_match(pruned: bool) -> None:
    _, table_id = a_played_match("computers", clock={"kind": "none"})
    archiving.archive_table(table_id=table_id)
    if pruned:
        assert prune(table_id)

    for path, most in (("archive", 3), ("rounds", 3), ("rounds/1", 3), ("rounds/2", 3)):
        with CaptureQueriesContext(connection) as captured:
            assert nobody().get(f"tables/{table_id}/{path}").status_code == 200
        assert 1 <= len(captured) <= most, captured.captured_queries


def test_bringing_an_archive_up_to_date_takes_as_few_statements_in_any_round() -> None:
    rng = random.Random(5)
    people, table_id = a_begun_match("people", rng, clock={"kind": "none"})
    taken = []
    while Table.objects.get(pk=table_id).status != "finished":
        a_step("people", people, table_id, rng)
        with CaptureQueriesContext(connection) as captured:
            if archiving.archive_table(table_id=table_id):
                taken.append(len(captured))

    assert len(taken) > 3
    assert max(taken) <= 12


def test_old_means_thirty_days_and_zero_means_never(settings: Any) -> None:
    _, table_id = a_played_match("people")
    archiving.archive_table(table_id=table_id)
    ended = Archive.objects.get(pk=table_id).ended_at
    assert ended is not None

    assert archiving.matches_to_prune(now=ended + timedelta(days=30, seconds=-1)) == []
    assert archiving.matches_to_prune(now=ended + timedelta(days=30)) == [table_id]
    settings.ARCHIVE_AFTER_DAYS = 0
    assert archiving.matches_to_prune(now=ended + timedelta(days=3000)) == []
