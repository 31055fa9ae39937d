"""Review of an archive that somebody brings: checked, kept for an hour in the cache, stored nowhere else."""

import secrets
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.core.cache import cache
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from games import limits
from games.clocks import instant
from games.engine.archive import Archive, read
from games.engine.findings import Report
from games.engine.verify import verify
from games.queries.review import Past
from games.web.review import Addresses, shown

LARGEST = 2 * 1024 * 1024
LARGEST_KEPT = 256 * 1024
"""As packed; a match of 999 rounds needs a third of it."""

ENVELOPE = 64 * 1024
"""What a form needs beside its file."""

KEPT_FOR = timedelta(hours=1)
PLACES = 64
"""So many archives are kept at once; the next one takes the place of the oldest."""

_PLACE = "brought:checked:"  # "brought:" alone was that of archives without what their check found

SHOWS = ("structure", "order", "people", "replay", "ending")
"""What must hold before a match can be stepped through; where only dice do not, the page says so."""


class NotKept(Exception):
    """An archive that cannot be shown: why, and what the check of it said, where it got so far."""

    def __init__(self, message: str, report: Report | None = None, *, status: int = 422) -> None:
        super().__init__(message)
        self.message = message
        self.report = report
        self.status = status


@dataclass(frozen=True, slots=True)
class Kept:
    """An archive as it was brought, what its check found then, and until when both are here."""

    document: Mapping[str, Any]
    told: Mapping[str, Any]
    until: datetime


@csrf_exempt  # its own check follows, once it is known that there is not too much to read
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """Ask for an archive, or take one in and go to its last round."""
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST + ENVELOPE:
            raise RequestDataTooBig
        return _bring(request)
    except RequestDataTooBig:
        too_much = "That is too much: a file of two megabytes at most, or one megabyte of text."
        request.upload_handlers = []
        return _form(request, NotKept(too_much, status=413))


@csrf_protect
def _bring(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form(request)
    try:
        limits.count_table(request, None)
        return redirect(Addresses(_keep(_checked(_sent(request))), brought=True).start)
    except limits.SlowDown as error:
        slow = _form(request, NotKept("That was a lot in a short time: wait a little.", status=429))
        slow["Retry-After"] = str(error.retry_after)
        return slow
    except NotKept as refusal:
        return _form(request, refusal)


def _form(request: HttpRequest, refusal: NotKept | None = None) -> HttpResponse:
    context = {"where": "Review", "refusal": refusal}
    return render(request, "games/review_upload.html", context, status=refusal.status if refusal else 200)


def _sent(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    content = file.read(LARGEST + 1) if file else request.POST.get("text", "").encode(errors="replace")
    if len(content) > LARGEST:
        raise NotKept("That is too much: an archive has two megabytes at most.", status=413)
    if not content.strip():
        raise NotKept("Choose the file of an archive, or paste its text.")
    return bytes(content)


def _checked(content: bytes) -> bytes:
    """The document and what its check found, packed; `NotKept` where it cannot be stepped through."""
    try:
        document = orjson.loads(content)
        orjson.dumps(document)  # what is nested too deeply can be read, and not written again
    except (ValueError, TypeError) as error:
        raise NotKept("This is not JSON, so it is no archive of a match.") from error
    report = verify(document)
    broken = [check for check in report.checks if check.name in SHOWS and check.outcome != "good"]
    if broken:
        raise NotKept("This archive does not hold together, so it cannot be stepped through.", report)
    try:
        ended_at = max(map(instant, _times(read(document), document)))
    except (ValueError, OverflowError) as error:
        raise NotKept("A time in this archive is none of the calendar.", report) from error
    told = _told(report) | {"ended_at": ended_at}
    packed = zlib.compress(orjson.dumps({"document": document, "told": told}))
    if len(packed) > LARGEST_KEPT:
        raise NotKept("This archive holds far more than a match.", report, status=413)
    return packed


def _times(archive: Archive, document: Mapping[str, Any]) -> Iterator[str]:
    """Every time that a page may show."""
    yield document["table"]["created_at"]
    for reveal in archive.rounds:
        yield from (reveal["at"], reveal["call"]["at"], *(bid["at"] for bid in reveal["bids"]))
    yield from (event.facts["at"] for event in archive.events)


def _keep(packed: bytes) -> str:
    """Keep a document for an hour; the address under which nobody guesses it."""
    token = secrets.token_urlsafe(12)
    until = timezone.now() + KEPT_FOR
    try:
        cache.add("brought:next", 0, None)
        place = int(cache.incr("brought:next")) % PLACES
        cache.set(f"{_PLACE}{place}", (token, until, packed), KEPT_FOR.total_seconds())
    except Exception as error:  # whatever a cache that is away may raise
        raise NotKept("It cannot be kept just now. Try again in a moment.", status=503) from error
    return f"{place}-{token}"


def _kept(key: str) -> Kept:
    place, _, token = key.partition("-")
    try:
        found = cache.get(f"{_PLACE}{int(place)}") if place.isdecimal() and len(place) < 4 else None
    except Exception as error:
        raise NotKept("It cannot be read just now. Try again in a moment.", status=503) from error
    if found is None or not secrets.compare_digest(found[0].encode(), token.encode(errors="replace")):
        raise NotKept("This archive is no longer kept here. Bring it again.", status=404)
    kept = orjson.loads(zlib.decompress(found[2]))
    return Kept(kept["document"], kept["told"], found[1])


@require_safe
def brought(
    request: HttpRequest, key: str, number: int | None = None, move: int | None = None
) -> HttpResponse:
    """A step of a match whose archive somebody brought."""
    try:
        kept = _kept(key)
    except NotKept as refusal:
        return _form(request, refusal)
    archive = read(kept.document)
    rounds = len(archive.rounds)
    if number is not None and not 1 <= number <= rounds:
        raise Http404
    reveal = archive.rounds[(number or rounds) - 1] if rounds else None
    found = Past(
        table={**kept.document["table"], "rules": archive.table.rules.document()},
        rounds=rounds,
        reveal=reveal,
        ended_at=datetime.fromisoformat(kept.told["ended_at"]),
    )
    told = {**kept.told, "until": kept.until}
    return shown(request, found, Addresses(key, brought=True), move=move, report=told)


def _told(report: Report) -> dict[str, Any]:
    """What the page says of a check, in a form that can be kept."""
    differs = [check for check in report.checks if check.outcome == "differs"]
    summary = "This archive holds: its dice, every outcome and the places follow from one another."
    if differs:
        summary = (
            f"This archive is not true as it stands. {differs[0].claim} It does not: {differs[0].detail}"
        )
    checks = [
        {"outcome": check.outcome, "claim": check.claim, "detail": check.detail} for check in report.checks
    ]
    return {"good": not differs, "summary": summary, "checks": checks}


@require_safe
def archive(request: HttpRequest, key: str) -> HttpResponse:
    """The archive as it was brought."""
    try:
        kept = _kept(key)
    except NotKept as refusal:
        return HttpResponse(
            f"{refusal.message}\n", status=refusal.status, content_type="text/plain; charset=utf-8"
        )
    return HttpResponse(orjson.dumps(kept.document), content_type="application/json")
