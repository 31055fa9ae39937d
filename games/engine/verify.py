"""Checks a finished match from its archive document alone: the dice, every outcome, the places.

`verify` reads whatever it is given and never raises; its report says what was checked and where the document
first differs. The chain of secrets and the hands are computed again; the outcomes are compared with a replay
by the engine, move for move and in the order of the versions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine import evidence, transition
from games.engine.actions import Abandon, Act, Action, Leave, RevealOver, TimeOut
from games.engine.archive import Archive, EventRecord, Malformed, read, shown
from games.engine.dice import Hand
from games.engine.facts import BidMade, Called, Fact, MatchStarted, Reveal, RoundStarted, written
from games.engine.findings import (
    CLAIMS,
    Check,
    Differs,
    NotChecked,
    Report,
    check,
    expect,
    expect_same,
    unchecked,
)
from games.engine.moves import Call, IllegalMove, NextRound, bid_from
from games.engine.state import Pace, Seat, State
from games.engine.view import SPECTATOR, view_for


def verify(document: object) -> Report:
    """Check a document and say what was found; it never raises, whatever it is given."""
    try:
        archive = read(document)
    except Malformed as malformed:
        first = Check("structure", CLAIMS["structure"], "differs", str(malformed))
        reason = "the document cannot be read"
        return Report("An unreadable document", (first, *unchecked(list(CLAIMS)[1:], reason)))
    checks = [Check("structure", CLAIMS["structure"], "good")]
    checks.append(check("order", lambda: evidence.check_order(archive)))
    checks.append(check("chain", lambda: evidence.check_chain(archive)))
    checks.append(check("hands", lambda: evidence.check_hands(archive)))
    checks.append(check("opener", lambda: evidence.check_opener(archive)))
    checks.append(check("people", lambda: evidence.check_people(archive)))
    if checks[1].outcome != "good":
        return _report(archive, (*checks, *unchecked(["replay", "ending"], "the order does not hold")))
    replayed = _Replay(archive)
    checks.append(check("replay", replayed.run))
    checks.append(check("ending", replayed.check_ending))
    return _report(archive, tuple(checks))


def _report(archive: Archive, checks: tuple[Check, ...]) -> Report:
    table = archive.table
    return Report(
        f"Table {shown(table.id)}: seats {len(table.seats)}, revealed rounds {len(archive.rounds)},"
        f" versions {shown(table.version)}",
        checks,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One version of the match: a bid or a call of a round, an event, or a bid that was never shown."""

    where: str
    event: EventRecord | None = None
    bid: Mapping[str, Any] | None = None
    call: Reveal | None = None


def _items(archive: Archive) -> Iterator[_Item]:
    """Everything that happened, in the order of the versions; what no event accounts for was a move."""
    moves = _moves(archive)
    version = 0
    for event in archive.events:
        for _ in range(event.version - version - 1):
            yield next(moves, _Item(where=f"a bid before {event.where}"))
        yield _Item(where=event.where, event=event)
        version = event.version
    for _ in range(archive.table.version - version):
        yield next(moves, _Item(where="a bid after the last event"))


def _moves(archive: Archive) -> Iterator[_Item]:
    for index, reveal in enumerate(archive.rounds):
        for ordinal, bid in enumerate(reveal["bids"]):
            yield _Item(where=f"rounds[{index}].bids[{ordinal}]", bid=bid)
        yield _Item(where=f"rounds[{index}]", call=reveal)


class _GivenHands:
    """The chance of a replay: the hands and secrets that the document shows, ones for a dropped round."""

    def __init__(self, rounds: Sequence[Reveal]) -> None:
        self._rounds = rounds

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        if number > len(self._rounds):
            return {seat: (1,) * count for seat, count in dice.items()}
        where = f"rounds[{number - 1}].hands"
        written = {int(seat): tuple(hand) for seat, hand in self._rounds[number - 1]["hands"].items()}
        expect(f"{where}, their seats", sorted(written), sorted(dice))
        for seat, hand in written.items():
            if len(hand) != dice[seat]:
                raise Differs(f"{where}.{seat}", f"has {len(hand)} dice, and {dice[seat]} follow")
        return written

    def secret(self, number: int) -> str:
        secret: str = self._rounds[number - 1]["secret"]
        return secret


