"""`manage.py archive`: all finished matches out of one installation and into another."""

import gzip
import io
import json
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.commands import archiving
from games.engine.findings import Report
from games.management.commands import archive as command
from games.models import Archive, ArchivedReveal, Table
from games.queries import archives as queries
from tests.archives.matches import KINDS, a_begun_match, a_played_match, forget_everything, prune
from tests.people import Person, a_guest, nobody
from tests.verify.samples import a_document, a_draw, documents

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.ndjson"


def export(file: Path, *options: str) -> list[bytes]:
    """Export to this file, and return its lines."""
    call_command("archive", "export", str(file), *options, stderr=io.StringIO())
    content = file.read_bytes()
    return (gzip.decompress(content) if file.suffix == ".gz" else content).splitlines()


def import_(file: Path, *options: str) -> tuple[int, str]:
    """Import this file; how it exits, and what it says."""
    told = io.StringIO()
    try:
        call_command("archive", "import", str(file), *options, stderr=told)
    except SystemExit as end:
        return int(str(end.code)), told.getvalue()
    return 0, told.getvalue()


def written(file: Path, *lines: Any) -> Path:
    """A file with these documents, or with these bytes, a line each."""
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    file.write_bytes(b"".join(text + b"\n" for text in texts))
    return file


def read(table_id: str, person: Person | None = None) -> list[bytes]:
    """What is read of a match without its table."""
    paths = ("archive", "rounds", "rounds?cursor=2", "rounds/1")
    reader = person or nobody()
    return [reader.get(f"tables/{table_id}/{path}").content for path in paths]


@pytest.mark.parametrize("name", ["matches.ndjson", "matches.ndjson.gz"])
def test_what_one_installation_writes_another_reads_to_the_byte(tmp_path: Path, name: str) -> None:
    played = [a_played_match(kind)[1] for kind in KINDS]
    assert prune(played[0])
    archiving.archive_table(table_id=played[1])
    before = {table_id: read(table_id) for table_id in played}
    file = tmp_path / name
    lines = export(file)

    for table_id in played:
        forget_everything(table_id)
        assert nobody().get(f"tables/{table_id}/archive").status_code == 404
    outcome, told = import_(file)

    assert (outcome, told) == (
        0,
        f"matches read: {len(KINDS)}; kept: {len(KINDS)}; here already: 0; refused: 0\n",
    )
    assert {table_id: read(table_id) for table_id in played} == before
    assert sorted(lines) == sorted(answers[0] for answers in before.values())
    assert export(tmp_path / f"again-{name}") == lines


def test_importing_twice_is_harmless_and_so_is_importing_at_home(file: Path) -> None:
    _, table_id = a_played_match("people")
    _, pruned = a_played_match("computers")
    assert prune(pruned)
    export(file)

    assert import_(file)[1] == "matches read: 2; kept: 0; here already: 2; refused: 0\n"
    forget_everything(table_id)
    assert import_(file)[1] == "matches read: 2; kept: 1; here already: 1; refused: 0\n"
    rows = list(Archive.objects.order_by("id").values())
    assert import_(file)[1] == "matches read: 2; kept: 0; here already: 2; refused: 0\n"
    assert list(Archive.objects.order_by("id").values()) == rows


def test_a_dry_run_checks_everything_and_keeps_nothing(file: Path) -> None:
    _, table_id = a_played_match("people")
    line = export(file)[0]
    forget_everything(table_id)
    written(file, line, b"{}")

    outcome, told = import_(file, "--dry-run")

    assert outcome == 1
    assert told.splitlines()[-1] == "matches read: 2; would be kept: 1; here already: 0; refused: 1"
    assert not Archive.objects.exists()


def test_a_private_match_is_exported_only_when_asked_for_and_stays_private(file: Path) -> None:
    people, private = a_played_match("people", visibility="private")
    _, unlisted = a_played_match("people", visibility="unlisted")
    _, archived = a_played_match("people", 1, visibility="private")
    assert prune(archived)
    before = read(private, people[1])

    assert [orjson.loads(line)["table"]["id"] for line in export(file)] == [unlisted]
    assert len(export(file, "--private")) == 3
    for table_id in (private, unlisted, archived):
        forget_everything(table_id)
    assert import_(file)[0] == 0

    assert read(private, people[1]) == before
    for stranger in (nobody(), a_guest("Dave")):
        for path in ("archive", "rounds", "rounds/1"):
            assert stranger.get(f"tables/{private}/{path}").status_code == 404
            assert stranger.get(f"tables/{unlisted}/{path}").status_code == 200


