"""The present state of a table, computed anew from what happened at it."""

from collections.abc import Mapping
from dataclasses import replace

from games import sealing
from games.clocks import stamp
from games.engine import transition
from games.engine.actions import Abandon, Act, Action, Leave, RevealOver, TimeOut
from games.engine.dice import Hand
from games.engine.moves import Bid, Call, NextRound
from games.engine.rules import Rules
from games.engine.state import Position, Seat, State
from games.models import Event
from games.models import Hand as HandRow
from games.store import rows as codec
from games.store.documents import given_of
from games.store.reading import latest_reveal, load, lock
from games.store.rows import EVERY_SEAT, Loaded


class RecordedHands:
    """The chance that the rows remember: hands of every round begun, secrets of every round revealed."""

    def __init__(self, table_id: str) -> None:
        self._hands: dict[int, dict[int, Hand]] = {}
        for row in HandRow.objects.filter(table_id=table_id):
            self._hands.setdefault(row.number, {})[row.seat] = sealing.unseal_hand(
                row.sealed, place=sealing.hand_place(table_id, row.number, row.seat)
            )
        calls = Event.objects.filter(table_id=table_id, kind__in=("liar", "exact"))
        self._secrets = {event.number: codec.json_value(event.facts)["secret"] for event in calls}

    def hands(self, number: int, dice: Mapping[int, int]) -> Mapping[int, Hand]:
        hands = self._hands[number]
        assert {seat: len(hand) for seat, hand in hands.items()} == dict(dice)
        return hands

    def secret(self, number: int) -> str:
        return str(self._secrets[number])


def present(table_id: str) -> tuple[Loaded, State]:
    """The table as its rows keep it at hand, every live hand opened."""
    row = lock(table_id)
    assert row is not None
    loaded = load(row).opened(EVERY_SEAT)
    return loaded, loaded.state


def rebuilt(table_id: str) -> State:
    """The state that follows from the events alone."""
    loaded, _ = present(table_id)
    chance = RecordedHands(table_id)
    events = list(Event.objects.filter(table_id=table_id).order_by("version"))
    assert [event.version for event in events] == list(range(1, loaded.row.version + 1))
    first = next(at for at, event in enumerate(events) if event.kind == "started")
    state = _started(loaded.row.rules, loaded, events[first], chance)
    for before, event in zip(events[first:], events[first + 1 :], strict=False):
        action = _action(state, before, event)
        if action is not None:
            state, _ = transition.apply(state, action, at=stamp(event.at), chance=chance)
    return state


def _started(rules: Rules, loaded: Loaded, event: Event, chance: RecordedHands) -> State:
    facts = codec.json_value(event.facts)
    seats = tuple(Seat(number=number, computer=loaded.seat(number).level != "") for number in facts["seats"])
    before = State(rules=rules, pace=loaded.row.pace, seats=seats)
    given = given_of(loaded.row.id)
    position = given and Position(
        dice={int(seat): count for seat, count in given["dice"].items()}, palifico=given["palifico"]
    )
    return transition.start(before, opener=facts["opener"], chance=chance, position=position or None)[0]


def _action(state: State, before: Event, event: Event) -> Action | None:
    """What must have been done to bring this event; None where the step before brought it along."""
    auto = before.kind == "strike" and before.seat == event.seat
    match event.kind:
        case "bid":
            bid = Bid(quantity=event.quantity, face=event.face, total=event.total)
            return Act(seat=_seat(event), move=bid, auto=auto, tell=event.facts is not None)
        case "liar" | "exact":
            return Act(seat=_seat(event), move=Call("liar" if event.kind == "liar" else "exact"), auto=auto)
        case "ready":
            return Act(seat=_seat(event), move=NextRound())
        case "round":
            if state.status != "revealed":
                return None
            return RevealOver() if event.seat is None else Act(seat=event.seat, move=NextRound())
        case "strike":
            return TimeOut()
        case "left":
            return None if state.seat(_seat(event)).left is not None else Leave(_seat(event))
        case "abandoned":
            return Abandon(_seat(event))
    raise AssertionError(f"an event of a kind unknown here: {event.kind}")


def _seat(event: Event) -> int:
    assert event.seat is not None
    return event.seat


def check(table_id: str) -> None:
    """Does the history of this table give the state that its rows keep at hand?"""
    loaded, state = present(table_id)
    if state.status == "open":
        return
    assert rebuilt(table_id) == replace(state, reveal=latest_reveal(loaded.row))
