"""The checks of an archive that need no replay: numbering, chain, hands, opener, seats."""

from games.engine import dice
from games.engine.archive import Archive, EventRecord, SeatRecord, shown
from games.engine.findings import Differs, NotChecked, expect

MOST_HIDDEN_BIDS = 400
"""More bids than any one round can hold."""

SEATING = ("sat", "computer", "stood", "freed")
"""The kinds of events by which seats are taken and freed before the start."""


def check_order(archive: Archive) -> None:
    for index, reveal in enumerate(archive.rounds):
        expect(f"rounds[{index}].number", reveal["number"], index + 1)
    version = 0
    for event in archive.events:
        if event.version <= version:
            raise Differs(f"{event.where}.version", f"{shown(event.version)} comes after {shown(version)}")
        version = event.version
    first = archive.events[0]
    expect(f"{first.where}.kind", first.kind, "created")
    expect(f"{first.where}.version", first.version, 1)
    expect(f"{first.where}.seat", first.seat, None)
    for kind in ("created", "started"):
        expect(f"events, of kind {kind}", sum(event.kind == kind for event in archive.events), 1)
    _check_nothing_is_missing(archive, version)


def _check_nothing_is_missing(archive: Archive, last_version: int) -> None:
    """Every version is an event, a bid or a call; those of a round that was dropped are not shown."""
    revealed = sum(len(reveal["bids"]) + 1 for reveal in archive.rounds)
    hidden = archive.table.version - len(archive.events) - revealed
    most = MOST_HIDDEN_BIDS if _was_cut_short(archive) else 0
    if last_version > archive.table.version or not 0 <= hidden <= most:
        raise Differs(
            "table.version",
            f"{shown(archive.table.version)} is written, and there are {len(archive.events)} events and"
            f" {revealed} bids and calls",
        )


def _was_cut_short(archive: Archive) -> bool:
    """Did the match end inside a round, which is then dropped?"""
    last = archive.events[-1]
    ends = last.kind == "abandoned" or (last.kind == "left" and last.facts["forfeit"])
    return bool(ends and last.status == "bidding")


def check_chain(archive: Archive) -> None:
    if not archive.rounds:
        raise NotChecked("no round was revealed")
    before = archive.table.commitment
    for index, reveal in enumerate(archive.rounds):
        if not dice.follows(reveal["secret"], before):
            name = f"the secret of rounds[{index - 1}]" if index else "the commitment"
            raise Differs(f"rounds[{index}].secret", f"its SHA-256 is not {name}")
        before = reveal["secret"]


def check_hands(archive: Archive) -> None:
    if not archive.rounds:
        raise NotChecked("no round was revealed")
    table = archive.table
    first = 0 if table.given is None else 1
    if len(archive.rounds) == first:
        raise NotChecked("the hands of the only round were given, not rolled")
    for index, reveal in enumerate(archive.rounds[first:], first):
        for seat, hand in reveal["hands"].items():
            rolled = dice.roll(
                bytes.fromhex(reveal["secret"]),
                table_id=table.id,
                number=reveal["number"],
                seat=int(seat),
                count=len(hand),
                seeds=[held.client_seed for held in table.seats],
            )
            expect(f"rounds[{index}].hands.{seat}", hand, list(rolled))


def check_opener(archive: Archive) -> None:
    started = _event(archive, "started")
    table = archive.table
    where = f"{started.where}.opener"
    if table.given is not None:
        raise NotChecked("the first round was given, and its opener with it")
    hosted = [seat.number for seat in table.seats if seat.computer is None and seat.player_id == table.host]
    if table.rules.first_opener == "host" and hosted:
        expect(where, started.facts["opener"], min(hosted))
        return
    if not archive.rounds:
        raise NotChecked("no round was revealed, and so no secret to draw it from")
    drawn = dice.draw_opener(
        bytes.fromhex(archive.rounds[0]["secret"]),
        table_id=table.id,
        seats=[seat.number for seat in table.seats],
        seeds=[seat.client_seed for seat in table.seats],
    )
    expect(where, started.facts["opener"], drawn)


def _event(archive: Archive, kind: str) -> EventRecord:
    for event in archive.events:
        if event.kind == kind:
            return event
    raise NotChecked(f"no event is of kind {kind}")


def check_people(archive: Archive) -> None:
    """Follow everybody who sat down or stood up before the start."""
    sitting: dict[int, object] = {}
    for event in archive.events:
        if event.kind in SEATING:
            _seat_or_free(event, sitting, archive)
        if event.kind == "started":
            break
    started = _event(archive, "started")
    expect(f"{started.where}.seats", started.facts["seats"], sorted(sitting))
    expect("table.seats, their numbers", [seat.number for seat in archive.table.seats], sorted(sitting))
    for seat in archive.table.seats:
        if sitting[seat.number] != _who(seat):
            raise Differs(f"{seat.where}.player", "is not who sat there when the match started")


def _seat_or_free(event: EventRecord, sitting: dict[int, object], archive: Archive) -> None:
    seat = event.seat
    if seat is None or seat >= archive.table.rules.seats:
        raise Differs(f"{event.where}.seat", f"{shown(seat)} is no seat of this table")
    if event.kind in ("sat", "computer"):
        _take_seat(event, seat, sitting, owner=archive.table.host if _is_practice(archive) else None)
        return
    who = sitting.pop(seat, None)
    player = event.facts["player"]
    named = isinstance(who, tuple) if player is None else who == player
    if who is None or not named:
        raise Differs(event.where, f"nobody of this name sat on seat {seat}")


def _is_practice(archive: Archive) -> bool:
    return archive.table.mode == "practice"


def _take_seat(event: EventRecord, seat: int, sitting: dict[int, object], *, owner: str | None) -> None:
    """Somebody sits down, on one seat only; on a practice table the owner and nobody else, on several."""
    facts = event.facts
    who = facts["player"] if event.kind == "sat" else (facts["level"], facts["character"])
    if seat in sitting:
        raise Differs(event.where, f"seat {seat} was taken")
    if event.kind == "sat" and owner is not None and who != owner:
        raise Differs(event.where, "whoever sat down is not the owner of this practice table")
    if event.kind == "sat" and owner is None and who in sitting.values():
        raise Differs(event.where, "whoever sat down had a seat already")
    sitting[seat] = who


def _who(seat: SeatRecord) -> object:
    return seat.computer or seat.player_id
