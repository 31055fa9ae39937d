"""`manage.py verify`: check a finished match from its archive document, without the database."""

import json
import sys
import zlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from django.core.management.base import BaseCommand, CommandError

from games.engine.verify import verify

GZIP = b"\x1f\x8b"
LARGEST = 64 * 1024 * 1024
"""No archive comes near so many bytes; more are not read."""

PATIENCE = 30
"""Seconds that an address may take to answer."""


class Command(BaseCommand):
    help = (
        "Check the dice, every outcome and the places of a finished match from its archive document. "
        "Exits with 0 when all is well, 1 when something differs, 2 when the document could not be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help="a file (JSON, also gzipped), - for standard input, or an address")

    def handle(self, *, source: str, **_: Any) -> None:
        try:
            document = json.loads(_unpacked(_bytes_from(source)))
        except (OSError, EOFError, zlib.error, ValueError, RecursionError) as trouble:
            raise CommandError(f"{source} could not be read: {trouble}", returncode=2) from trouble
        report = verify(document)
        self.stdout.write(str(report))
        if not report.good:
            sys.exit(1)


def _bytes_from(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read(LARGEST)
    if source.startswith(("http://", "https://")):
        with urlopen(source, timeout=PATIENCE) as answer:
            content: bytes = answer.read(LARGEST)
            return content
    with Path(source).open("rb") as file:
        return file.read(LARGEST)


def _unpacked(content: bytes) -> bytes:
    if not content.startswith(GZIP):
        return content
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(content, LARGEST)
