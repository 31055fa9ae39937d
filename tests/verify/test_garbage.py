"""Whatever `verify` is given, it reports and does not raise; and it reads what the schema describes."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from games.engine.verify import verify
from tests.verify.samples import a_club_match, a_document
from tests.verify.test_every_part import leaves
from tests.verify.test_true_documents import SCHEMA

VALIDATOR = Draft202012Validator(SCHEMA)


def deep(levels: int = 100_000) -> list[Any]:
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


def deep_object(levels: int = 100_000) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for _ in range(levels):
        nested = {"table": nested}
    return nested


GARBAGE: list[Any] = [
    *(None, True, False, 0, -1, 7, 10**5000, -(10**5000), 1.5, float("inf"), float("nan"), 4.0),
    *("", "x", "\ud800", "\0", "|", "ſ", "a" * 100_000, "0" * 64, "٣", "2026-02-31T25:61:00Z"),
    *([], {}, [[]], {"0": None}, {"6": 1}, {0: 1}, {"seat": 0}, [None] * 1000),
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def inner_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a document that holds something."""
    if isinstance(value, dict):
        return [path, *(found for key in value for found in inner_paths(value[key], (*path, key)))]
    if isinstance(value, list):
        return [
            path,
            *(found for index, each in enumerate(value) for found in inner_paths(each, (*path, index))),
        ]
    return []


@pytest.mark.parametrize(
    "document", [*GARBAGE, deep(), deep_object()], ids=lambda value: type(value).__name__
)
def test_garbage_is_reported_as_unreadable(document: Any) -> None:
    report = verify(document)

    assert not report.good
    assert report.checks[0].outcome == "differs"
    assert str(report).isascii()


@settings(max_examples=200)
@given(json_values)
def test_any_json_is_reported(document: Any) -> None:
    assert not verify(document).good


def test_garbage_in_the_place_of_any_part_is_reported() -> None:
    rng = Random("garbage")
    document = a_document(lambda found: len(found["rounds"]) > 2)
    places = {path[-1]: path for path in [*leaves(document), *inner_paths(document)] if path}
    for garbage in [*GARBAGE, deep()]:
        for path in rng.sample(sorted(places.values(), key=str), 40):
            holder = document
            for part in path[:-1]:
                holder = holder[part]
            before = holder[path[-1]]
            holder[path[-1]] = garbage

            assert str(verify(document)).isascii()

            holder[path[-1]] = before


def test_a_document_without_any_one_of_its_parts_is_reported_and_does_not_fit_the_schema() -> None:
    document = a_document(lambda found: len(found["rounds"]) > 2 and bool(found["table"]["result"]))
    by_name = {path[-1]: path for path in [*leaves(document), *inner_paths(document)] if path}
    for name, path in by_name.items():
        if not isinstance(name, str) or name.isdigit():
            continue
        holder = document
        for part in path[:-1]:
            holder = holder[part]
        before = holder.pop(name)
        fits = VALIDATOR.is_valid(document)

        assert fits == (verify(document).checks[0].outcome == "good"), path
        assert not fits or path == ("table", "clock", "bank_seconds"), path

        holder[name] = before


def test_a_version_beyond_all_numbers_is_reported() -> None:
    document = a_club_match()
    document["table"]["version"] = document["events"][-1]["version"] = 10**5000

    assert "a huge number" in str(verify(document))


@pytest.mark.parametrize("where", ["table", "rounds", "events"])
def test_what_does_not_fit_the_schema_is_unreadable(where: str) -> None:
    rng = Random(where)
    document = a_document(lambda found: len(found["rounds"]) > 2)
    names = {str(path[-1]): path for path in leaves(document) if path[0] == where}
    wrong: list[Any] = [None, True, -1, 0, 7, 4.5, "x", [], {}]
    for path in names.values():
        holder: Any = document
        for part in path[:-1]:
            holder = holder[part]
        before = holder[path[-1]]
        for value in rng.sample(wrong, 5):
            holder[path[-1]] = value
            if not VALIDATOR.is_valid(document):
                assert verify(document).checks[0].outcome == "differs", (path, value)
        holder[path[-1]] = before
