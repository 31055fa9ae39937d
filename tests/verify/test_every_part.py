"""Every single value of a document, changed: it is found, but for those that nothing follows from."""

from random import Random
from typing import Any

from games.engine.verify import verify
from tests.verify.building import Document
from tests.verify.samples import documents

UNPROVEN = (
    # Words and times that nothing follows from.
    *("table.name", "table.visibility", "table.created_at", "table.clock.*", "table.seats.*.bank_seconds"),
    *("table.seats.*.player.name", "events.*.player.name", "events.*.at", "rounds.*.bids.*.at"),
    *("table.seats.*.player.kind", "events.*.player.kind", "table.seats.*.player.id"),
    # What might as well have been so: bids before the last, who pressed, options that made no difference.
    *("rounds.*.bids.*.face", "rounds.*.bids.*.quantity", "rounds.*.bids.*.total", "rounds.*.call.type"),
    *("events.*.seat", "events.*.level", "events.*.character", "table.rules.*", "table.mode", "table.host"),
)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all single values in a document."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index, each in enumerate(value) for leaf in leaves(each, (*path, index))]
    return [path]


def pattern_of(path: tuple[str | int, ...]) -> str:
    return ".".join("*" if isinstance(part, int) or part.isdigit() else part for part in path)


def is_unproven(pattern: str) -> bool:
    return pattern in UNPROVEN or f"{pattern.rpartition('.')[0]}.*" in UNPROVEN


def changed(value: Any, rng: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1])
    if isinstance(value, str) and len(value) == 64:
        return value[1:] + ("0" if value[0] != "0" else "1")
    return rng.choice([0, 1]) if value is None else f"{value}x"


def one_of_every_part(document: Document, rng: Random) -> dict[str, tuple[str | int, ...]]:
    """For every part that the format names, one place in the document where it stands."""
    paths = leaves(document)
    rng.shuffle(paths)
    return {pattern_of(path): path for path in paths if not is_unproven(pattern_of(path))}


def test_whatever_part_is_changed_it_is_found() -> None:
    rng = Random("parts")
    tried: set[str] = set()
    played = [document for document in documents() if document["rounds"]]
    for document in played[:40]:
        for pattern, path in one_of_every_part(document, rng).items():
            holder: Any = document
            for part in path[:-1]:
                holder = holder[part]
            before = holder[path[-1]]
            holder[path[-1]] = changed(before, rng)

            assert not verify(document).good, (path, before, holder[path[-1]])

            holder[path[-1]] = before
            tried.add(pattern)

    assert len(tried) > 60
