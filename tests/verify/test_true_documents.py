"""Documents of matches as they were played: they verify, they fit the schema, and they are small."""

import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.engine.findings import CLAIMS
from games.engine.rules import Rules
from games.engine.verify import verify
from tests.engine.random_matches import Setting
from tests.verify.building import build, counting
from tests.verify.samples import HOW_MANY, a_club_match, a_document, a_draw, documents

SCHEMA = json.loads((Path(__file__).parents[2] / "games" / "archive.schema.json").read_text("utf-8"))
SMALL = 8000
"""Bytes that a compressed document of six seats may have."""


def test_the_samples_hold_everything_that_can_happen() -> None:
    kinds: Counter[Any] = Counter()
    for document in documents():
        table = document["table"]
        kinds.update(event["kind"] for event in document["events"])
        kinds.update("forfeit" for event in document["events"] if event.get("forfeit"))
        kinds.update(event["why"] for event in document["events"] if event["kind"] == "left")
        kinds.update("palifico" for reveal in document["rounds"] if reveal["palifico"])
        kinds[table["rules"]["bidding"], table["mode"], table["clock"]["kind"]] += 1
        kinds["no round"] += not document["rounds"]
        kinds["seats dropped"] += len(table["seats"]) < table["rules"]["seats"]
        kinds["inside a round"] += document["events"][-1]["status"] == "bidding"

    assert sum(1 for _ in documents()) == HOW_MANY
    for wanted in (
        *("created", "sat", "stood", "freed", "computer", "started", "ready", "round", "strike", "left"),
        *(
            "abandoned",
            "forfeit",
            "leave",
            "strikes",
            "palifico",
            "no round",
            "seats dropped",
            "inside a round",
        ),
        *(("sum", "casual", "live"), ("faces", "casual", "slow"), ("faces", "practice", "none")),
    ):
        assert kinds[wanted] > 0, wanted


def test_every_match_as_it_was_played_verifies() -> None:
    for document in documents():
        report = verify(document)

        assert report.good, str(report)
        assert [check.name for check in report.checks] == list(CLAIMS)


def test_what_cannot_be_checked_is_said() -> None:
    document = a_document(
        lambda document: not document["rounds"] and document["table"]["rules"]["first_opener"] == "random"
    )

    outcomes = {check.name: check.outcome for check in verify(document).checks}

    assert outcomes == dict.fromkeys(CLAIMS, "good") | dict.fromkeys(
        ("chain", "hands", "opener"), "not checked"
    )


def test_a_draw_after_the_last_round_verifies() -> None:
    document = a_draw()
    report = verify(document)

    assert report.good, str(report)
    assert document["table"]["result"] == {"winner": None, "places": {"0": 1, "1": 1}, "drawn": True}
    assert len(document["rounds"]) == 999


def test_fields_that_the_format_does_not_name_are_passed_over() -> None:
    document = a_club_match()
    document["more"] = document["table"]["more"] = document["rounds"][0]["more"] = ["anything"]
    document["events"][0]["more"] = document["table"]["seats"][0]["more"] = {"any": "thing"}

    assert verify(document).good
    assert Draft202012Validator(SCHEMA).is_valid(document)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_match_as_it_was_played_fits_the_schema() -> None:
    validator = Draft202012Validator(SCHEMA)
    for document in documents():
        assert [error.message for error in validator.iter_errors(document)] == []


def test_the_report_names_what_was_checked_and_says_that_all_is_well() -> None:
    document = a_club_match()

    lines = str(verify(document)).splitlines()

    assert document["table"]["id"] in lines[0]
    assert [line.split()[1] for line in lines[1:-1]] == list(CLAIMS)
    assert lines[-1] == "All is well."


@pytest.mark.parametrize("pace", ["live", "slow"])
@pytest.mark.parametrize("computers", [(), (1, 2, 3, 4, 5)])
def test_a_document_of_six_seats_is_small(pace: Any, computers: tuple[int, ...]) -> None:
    for seed in range(8):
        setting = Setting(
            rules=Rules(seats=6), pace=pace, numbers=tuple(range(6)), computers=computers, seed=seed
        )
        text = json.dumps(build(setting, counting), separators=(",", ":"))

        assert len(zlib.compress(text.encode(), 9)) <= SMALL
