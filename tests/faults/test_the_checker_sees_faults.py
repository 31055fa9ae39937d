"""The checker finds nothing in true histories, and each planted fault in others."""

import copy
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.faults.checker import check
from tests.faults.deadlines import Outage, Patience
from tests.faults.made_up import TURN, Author, a_clock
from tests.faults.rows import Notice, Rows, TableRows
from tests.faults.told import Opening, Sight, Told, a_sight

DAY = 86400
Plant = Callable[[TableRows, Told], None]


def a_history(seed: int = 3, moves: int = 60) -> tuple[Rows, Told]:
    author = Author(seed)
    author.plays(moves)
    return author.done()


def kinds(rows: Rows, told: Told, patience: Patience | None = None) -> set[str]:
    verdict = check(rows, told, clock=a_clock(), patience=patience or Patience())
    return {finding.kind for finding in verdict.findings}


def planted(plant: Plant, seed: int = 3) -> set[str]:
    rows, told = a_history(seed)
    plant(rows.tables["table"], told)
    return kinds(rows, told)


def the(table: TableRows, kind: str, which: int = 0) -> int:
    """The place of an event of this kind."""
    return [place for place, event in enumerate(table.events) if event.kind == kind][which]


def number_again(table: TableRows) -> None:
    for version, event in enumerate(table.events, 1):
        event.version = version
    table.version = len(table.events)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_found_where_nothing_is_wrong(seed: int):
    rows, told = a_history(seed, 400 if seed % 2 else 60)

    verdict = check(rows, told, clock=a_clock(), patience=Patience())

    assert verdict.findings == []
    assert verdict.versions > 20


def test_the_histories_hold_everything_that_the_faults_are_planted_in():
    events = [event.kind for seed in range(40) for event in a_history(seed, 400)[0].tables["table"].events]

    assert {"bid", "liar", "round", "strike", "left"} <= set(events)


# Moves.


def test_a_move_that_is_gone_is_found():
    def plant(table: TableRows, told: Told) -> None:
        del table.events[the(table, "bid", 4)]

    assert "lost" in planted(plant)


def test_a_move_that_is_gone_without_a_gap_is_found():
    def plant(table: TableRows, told: Told) -> None:
        del table.events[the(table, "bid", 4)]
        number_again(table)

    assert planted(plant) & {"lost", "illegal"}


def test_the_newest_move_that_is_gone_is_found():
    def plant(table: TableRows, told: Told) -> None:
        while table.events.pop().kind not in ("bid", "liar"):
            pass
        table.version = len(table.events)

    assert "lost" in planted(plant)


def test_a_table_that_is_gone_is_found():
    rows, told = a_history()
    rows.tables.clear()

    assert kinds(rows, told) == {"lost"}


def test_a_move_that_is_there_twice_is_found():
    def plant(table: TableRows, told: Told) -> None:
        place = the(table, "bid", 4)
        table.events.insert(place, copy.copy(table.events[place]))

    assert "doubled" in planted(plant)


def test_a_move_that_nobody_made_is_found_though_it_is_legal():
    def plant(table: TableRows, told: Told) -> None:
        last = table.events[-1]
        mine = [a for a in told.attempts if a.answers + 1 == last.version]
        told.attempts = [a for a in told.attempts if a not in mine]

    history = next(s for s in range(40) if a_history(s)[0].tables["table"].events[-1].kind == "bid")
    assert planted(plant, history) == {"doubled"}


def test_two_acknowledgements_of_one_move_are_found():
    def plant(table: TableRows, told: Told) -> None:
        bid = next(a for a in told.attempts if a.action["type"] == "bid")
        told.tried(replace(bid, key="another"))

    assert planted(plant) == {"lost"}


def test_two_answers_to_one_key_are_found():
    def plant(table: TableRows, told: Told) -> None:
        bid = next(a for a in told.attempts if a.action["type"] == "bid")
        told.tried(replace(bid, sent=bid.sent + 1, replayed=True, told=bid.answers + 2))

    assert planted(plant) == {"doubled"}


def test_moves_that_changed_places_are_found():
    def plant(table: TableRows, told: Told) -> None:
        place = next(
            p for p, (one, two) in enumerate(zip(table.events, table.events[1:], strict=False))
            if one.kind == two.kind == "bid"
        )  # fmt: skip
        table.events[place], table.events[place + 1] = table.events[place + 1], table.events[place]
        number_again(table)

    assert planted(plant) >= {"lost", "order"}


def test_a_time_that_goes_back_is_found():
    def plant(table: TableRows, told: Told) -> None:
        table.events[the(table, "bid", 5)].at -= 100

    assert "order" in planted(plant)


@pytest.mark.parametrize("name", ["count", "right", "changes", "hands", "next_opener"])
def test_a_reveal_that_is_not_so_is_found(name: str):
    def plant(table: TableRows, told: Told) -> None:
        facts = table.events[the(table, "liar")].facts
        facts[name] = {"count": 99, "right": not facts["right"], "next_opener": 5}.get(name, {})

    assert "illegal" in planted(plant)