class _Replay:
    """A match played again, one version after another, each held against what the document says of it."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._chance = _GivenHands(archive.rounds)
        self._state: State | None = None
        self._due: list[Fact] = []  # what follows from the last action and must be written next
        self._status, self._number = "open", 0
        self._struck: set[int | None] = set()  # seats whose first strike no own move can have cleared yet
        self._ended = False

    def run(self) -> None:
        """Play every version; raise `Differs` at the first that does not follow."""
        for item in _items(self._archive):
            try:
                self._take(item)
            except IllegalMove as refusal:
                raise Differs(item.where, f"is refused: {refusal.message}") from refusal
        if self._due or self._state is None or self._state.status != "finished":
            raise Differs("events", "the match does not come to its end")
        self._ended = True

    def check_ending(self) -> None:
        """Compare what the table shows at the end with what the replay came to."""
        if self._state is None or not self._ended:
            raise NotChecked("the replay did not come to the end")
        table, seen = self._archive.table, view_for(self._state, SPECTATOR)
        for seat in table.seats:
            for name, public in seat.shown.items():
                expect(f"{seat.where}.{name}", public, getattr(seen.seats[seat.number], name))
        expect_same("table.result", table.result, seen.result.document() if seen.result else None)
        expect_same("table.reveal", table.reveal, self._archive.rounds[-1] if self._archive.rounds else None)

    def _take(self, item: _Item) -> None:
        if item.event is not None:
            expect(f"{item.where}.status", item.event.status, self._status)
            expect(f"{item.where}.round", item.event.round, self._number)
        if self._state is None:
            self._before_the_start(item)
        elif self._due:
            self._written(item, self._due.pop(0))
        elif item.event is None and item.bid is None and item.call is None:
            self._struck.discard(self._state.turn)
            self._state = _with_a_hidden_bid(self._state, item)
        else:
            state = self._cleared(self._state, item)
            action = _action_of(item, state, self._archive.table.clock)
            at = item.bid["at"] if item.bid else item.call["at"] if item.call else ""
            self._state, facts = transition.apply(state, action, at=at, chance=self._chance)
            if not facts:
                raise Differs(item.where, "could not happen then")
            self._due = list(facts[1:])
            self._written(item, facts[0])

    def _before_the_start(self, item: _Item) -> None:
        event = item.event
        if event is None or event.kind not in ("created", "started", *evidence.SEATING):
            raise Differs(item.where, "comes before the match started")
        if event.kind == "started":
            seats = [seat.number for seat in self._archive.table.seats]
            if event.facts["opener"] not in seats:
                raise Differs(f"{item.where}.opener", "is no seat of this match")
            given = self._archive.table.given
            self._state, facts = transition.start(
                _opened(self._archive),
                opener=event.facts["opener"],
                chance=self._chance,
                position=None if given is None else given.position,
            )
            self._written(item, facts[0])

    def _cleared(self, state: State, item: _Item) -> State:
        """A first strike that is counted a second time was cleared by a move of the person's own.

        Which moves were their own the document does not say; but without any move none can have been.
        """
        turn = state.turn
        if turn is None:
            return state
        if item.bid is not None or item.call is not None:
            self._struck.discard(turn)
        elif item.event is not None and item.event.kind == "strike" and item.event.facts["strikes"] == 1:
            if turn in self._struck:
                return state
            self._struck.add(turn)
            seats = tuple(replace(seat, strikes=0) if seat.number == turn else seat for seat in state.seats)
            return replace(state, seats=seats)
        return state

    def _written(self, item: _Item, fact: Fact) -> None:
        """Is the fact that follows the one that is written?"""
        _compare(item, fact)
        match fact:
            case MatchStarted():
                self._status, self._number = "bidding", 1
            case RoundStarted(number=number):
                self._status, self._number = "bidding", number
            case Called():
                self._status = "revealed"


def _opened(archive: Archive) -> State:
    table = archive.table
    paces: Mapping[str, Pace] = {"live": "live", "slow": "slow", "none": "slow"}
    return State(
        rules=table.rules,
        pace="practice" if table.mode == "practice" else paces[table.clock],
        seats=tuple(Seat(number=seat.number, computer=seat.computer is not None) for seat in table.seats),
    )


def _with_a_hidden_bid(state: State, item: _Item) -> State:
    """The match after a bid of a round that was dropped: whose it was is known, what it was is not."""
    if state.round is None:
        raise Differs(item.where, "no version is left for it")
    return replace(state, round=replace(state.round, turn=state.next_in(state.round.turn)))


def _action_of(item: _Item, state: State, clock: str) -> Action:
    """What was done; moves count as the computer's, so that they clear no strikes by themselves."""
    if item.bid is not None:
        return Act(seat=_seat_of(item.where, item.bid["seat"], state), move=bid_from(item.bid), auto=True)
    if item.call is not None:
        call = item.call["call"]
        seat = _seat_of(f"{item.where}.call.seat", call["seat"], state)
        return Act(seat=seat, move=Call(call["type"]), auto=True)
    event = item.event
    if event is None:
        raise Differs(item.where, "is nothing that can be played")
    if event.kind == "strike" and clock != "none":
        return TimeOut()
    if event.kind == "round" and event.seat is None and clock != "none":
        return RevealOver()
    seat = _seat_of(f"{item.where}.seat", event.seat, state)
    return _action_of_person(event, seat, practice=state.pace == "practice")


def _action_of_person(event: EventRecord, seat: int, *, practice: bool) -> Action:
    if event.kind in ("ready", "round"):
        return Act(seat=seat, move=NextRound())
    if event.kind == "left" and not practice:
        return Leave(seat)
    if event.kind == "abandoned" and practice:
        return Abandon(seat)
    raise Differs(event.where, "could not happen then")


def _seat_of(where: str, seat: int | None, state: State) -> int:
    if seat is None or all(held.number != seat for held in state.seats):
        raise Differs(where, f"{shown(seat)} is no seat of this match")
    return seat


def _compare(item: _Item, fact: Fact) -> None:
    """Hold what is written against the fact that follows; raise `Differs` at the first difference."""
    kind, facts = written(fact)
    if isinstance(fact, Called):
        if item.call is None:
            raise Differs(item.where, "is written where a call follows")
        expect_same(item.where, item.call, fact.reveal)
        return
    if isinstance(fact, BidMade):
        if item.bid is None:
            raise Differs(item.where, "is written where a bid follows")
        return
    if item.event is None:
        raise Differs(item.where, f"comes where an event of kind {kind} follows")
    expect(f"{item.where}.kind", item.event.kind, kind)
    expect(f"{item.where}.seat", item.event.seat, fact.seat)
    for name, expected in (facts or {}).items():
        expect(f"{item.where}.{name}", item.event.facts[name], expected)
