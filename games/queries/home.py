"""What somebody finds at home: what waits for them, their other tables, and those of others.

A few statements for all of it, however many tables there are.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Exists, F, Max, OuterRef, QuerySet

from games.clocks import stamp
from games.models import CALLS, Event, Seat, Table, Visit
from games.queries.lists import MOST_WAITING, summary
from games.store.reading import load_many, waiting_ids
from games.store.rows import Loaded, TableRow

MOST_SHOWN = 50
MOST_FINISHED = 5
MOST_OPEN = 20
MOST_TO_WATCH = 10

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Tables as documents, each kind in the order to show it; `waiting_count` counts those not shown too."""

    waiting_count: int = 0
    waiting: list[Document] = field(default_factory=list)
    others: list[Document] = field(default_factory=list)
    finished: list[Document] = field(default_factory=list)
    open: list[Document] = field(default_factory=list)
    watchable: list[Document] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """What lists say of tables beside their rows."""

    standing: Mapping[str, Document] = field(default_factory=dict)
    called: Mapping[str, int] = field(default_factory=dict)
    lifted: Mapping[str, int] = field(default_factory=dict)


def home(player_id: str | None) -> Home:
    """The tables at home of this player, or of somebody who never played here."""
    waiting = [] if player_id is None else waiting_ids(player_id, most=MOST_WAITING)
    kinds = {"waiting": waiting[:MOST_SHOWN], **_mine(player_id, waiting), **_of_others(player_id)}
    tables = {table.row.id: table for table in load_many([pk for ids in kinds.values() for pk in ids])}
    mine = [
        tables[pk] for kind in ("waiting", "others", "finished") for pk in kinds.get(kind, ()) if pk in tables
    ]
    beside = _Beside() if player_id is None else _beside(mine, player_id)
    documents = {
        kind: [_document(tables[pk], player_id, beside) for pk in ids if pk in tables]
        for kind, ids in kinds.items()
    }
    return Home(waiting_count=len(waiting), **documents)


def _mine(player_id: str | None, waiting: Collection[str]) -> dict[str, list[str]]:
    """The ids of a player's tables that wait for others, soonest first, and of those that ended last."""
    if player_id is None:
        return {}
    seats = Seat.objects.filter(player_id=player_id)
    in_play = seats.filter(over=False, left=None).values("table_id")
    hosted = Table.objects.filter(host_id=player_id, status="open").values("id")
    others = (
        Table.objects.filter(pk__in=in_play.union(hosted), status__in=("open", "bidding", "revealed"))
        .exclude(pk__in=waiting)
        .order_by(F("due_at").asc(nulls_last=True), "-updated_at", "-id")
    )
    ended = Table.objects.filter(pk__in=seats.values("table_id"), status="finished")
    return {
        "others": _ids(others, MOST_SHOWN),
        "finished": _ids(ended.order_by("-updated_at", "-id"), MOST_FINISHED),
    }


def _of_others(player_id: str | None) -> dict[str, list[str]]:
    """The ids of public tables of others, to join and to watch, latest activity first."""
    public = Table.objects.filter(visibility="public").order_by("-updated_at", "-id")
    if player_id is not None:
        sits = Exists(Seat.objects.filter(table_id=OuterRef("pk"), player_id=player_id))
        public = public.exclude(sits).exclude(host_id=player_id)
    # A practice is nothing to watch: one person moves every seat of theirs.
    in_play = public.filter(status__in=("bidding", "revealed")).exclude(mode="practice")
    return {
        "open": _ids(public.filter(status="open"), MOST_OPEN),
        "watchable": _ids(in_play, MOST_TO_WATCH),
    }


def _ids(tables: QuerySet[Table], most: int) -> list[str]:
    return list(tables.values_list("id", flat=True)[:most])


def _beside(tables: Iterable[Loaded], player_id: str) -> _Beside:
    by_status: dict[str, list[str]] = {}
    for table in tables:
        by_status.setdefault(table.row.status, []).append(table.row.id)
    begun = [pk for status, ids in by_status.items() if status != "open" for pk in ids]
    if not begun:
        return _Beside()
    visits = Visit.objects.filter(player_id=player_id, table_id__in=begun)
    return _Beside(
        standing=_standing_bids(by_status.get("bidding", [])),
        called=_last_calls(by_status.get("finished", [])),
        lifted=dict(visits.values_list("table_id", "lifted")),
    )


def _standing_bids(table_ids: Collection[str]) -> dict[str, Document]:
    """The bid that stands at each of these tables, where there is one."""
    if not table_ids:
        return {}
    later = Event.objects.filter(
        table_id=OuterRef("table_id"), number=OuterRef("number"), kind="bid", ordinal=OuterRef("ordinal") + 1
    )
    last = Event.objects.filter(~Exists(later), table_id__in=table_ids, kind="bid", number=F("table__number"))
    bids = last.values_list("table_id", "seat", "quantity", "face", "total")
    return {table_id: {"seat": seat, **_bid(*amount)} for table_id, seat, *amount in bids}


def _bid(quantity: int | None, face: int | None, total: int | None) -> Document:
    return {"quantity": quantity, "face": face} if total is None else {"total": total}


def _last_calls(table_ids: Collection[str]) -> dict[str, int]:
    """The last round of each of these tables that was called: a forfeit drops the round in play."""
    if not table_ids:
        return {}
    calls = Event.objects.filter(table_id__in=table_ids, kind__in=CALLS).order_by()
    return dict(calls.values_list("table_id").annotate(Max("number")))


def _last_called(row: TableRow, beside: _Beside) -> int:
    """The last round of this table whose cups there are to lift; 0: none."""
    if row.status == "finished":
        return beside.called.get(row.id, 0)
    return row.number - 1 if row.status == "bidding" else row.number


def _document(table: Loaded, player_id: str | None, beside: _Beside) -> Document:
    """A table as the API's lists have it, and what stands, what was lifted, and how long the turn is."""
    row = table.row
    called = _last_called(row, beside)
    mine = next((held for held in table.seats if player_id is not None and held.player_id == player_id), None)
    whole = None if row.due_at is None or row.began_at is None else row.due_at - row.began_at
    # What a reveal brought is nobody's to tell who has not lifted its cups; on a practice table none lie.
    unlifted = mine is not None and row.mode != "practice" and called > beside.lifted.get(row.id, 0)
    return {
        **summary(table, player_id),
        "viewer_seat": None if mine is None else mine.number,
        "hosted": row.host_id == player_id,
        "standing": beside.standing.get(row.id),
        "unlifted": unlifted,
        "next_opener": None if unlifted else row.next_opener,
        "result": None if unlifted or row.result is None else row.result.document(),
        "whole_seconds": None if whole is None else int(whole.total_seconds()),
        "began_at": None if row.began_at is None else stamp(row.began_at),
    }