def test_a_column_that_does_not_follow_from_the_events_is_found():
    def plant(table: TableRows, told: Told) -> None:
        table.seats[1].strikes += 1

    assert planted(plant) == {"illegal"}


def test_a_table_made_twice_for_one_request_is_found():
    rows, told = a_history()
    other, _ = a_history()
    other.tables["table"].id = "other"
    rows.tables["other"] = replace(other.tables["table"], events=other.tables["table"].events[:4], version=4,
                                   status="open", turn=None)  # fmt: skip

    assert kinds(rows, told) == {"doubled"}


# What was seen.


def test_a_version_that_goes_back_is_found_in_views_and_in_streams():
    def view(table: TableRows, told: Told) -> None:
        last = next(sight for sight in reversed(told.sights) if sight.by == "view")
        told.saw(replace(last, asked=9e9, seen=9e9, version=6, hand=None, reveal=None))

    def stream(table: TableRows, told: Told) -> None:
        told.saw(replace(next(s for s in reversed(told.sights) if s.by == "stream 1"), version=6))

    assert planted(view) == {"back"}
    assert planted(stream) == {"back"}


def test_a_version_that_was_told_and_never_came_is_found():
    def plant(table: TableRows, told: Told) -> None:
        told.saw(replace(next(s for s in reversed(told.sights) if s.by == "stream 1"), version=10_000))

    assert planted(plant) == {"lost"}


def a_hand(told: Told) -> Sight:
    return next(sight for sight in told.sights if sight.hand is not None and sight.viewer == "alice")


@pytest.mark.parametrize("viewer", ["bob", None])
def test_a_hand_shown_to_somebody_else_is_found(viewer: str | None):
    def plant(table: TableRows, told: Told) -> None:
        told.saw(replace(a_hand(told), viewer=viewer))

    assert planted(plant) == {"leaked"}


def test_another_hand_than_the_one_dealt_is_found():
    def plant(table: TableRows, told: Told) -> None:
        sight = a_hand(told)
        sight.hand = table.hands[sight.number or 0, 1]

    assert planted(plant) == {"leaked"}


def test_a_reveal_before_its_call_is_found():
    def plant(table: TableRows, told: Told) -> None:
        later = next(sight for sight in told.sights if sight.reveal == 2)
        early = next(sight for sight in told.sights if sight.reveal == 1)
        early.reveal, early.shown = 2, later.shown

    assert planted(plant) == {"leaked"}


def test_dice_where_none_belong_are_found_in_a_view():
    view = {
        "id": "table", "version": 9, "status": "bidding", "viewer": {"role": "player", "seat": 0},
        "round": {"number": 1, "hand": [1, 2], "bids": [{"quantity": 1}]}, "reveal": None,
        "legal": {"bids": {"2": [1, 9]}}, "seats": [{"seat": 1, "dice": 5}],
    }  # fmt: skip
    assert a_sight(view, viewer="alice", by="view", asked=0, seen=0).strange == ()

    view["seats"][0]["cup"] = [3, 3]
    assert a_sight(view, viewer="alice", by="view", asked=0, seen=0).strange == ("seats.cup",)


# Time.


def with_a_strike() -> int:
    """A seed whose history has a strike in its middle, and more after it."""
    for seed in range(40):
        events = a_history(seed)[0].tables["table"].events
        if any(event.kind == "strike" for event in events[5:-10]):
            return seed
    raise AssertionError


def shifted_from(place: int, seconds: float) -> Plant:
    def plant(table: TableRows, told: Told) -> None:
        version = table.events[place].version
        for event in table.events[place:]:
            event.at += seconds
        for attempt in told.attempts:
            if attempt.answers >= version:
                attempt.sent += seconds
                attempt.answered = (attempt.answered or 0) + seconds
        for sight in told.sights:
            if sight.version >= version:
                sight.asked += seconds
                sight.seen += seconds
        if table.due_at:
            table.due_at += seconds

    return plant


def test_a_time_out_that_came_early_is_found_and_one_that_came_late():
    seed = with_a_strike()
    place = the(a_history(seed)[0].tables["table"], "strike")

    assert "early" in planted(shifted_from(place, -2.0), seed)
    assert planted(shifted_from(place, 60.0), seed) == {"late"}


def test_a_late_time_out_is_excused_by_the_fault_that_kept_it_and_by_no_other():
    seed = with_a_strike()
    rows, told = a_history(seed)
    table = rows.tables["table"]
    place = the(table, "strike")
    fired = table.events[place].at
    shifted_from(place, 60.0)(table, told)

    there = Patience(outages=[Outage(what="no worker", began=fired - 9, ended=fired + 57)])
    elsewhere = Patience(outages=[Outage(what="no worker", began=fired - 90, ended=fired - 9)])

    assert kinds(rows, told, there) == set()
    assert kinds(rows, told, elsewhere) == {"late"}


