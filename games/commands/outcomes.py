"""How a finished match went for each person, kept as rows of its own (rules, 7.5 to 7.8).

They are read from the document of a match, so that one played elsewhere gives the same. Only people known
here get a row. Who left before the first call left a match that did not count yet.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from django.db import transaction

from accounts.models import Player
from games.clocks import instant
from games.computers.registry import LEVELS
from games.engine.rules import DEFAULTS, PRESETS
from games.models import Archive, Counted, Outcome
from games.store.archives import kept_match
from games.store.reading import may_be_an_id

Document: TypeAlias = Mapping[str, Any]

OWN = "own"
_CLOCK = ("kind", "pace", "turn_seconds")
PEOPLE, BOTS = "people", "bots"


def count_match(*, table_id: str) -> bool:
    """Write the outcomes of an archived match, unless they were written; was there anything to do?"""
    archive = Archive.objects.filter(pk=table_id, ended_at__isnull=False, counted=None).first()
    document = None if archive is None else kept_match(table_id)
    if archive is None or archive.ended_at is None or document is None:
        return False
    with transaction.atomic():
        keep_outcomes(document, ended_at=archive.ended_at)
    return True


def keep_outcomes(document: Document, *, ended_at: datetime) -> None:
    """Write the outcomes of a match that is archived in the same transaction; twice is harmless."""
    wanted = outcomes_of(document, ended_at=ended_at)
    # An archive from elsewhere may call its people anything.
    ids = [row.player_id for row in wanted if may_be_an_id(row.player_id)]
    known = set(Player.objects.filter(pk__in=ids).values_list("pk", flat=True))
    rows = [row for row in wanted if row.player_id in known]
    Outcome.objects.bulk_create(rows, ignore_conflicts=True)
    Counted.objects.bulk_create([Counted(archive_id=document["table"]["id"])], ignore_conflicts=True)


def uncounted(*, after: str = "", most: int) -> list[str]:
    """Archived matches whose outcomes were not written, by their ids and from `after` on."""
    waiting = Archive.objects.filter(ended_at__isnull=False, counted=None, pk__gt=after)
    return list(waiting.order_by("pk").values_list("pk", flat=True)[:most])


def outcomes_of(document: Document, *, ended_at: datetime) -> list[Outcome]:
    """An outcome for each person for whom this match counts, unsaved."""
    table = document["table"]
    if table["mode"] == "practice" or not document["rounds"] or table["result"] is None:
        return []
    left = {event["seat"]: event for event in document["events"] if event["kind"] == "left"}
    return [
        _outcome(document, seat, left.get(seat["seat"]), ended_at=ended_at)
        for seat in table["seats"]
        if seat["player"]["kind"] != "computer" and not _left_early(left.get(seat["seat"]))
    ]


def _left_early(left: Document | None) -> bool:
    """Did this person leave before the first round was called?"""
    return left is not None and left["round"] == 1 and left["status"] == "bidding"


def _outcome(document: Document, seat: Document, left: Document | None, *, ended_at: datetime) -> Outcome:
    table = document["table"]
    others = [_opponent(other) for other in table["seats"] if other["seat"] != seat["seat"]]
    return Outcome(
        player_id=seat["player"]["id"],
        table_id=table["id"],
        table_name=_text(table["name"]),
        visibility=table["visibility"],
        mode=table["mode"],
        preset=preset_of(table["rules"]),
        rules={name: table["rules"][name] for name in DEFAULTS},
        clock={name: table["clock"][name] for name in _CLOCK if name in table["clock"]},
        rounds=len(document["rounds"]),
        seats=len(table["seats"]),
        ended_at=ended_at,
        over_at=ended_at if left is None else instant(left["at"]),
        place=seat["place"],
        result=_result(table["result"], seat["seat"], left),
        against=_against(others),
        opponents=others,
        opponent_names="\n".join(other["name"].casefold() for other in others),
        opponent_ids=f" {' '.join(other['id'] for other in others)} ",
    )


def _opponent(seat: Document) -> dict[str, str]:
    player = seat["player"]
    return {name: _text(player[name]) for name in ("id", "name", "kind", "level") if name in player}


def _text(text: str) -> str:
    """A text as every database takes it."""
    return text.replace("\x00", "")


def _result(result: Document, seat: int, left: Document | None) -> str:
    """What came of it for the person of a seat; a substitute's win is nobody's."""
    if left is not None:
        return "left"
    if result["drawn"]:
        return "drawn" if result["places"][str(seat)] == 1 else "lost"
    return "won" if result["winner"] == seat else "lost"


def _against(others: Sequence[Mapping[str, str]]) -> str:
    """Against people where there was one at least, else bots, else the strongest level of the computers."""
    kinds = {other["kind"] for other in others}
    if kinds - {"bot", "computer"}:
        return PEOPLE
    if "bot" in kinds:
        return BOTS
    levels = [other["level"] for other in others]
    return max(levels, key=lambda level: LEVELS.index(level) if level in LEVELS else len(LEVELS))[:20]


def preset_of(rules: Document) -> str:
    """The preset that has these options, whatever its seats and dice; "own" where none has."""
    played = {name: rules[name] for name in DEFAULTS if name not in ("seats", "starting_dice")}
    for preset, values in PRESETS.items():
        if all(played[name] == {**DEFAULTS, **values}[name] for name in played):
            return preset
    return OWN
