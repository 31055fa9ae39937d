"""Review of an archive that somebody brings: whatever it is, it is refused in words or shown."""

import json
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.engine.verify import verify
from games.web import uploads
from tests.verify import changes
from tests.verify.changes import Change
from tests.verify.samples import a_club_match, a_document, a_draw
from tests.verify.test_garbage import GARBAGE

pytestmark = pytest.mark.django_db


def brought(content: bytes | str | dict[str, Any], client: Client | None = None) -> Any:
    text = json.dumps(content) if isinstance(content, dict) else content
    raw = text.encode() if isinstance(text, str) else text
    return (client or Client()).post("/review", {"file": SimpleUploadedFile("a.json", raw)})


def test_an_archive_is_checked_and_stepped_through() -> None:
    document = a_club_match()
    answer = brought(document)
    assert answer.status_code == 302
    start = answer["Location"]

    page = Client().get(start).content.decode()

    assert f"Round {len(document['rounds'])}, move" in page
    assert "This archive holds" in page
    assert "Practise" not in page
    for path in ("/1", "/1/1?chair=2", f"/{len(document['rounds'])}"):
        assert Client().get(f"{start}{path}").status_code == 200
    for path in ("/0", "/99", "/1/0", "/1/99"):
        assert Client().get(f"{start}{path}").status_code == 404
    (archive,) = set(re.findall(r'href="([^"]+)" download=', page))
    assert json.loads(Client().get(archive).content) == document


def test_an_archive_is_checked_once_and_not_with_every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    document = a_club_match()
    changes.a_secret(document)
    checked = []
    monkeypatch.setattr(uploads, "verify", lambda document: checked.append(1) or verify(document))

    start = brought(document)["Location"]
    first = Client().get(start).content.decode()
    again = Client().get(f"{start}/1/1").content.decode()

    assert len(checked) == 1
    for page in (first, again):
        assert "is not true as it stands" in page
        assert "<b>differs</b>" in page
        assert "This archive is kept here until" in page


def test_pasted_text_will_do() -> None:
    answer = Client().post("/review", {"text": json.dumps(a_document(lambda document: True))})
    assert answer.status_code == 302
    assert Client().get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("change", [changes.a_die, changes.a_secret, changes.the_commitment, changes.a_seed])
def test_dice_that_do_not_follow_are_shown_with_what_is_wrong(change: Change) -> None:
    document = a_club_match()
    change(document)
    answer = brought(document)
    if answer.status_code == 302:
        assert "is not true as it stands" in Client().get(answer["Location"]).content.decode()
    else:
        assert "does not hold together" in answer.content.decode()
    assert not verify(document).good


@pytest.mark.parametrize("change", [changes.a_count, changes.two_rounds_swapped, changes.a_place])
def test_outcomes_that_do_not_follow_are_refused_with_the_difference(change: Change) -> None:
    document = a_club_match()
    change(document)
    answer = brought(document)
    assert answer.status_code == 422
    assert "It does not: <code>" in answer.content.decode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   ",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"1e999",
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b'{"format": 1, "table": "\\ud800"}',
        b"9" * 10_000,
        b"\0" * 1000,
    ],
)
def test_garbage_is_refused_in_words(content: bytes) -> None:
    answer = brought(content)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert Client().post("/review", {"text": content.decode(errors="replace")[:100_000]}).status_code == 422


@pytest.mark.parametrize("value", GARBAGE, ids=range(len(GARBAGE)))
def test_any_value_anywhere_in_a_document_is_refused_or_shown(value: Any) -> None:
    for place in ("name", "id", "rules", "seats", "reveal", "result", "created_at", "clock", "given"):
        document = a_document(lambda document: bool(document["rounds"]))
        document["table"][place] = value
        look_at(document)
    for place in ("bids", "hands", "at", "count", "more"):
        document = a_document(lambda document: bool(document["rounds"]))
        document["rounds"][0][place] = value
        look_at(document)


def look_at(document: dict[str, Any]) -> None:
    try:
        text = json.dumps(document)
    except (ValueError, RecursionError):
        return
    answer = brought(text)
    assert answer.status_code in (302, 422, 413), answer.status_code
    if answer.status_code == 302:
        assert Client().get(answer["Location"]).status_code == 200


def test_a_time_of_no_calendar_is_refused() -> None:
    document = a_document(lambda document: bool(document["rounds"]))
    document["rounds"][0]["bids"][0]["at"] = "2026-13-41T25:61:61Z"
    assert brought(document).status_code == 422


def test_more_options_than_this_version_knows_are_passed_over() -> None:
    document = a_document(lambda document: bool(document["rounds"]))
    document["table"]["rules"]["colour"] = "green"
    look_at(document)


def test_too_much_is_refused_before_it_is_read() -> None:
    assert brought(b" " * (uploads.LARGEST + 1)).status_code == 413
    assert brought(b" " * (uploads.LARGEST + uploads.ENVELOPE)).status_code == 413
    assert Client().post("/review", {"text": "x" * 1_100_000}).status_code == 413


def test_nobody_brings_an_archive_from_another_site() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert brought(a_club_match(), strict).status_code == 403


def test_the_longest_match_can_be_brought() -> None:
    answer = brought(a_draw())
    assert answer.status_code == 302
    assert "Round 999, move 2 of 2" in Client().get(answer["Location"]).content.decode()


@pytest.mark.parametrize("key", ["0-x", "x", "0-", "99999-x", "-", "²-x", "0-\udcff", "a\0b"])
def test_what_is_no_longer_kept_can_be_brought_again(key: str) -> None:
    for path in ("", "/1", "/1/1"):
        answer = Client().get(f"/review/{key.encode(errors='replace').decode()}{path}")
        assert answer.status_code == 404
    assert Client().get(f"/review/{key.encode(errors='replace').decode()}/archive.json").status_code == 404


def test_an_archive_is_forgotten_with_the_cache_and_only_so_many_are_kept() -> None:
    document = a_document(lambda document: bool(document["rounds"]))
    first = brought(document)["Location"]
    for _ in range(uploads.PLACES - 1):
        uploads._keep(uploads._checked(json.dumps(document).encode()))
    assert Client().get(first).status_code == 200

    last = brought(document)["Location"]

    assert Client().get(first).status_code == 404
    assert Client().get(last).status_code == 200
    cache.clear()
    assert Client().get(last).status_code == 404


def test_a_cache_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise ConnectionError

    start = brought(a_club_match())["Location"]
    monkeypatch.setattr(cache, "get", away)
    monkeypatch.setattr(cache, "incr", away)

    assert brought(a_club_match()).status_code == 503
    assert Client().get(start).status_code == 503