def test_an_export_has_finished_matches_only_and_only_what_a_spectator_sees(file: Path) -> None:
    a_begun_match("people", random.Random(1))
    _, table_id = a_played_match("people")

    (line,) = export(file)

    assert orjson.loads(line)["table"]["viewer"] == {"role": "spectator", "seat": None}
    assert line == nobody().get(f"tables/{table_id}/archive").content


def test_a_file_has_its_name_only_once_it_is_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(b"the former one")

    def breaks(*, private: bool) -> Any:
        yield b"{}"
        raise OSError("no space is left")

    monkeypatch.setattr(command, "finished_matches", breaks)
    with pytest.raises(CommandError, match="no space is left") as stopped:
        export(file)

    assert stopped.value.returncode == 2
    assert file.read_bytes() == b"the former one"
    assert list(file.parent.iterdir()) == [file]


def test_an_export_goes_to_standard_output(capfdbinary: Any) -> None:
    _, table_id = a_played_match("people")

    call_command("archive", "export", stderr=io.StringIO())

    assert capfdbinary.readouterr().out == nobody().get(f"tables/{table_id}/archive").content + b"\n"


GARBAGE: dict[str, bytes] = {
    "no JSON": b"{",
    "no UTF-8": b'"\xff"',
    "a lone surrogate": b'"\\ud800"',
    "not a number": b"NaN",
    "deep": b"[" * 100_000,
    "deep but closed": b'{"format":' + b"[" * 500 + b"]" * 500 + b"}",
    "huge number": b'{"format":' + b"9" * 400 + b"}",
    "another format": b'{"format":2}',
    "a list": b"[]",
    "nothing": b"null",
    "two on a line": b"{}{}",
    "NUL": b"\x00",
}


@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_line_of_garbage_is_told_by_its_number_and_the_others_are_read(file: Path, garbage: str) -> None:
    written(file, b"", a_document(), GARBAGE[garbage], b"  ", a_draw())

    outcome, told = import_(file)

    assert outcome == 1
    assert told.startswith("line 3: ")
    assert told.splitlines()[1:] == ["matches read: 3; kept: 2; here already: 0; refused: 1"]


