"""`manage.py verify`: files, standard input and addresses; what it prints and how it exits."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.verify.samples import a_club_match

ROOT = Path(__file__).parents[2]


def run(source: str, *, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a person would, with a database that does not answer."""
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "verify", source],
        input=given,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | nowhere,
        check=False,
    )


def a_true_document() -> bytes:
    return json.dumps(a_club_match()).encode()


def a_false_document() -> bytes:
    document = a_club_match()
    document["rounds"][2]["count"] += 1
    return json.dumps(document).encode()


def test_a_true_file_passes(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(a_true_document())

    done = run(str(file))

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[-1] == "All is well."


def test_a_file_in_which_something_differs_fails_and_says_where(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(a_false_document())

    done = run(str(file))

    assert done.returncode == 1
    assert b"rounds[2].count" in done.stdout
    assert done.stdout.decode().splitlines()[-1] == "Something differs."


def test_a_zipped_file_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "match.json.gz"
    file.write_bytes(gzip.compress(a_true_document()))

    assert run(str(file)).returncode == 0


def test_standard_input_is_read() -> None:
    assert run("-", given=a_true_document()).returncode == 0
    assert run("-", given=a_false_document()).returncode == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"9" * 10_000, b"\x1f\x8bnot zipped", gzip.compress(b"{}")[:12]],
    ids=["nothing", "half", "not-utf-8", "deep", "huge", "not-zipped", "cut-short"],
)
def test_what_is_no_json_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(content)

    done = run(str(file))

    assert done.returncode == 2
    assert b"could not be read" in done.stderr
    assert b"Traceback" not in done.stderr


def test_json_that_is_no_archive_differs(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text('{"format": 2}', "utf-8")

    done = run(str(file))

    assert done.returncode == 1
    assert b"format is 2" in done.stdout


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    assert run(str(tmp_path / "nothing.json")).returncode == 2


class _Archive(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path == "/archive"
        self.send_response(200 if found else 404)
        self.end_headers()
        if found:
            self.wfile.write(a_true_document())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Archive)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_address_is_fetched(site: str) -> None:
    assert run(f"{site}/archive").returncode == 0


def test_an_address_without_an_archive_cannot_be_read(site: str) -> None:
    done = run(f"{site}/nothing")

    assert done.returncode == 2
    assert b"404" in done.stderr
