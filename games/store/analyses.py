"""Analyses in rows: the sum of a match, and each of its rounds by itself, packed like its archive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from games.analysis import ANALYSIS_VERSION
from games.models import AnalysedRound, Analysis, Archive, Mirrored
from games.store.archives import packed, unpacked

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the analysis of a match is."""

    rounds: int = 0
    whole: bool = False
    summary: Document | None = None


def progress(table_id: str) -> Progress:
    """How far it is; what an older version worked out counts for nothing."""
    found = Analysis.objects.filter(pk=table_id, version=ANALYSIS_VERSION)
    row = found.values_list("rounds", "whole", "summary").first()
    if row is None:
        return Progress()
    return Progress(rounds=row[0], whole=row[1], summary=unpacked(row[2]) if row[2] else None)


def behind(*, most: int) -> list[str]:
    """Finished matches that this version has not worked out, the latest first."""
    known = Q(analysis__whole=True, analysis__version=ANALYSIS_VERSION)
    waiting = Archive.objects.filter(ended_at__isnull=False).exclude(known)
    return list(waiting.order_by("-ended_at").values_list("pk", flat=True)[:most])


def keep(
    table_id: str, before: Progress, after: Progress, rounds: Sequence[tuple[int, Sequence[Document]]]
) -> bool:
    """Keep a slice of the work, inside a transaction; False where somebody else was faster."""
    Analysis.objects.bulk_create([Analysis(archive_id=table_id, version=0)], ignore_conflicts=True)
    waiting = Analysis.objects.filter(pk=table_id, whole=False, rounds=before.rounds)
    if before.summary is None:
        waiting = Analysis.objects.filter(pk=table_id).exclude(version=ANALYSIS_VERSION)
    else:
        waiting = waiting.filter(version=ANALYSIS_VERSION)
    summary = packed(after.summary)
    new = {"rounds": after.rounds, "whole": after.whole, "summary": summary}
    if not waiting.update(version=ANALYSIS_VERSION, **new):
        return False
    if before.summary is None:
        AnalysedRound.objects.filter(analysis_id=table_id).delete()
    rows = [
        AnalysedRound(analysis_id=table_id, number=number, content=packed(decisions))
        for number, decisions in rounds
    ]
    AnalysedRound.objects.bulk_create(rows)
    return True


def keep_mirror(player_id: str, table_id: str, *, rounds: int, counts: Document) -> None:
    """Keep what a match says of how somebody plays, instead of what an older version said."""
    Mirrored.objects.update_or_create(
        player_id=player_id, table_id=table_id, defaults={"rounds": rounds, "counts": counts}
    )


def summary_and_round(table_id: str, number: int) -> tuple[Document, list[dict[str, Any]] | None] | None:
    """The sum of a match and one of its rounds, in one statement; None until the whole is worked out."""
    one = AnalysedRound.objects.filter(analysis_id=OuterRef("pk"), number=number).values("content")
    found = Analysis.objects.filter(pk=table_id, whole=True).annotate(of_round=Subquery(one))
    row = found.values_list("summary", "of_round").first()
    if row is None:
        return None
    return unpacked(row[0]), None if row[1] is None else unpacked(row[1])