def test_a_turn_that_was_cut_short_is_found_whatever_the_clocks_of_the_site_showed():
    seed = with_a_strike()

    def plant(table: TableRows, told: Told) -> None:
        version = table.events[the(table, "strike")].version
        before = min(sight.seen for sight in told.sights if sight.version >= version)
        for sight in told.sights:
            if sight.version >= version:
                sight.asked -= TURN / 2
                sight.seen -= TURN / 2
        for attempt in told.attempts:
            if attempt.answers >= version:
                attempt.sent -= TURN / 2
                attempt.answered = (attempt.answered or 0) - TURN / 2
        assert before

    assert planted(plant, seed) == {"early"}


def test_a_move_that_was_sent_again_and_answered_late_cuts_no_turn_short():
    def plant(table: TableRows, told: Told) -> None:
        struck = table.events[the(table, "strike")].version
        first = next(a for a in told.attempts if a.answers + 2 == struck)
        again = replace(first, sent=first.sent + 60, answered=first.sent + 61, replayed=True)
        first.status = first.told = first.answered = None
        told.tried(again)

    seed = next(seed for seed in range(40) if struck_after_a_move(seed))
    assert planted(plant, seed) == set()


def struck_after_a_move(seed: int) -> bool:
    rows, told = a_history(seed)
    events = rows.tables["table"].events
    first = next((event.version for event in events if event.kind == "strike"), 0)
    return any(a.answers + 2 == first and a.action["type"] == "bid" for a in told.attempts)


def test_two_strikes_for_one_turn_are_found():
    def plant(table: TableRows, told: Told) -> None:
        place = the(table, "strike")
        second = replace(table.events[place], facts={"strikes": 2})
        table.events.insert(place + 1, second)
        number_again(table)

    assert "doubled" in planted(plant, with_a_strike())


def test_a_time_out_that_never_came_is_found():
    rows, told = next(h for h in map(a_history, range(40)) if h[0].tables["table"].status == "bidding")
    rows.read_at += 10 * TURN

    assert kinds(rows, told) == {"never"}


def test_a_deadline_that_is_not_what_the_events_give_is_found():
    history = next(s for s in range(40) if a_history(s)[0].tables["table"].computer_due_at is None
                   and a_history(s)[0].tables["table"].due_at)  # fmt: skip

    def plant(table: TableRows, told: Told) -> None:
        table.due_at = (table.due_at or 0) + 5

    assert planted(plant, history) == {"illegal"}


def test_a_notice_that_was_noted_twice_is_found():
    rows, told = a_history()
    rows.notices = [Notice(who, "expired", "gone", 0.0) for who in ("alice", "bob", "alice")]

    assert kinds(rows, told) == {"doubled"}


def an_untouched_table(days: float, told_of_it: list[str]) -> tuple[Rows, Told]:
    """A table at which Alice and Bob sat, that was gone after so many days."""
    rows, told = a_history()
    touched = rows.read_at - 40 * DAY
    told.opened(Opening(player="dave", key="k", table="gone", touched=touched, sitting=("alice", "bob")))
    rows.notices = [Notice(who, "expired", "gone", touched + days * DAY) for who in told_of_it]
    return rows, told


def test_a_table_that_expired_in_its_time_with_a_word_to_everybody_is_no_fault():
    assert kinds(*an_untouched_table(30.001, ["alice", "bob"])) == set()


def test_a_table_that_expired_early_or_unsaid_or_twice_is_found():
    assert kinds(*an_untouched_table(29.9, ["alice", "bob"])) == {"early"}
    assert kinds(*an_untouched_table(30.001, ["alice"])) == {"lost"}
    assert kinds(*an_untouched_table(30.001, ["alice", "bob", "alice"])) == {"doubled"}
    assert kinds(*an_untouched_table(30.001, [])) == {"lost"}


def test_an_untouched_table_that_never_expires_is_found():
    rows, told = an_untouched_table(30.001, [])
    other = Author(9).rows
    rows.tables["gone"] = replace(other, id="gone", host="dave", events=other.events[:4], version=4,
                                  status="open")  # fmt: skip

    assert kinds(rows, told) == {"never"}


@pytest.mark.parametrize("asked", [True, False])
def test_somebody_who_left_without_asking_and_was_there_is_found(asked: bool):
    author = Author()
    author.plays(5)
    author.leaves(1, asked=asked)
    author.plays(30)

    assert kinds(*author.done()) == (set() if asked else {"doubled"})


def test_somebody_who_sits_there_and_was_told_otherwise_is_found():
    def plant(table: TableRows, told: Told) -> None:
        told.tried(replace(told.attempts[0], key="another", status=403, told=None))

    assert planted(plant) == {"answer"}


def test_an_answer_that_no_fault_excuses_is_found():
    rows, told = a_history()
    told.answered("500", "POST tables: 500")

    assert kinds(rows, told) == {"answer"}
