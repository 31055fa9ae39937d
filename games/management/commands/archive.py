"""`manage.py archive`: all finished matches as lines of JSON, written to a file and read from one."""

import gzip
import os
import sys
import zlib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.management.base import BaseCommand, CommandError

from games.commands.archiving import Unfit, take_in
from games.queries.archives import finished_matches

GZIP = b"\x1f\x8b"
LARGEST = 16 * 1024 * 1024
"""No archive comes near so many bytes; a longer line is passed over."""

TOLD_EVERY = 1000


class Command(BaseCommand):
    """Export and import archives."""

    help = "Write all finished matches to a file, one JSON document a line; or read such a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        ways = parser.add_subparsers(dest="way", required=True)
        out = ways.add_parser("export", help="write all finished matches")
        out.add_argument(
            "file", nargs="?", default="-", help="gzipped when it ends in .gz; - (default) is stdout"
        )
        out.add_argument(
            "--private", action="store_true", help="private tables too; without it they are left out"
        )
        back = ways.add_parser(
            "import", help="read what an export wrote, here or elsewhere; exits with 1 if any line is refused"
        )
        back.add_argument("file", help="a file, also gzipped; - is standard input")
        back.add_argument("--dry-run", action="store_true", help="check every line and keep nothing")

    def handle(self, *, way: str, file: str, **options: Any) -> None:
        try:
            if way == "export":
                self._export(file, private=options["private"])
            else:
                self._import(file, dry_run=options["dry_run"])
        except (OSError, EOFError, zlib.error) as trouble:
            raise CommandError(f"{file}: {trouble}", returncode=2) from trouble

    def _export(self, name: str, *, private: bool) -> None:
        written = 0
        with _to(name) as file:
            for document in finished_matches(private=private):
                file.write(document + b"\n")
                written += 1
                self._progress(written)
        self._tell(f"matches written: {written}")

    def _import(self, name: str, *, dry_run: bool) -> None:
        counts = Counter[str]()
        try:
            with _from(name) as file:
                for number, line in _lines(file):
                    counts[self._take_in(number, line, dry_run=dry_run)] += 1
                    self._progress(counts.total())
        finally:
            kept = "would be kept" if dry_run else "kept"
            self._tell(
                f"matches read: {counts.total()}; {kept}: {counts['new']};"
                f" here already: {counts['known']}; refused: {counts['refused']}"
            )
        if counts["refused"]:
            sys.exit(1)

    def _take_in(self, number: int, line: bytes | None, *, dry_run: bool) -> str:
        """Take one line in, and say what became of it."""
        try:
            if line is None:
                raise Unfit("too_long", f"A match has at most {LARGEST} bytes.")
            return "new" if take_in(line=line, dry_run=dry_run) else "known"
        except Unfit as unfit:
            self._tell(f"line {number}: {unfit.message}")
            return "refused"

    def _progress(self, count: int) -> None:
        if count % TOLD_EVERY == 0:
            self._tell(f"{count} matches...")

    def _tell(self, text: str) -> None:
        """Say how it goes, beside what may be written to standard output."""
        self.stderr.write(text, str)


@contextmanager
def _to(name: str) -> Iterator[BinaryIO]:
    """Where to write: a file has its name only once it is whole."""
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = Path(f"{name}.part")
    try:
        with part.open("wb") as plain:
            if name.endswith(".gz"):
                # Without a time in it, the same matches give the same file.
                with gzip.GzipFile(filename="", mode="wb", fileobj=plain, compresslevel=6, mtime=0) as zipped:
                    yield cast(BinaryIO, zipped)
            else:
                yield plain
            plain.flush()
            os.fsync(plain.fileno())
        part.replace(name)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _from(name: str) -> Iterator[BinaryIO]:
    """What to read, unpacked where it is gzipped, whatever it is called."""
    with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
        if cast(BufferedReader, file).peek(2).startswith(GZIP):
            with gzip.open(file) as zipped:
                yield cast(BinaryIO, zipped)
        else:
            yield file


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines with their numbers, without empty ones; None for one that is too long to be read."""
    number = 0
    while line := file.readline(LARGEST + 1):
        number += 1
        if len(line) > LARGEST:
            while line and not line.endswith(b"\n"):
                line = file.readline(LARGEST)
            yield number, None
        elif line.strip():
            yield number, line