def test_a_line_that_is_too_long_is_passed_over(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LARGEST", 100_000)
    written(file, b" " * 350_000 + b"{}", a_document(), b"9" * 100_001)

    outcome, told = import_(file)

    assert outcome == 1
    assert told.splitlines() == [
        "line 1: A match has at most 100000 bytes.",
        "line 3: A match has at most 100000 bytes.",
        "matches read: 3; kept: 1; here already: 0; refused: 2",
    ]


@pytest.mark.parametrize("cut", [0.5, 0.9])
def test_a_damaged_file_exits_with_2_and_keeps_what_was_read_before(tmp_path: Path, cut: float) -> None:
    file = tmp_path / "matches.gz"
    lines = [json.dumps(document).encode() for document in (a_document(), a_draw())]
    whole = gzip.compress(lines[0] + b"\n") + gzip.compress(lines[1] + b"\n")
    file.write_bytes(whole[: int(len(whole) * cut)])

    with pytest.raises(CommandError) as stopped:
        import_(file)

    assert stopped.value.returncode == 2
    assert Archive.objects.count() == 1


def test_a_file_that_is_not_there_exits_with_2(file: Path) -> None:
    with pytest.raises(CommandError) as stopped:
        import_(file)
    assert stopped.value.returncode == 2


TAMPERED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "count": lambda document: document["rounds"][0].update(count=document["rounds"][0]["count"] + 1),
    "hand": lambda document: (
        document["rounds"][0]["hands"]["0"].reverse()
        or document["rounds"][0]["hands"]["0"].__setitem__(0, 1 + document["rounds"][0]["hands"]["0"][0] % 6)
    ),
    "secret": lambda document: document["rounds"][0].update(secret="0" * 64),
    "commitment": lambda document: document["table"].update(commitment="0" * 64),
    "winner": lambda document: document["table"].update(result=None),
    "round": lambda document: document["rounds"].pop(),
    "event": lambda document: document["events"].pop(1),
    "id": lambda document: document["table"].update(id="anothertable"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_document_that_was_tampered_with_is_refused(file: Path, what: str) -> None:
    document = a_document(
        lambda document: len(document["rounds"]) > 3 and document["table"]["result"] is not None
    )
    TAMPERED[what](document)

    outcome, told = import_(written(file, document))

    assert outcome == 1
    assert told.startswith("line 1: ")
    assert "differs" in told
    assert not Archive.objects.exists()


def test_a_time_that_is_none_is_refused(file: Path) -> None:
    document = a_document(lambda document: bool(document["events"]))
    document["events"][0]["at"] = "2026-99-01T00:00:00Z"

    for option in ((), ("--dry-run",)):
        outcome, told = import_(written(file, document), *option)

        assert outcome == 1
        assert "time" in told
    assert not Archive.objects.exists()


def test_an_id_that_no_address_here_can_have_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "verify", lambda document: Report("An archive", ()))
    document = a_document()
    for wrong in ("x" * 17, "a/b", "é", ""):
        document["table"]["id"] = wrong

        outcome, told = import_(written(file, document))

        assert (outcome, told.splitlines()[0]) == (1, "line 1: No table here can have this id.")
    assert not Archive.objects.exists()


def test_another_archive_of_the_same_table_is_refused(file: Path) -> None:
    _, table_id = a_played_match("people")
    (line,) = export(file)
    document = orjson.loads(line)
    document["table"]["name"] = "Another name"
    written(file, document)

    for here in ("rows", "archive", "pruned", "imported"):
        if here == "archive":
            archiving.archive_table(table_id=table_id)
        if here == "pruned":
            assert prune(table_id)
        if here == "imported":
            Table.objects.filter(pk=table_id).delete()
        outcome, told = import_(file)
        assert (here, outcome) == (here, 1)
        assert told.startswith(f"line 1: Another archive of table {table_id} is here.")
        assert nobody().get(f"tables/{table_id}/archive").content == line


def test_an_archive_of_a_match_that_goes_on_here_is_refused(file: Path) -> None:
    _, table_id = a_played_match("people")
    export(file)
    Table.objects.filter(pk=table_id).update(status="revealed")

    outcome, told = import_(file)

    assert outcome == 1
    assert told.startswith(f"line 1: Table {table_id} is here, and its match has not ended.")
    assert not Archive.objects.exists()


def test_a_long_match_of_another_installation_is_read_page_by_page(file: Path) -> None:
    document = a_draw()
    table_id = document["table"]["id"]
    assert import_(written(file, document))[0] == 0

    with CaptureQueriesContext(connection) as captured:
        page = nobody().get(f"tables/{table_id}/rounds?cursor=900").json()
    assert 1 <= len(captured) <= 4
    last = nobody().get(f"tables/{table_id}/rounds?cursor=950").json()

    assert page["results"] == document["rounds"][900:950]
    assert page["next"].endswith("cursor=950")
    assert (last["results"], last["next"]) == (document["rounds"][950:], None)
    assert nobody().get(f"tables/{table_id}/rounds/999").json() == document["rounds"][998]
    assert nobody().get(f"tables/{table_id}/archive").json() == document


def test_a_match_without_its_table_is_found_by_its_archive_alone_and_nothing_else(file: Path) -> None:
    document = a_document()
    table_id = document["table"]["id"]
    assert import_(written(file, document))[0] == 0
    alice = a_guest("Alice")

    assert nobody().get(f"tables/{table_id}/archive").json() == document
    assert nobody().get(f"tables/{table_id}/rounds/999").status_code == 404
    assert nobody().get(f"tables/{table_id}").status_code == 404
    assert alice.post(f"tables/{table_id}/seats").status_code == 404
    assert alice.acts(table_id, 1, type="liar").status_code == 404
    assert archiving.matches_to_prune(now=archiving.instant("2999-01-01T00:00:00Z")) == []


def test_a_document_in_another_order_and_with_more_fields_is_kept_as_it_is_read(file: Path) -> None:
    document = a_document()
    document["more"] = {"of": "it"}
    document["table"]["more"] = 1.5
    turned = dict(reversed(document.items()))
    assert import_(written(file, turned))[0] == 0

    answer = nobody().get(f"tables/{document['table']['id']}/archive")
    assert answer.json() == document
    assert list(answer.json()) == ["format", "table", "rounds", "events", "more"]
    assert import_(written(file, document))[1] == "matches read: 1; kept: 0; here already: 1; refused: 0\n"


def test_a_large_file_tells_how_far_it_is_and_is_written_a_page_at_a_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "TOLD_EVERY", 2)
    monkeypatch.setattr(queries, "_PAGE", 2)
    played = sorted(a_played_match("forfeit", seed)[1] for seed in range(5))
    for table_id in played[::2]:
        assert prune(table_id)
    told = io.StringIO()

    call_command("archive", "export", str(file), stderr=told)

    assert told.getvalue().splitlines() == ["2 matches...", "4 matches...", "matches written: 5"]
    assert [orjson.loads(line)["table"]["id"] for line in file.read_bytes().splitlines()] == played
    assert import_(file)[1].splitlines()[:2] == ["2 matches...", "4 matches..."]


def test_every_true_document_is_taken_in(file: Path) -> None:
    samples = list(islice(documents(), 20))

    outcome, told = import_(written(file, *samples))

    assert (outcome, told) == (0, "matches read: 20; kept: 20; here already: 0; refused: 0\n")
    assert ArchivedReveal.objects.count() == sum(len(document["rounds"]) for document in samples)
