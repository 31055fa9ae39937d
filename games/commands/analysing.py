"""Analyses of finished matches: worked out a slice at a time, and found again when a hint is lost."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import Player
from games import live
from games.analysis.decisions import decisions_in
from games.analysis.match import add_round, begun, finished, weigh_round
from games.engine.rules import rules_of
from games.store import analyses, archives
from games.store.analyses import Progress
from games.store.reading import may_be_an_id

SLICE = 100
"""Decisions at a time: weighed in about a second, after which others have their turn."""

PAGE = 50
"""Rounds are read so many at a time."""


def analyse_table(*, table_id: str, most: int = SLICE) -> bool:
    """Work out the next slice of a finished match; was there anything to do?

    While more is left to do, a worker is asked for it. What somebody else did meanwhile is left as it is.
    """
    before = analyses.progress(table_id)
    if before.whole:
        return False
    frame = archives.frame(table_id)
    if frame is None:
        return False
    after, rounds = _slice(table_id, frame, before, most)
    with transaction.atomic():
        if not analyses.keep(table_id, before, after, rounds):
            return True
        if after.whole:
            _keep_mirrors(frame, after)
        else:
            live.analyse_table(table_id)
    return True


def ask_for_analyses(*, most: int) -> None:
    """Ask workers for the matches whose analysis is behind, the latest first."""
    for table_id in analyses.behind(most=most):
        live.analyse_table(table_id)


def _slice(
    table_id: str, frame: Mapping[str, Any], before: Progress, most: int
) -> tuple[Progress, list[tuple[int, list[dict[str, Any]]]]]:
    """The progress after a slice, and the rounds in it."""
    rules, rounds, done = rules_of(frame["table"]), [], 0
    so_far = before.summary or begun(frame)
    page = archives.reveals(table_id, after=before.rounds, most=PAGE)
    for reveal in page:
        decisions = weigh_round(rules, reveal)
        so_far = add_round(frame, so_far, reveal, decisions)
        rounds.append((reveal["number"], decisions))
        done += decisions_in(reveal)
        if done >= most:
            break
    number = before.rounds + len(rounds)
    latest = frame["table"]["reveal"]
    if number < (latest["number"] if latest else 0):
        return Progress(rounds=number, summary=so_far), rounds
    return Progress(rounds=number, whole=True, summary=finished(frame, so_far)), rounds


def _keep_mirrors(frame: Mapping[str, Any], done: Progress) -> None:
    """What the match says of the people who are known here; practice says nothing."""
    table, mirrors = frame["table"], (done.summary or {})["mirrors"]
    if table["mode"] == "practice":
        return
    people = {
        seat["player"]["id"]: mirrors[str(seat["seat"])]
        for seat in table["seats"]
        if seat["player"]["kind"] != "computer" and str(seat["seat"]) in mirrors
    }
    known = Player.objects.filter(pk__in=[player for player in people if may_be_an_id(player)])
    for player_id in known.values_list("pk", flat=True):
        analyses.keep_mirror(player_id, table["id"], rounds=done.rounds, counts=people[player_id])
