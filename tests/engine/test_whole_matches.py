"""Laws that every match keeps from its first bid to its end, whatever its options."""

from copy import deepcopy

import pytest
from hypothesis import given, settings

from games.engine import transition
from games.engine.actions import Act, Action, Leave, RevealOver, TimeOut
from games.engine.facts import Called, Fact, PersonLeft, RoundStarted
from games.engine.moves import Bid, Call, IllegalMove, NextRound
from games.engine.state import State
from tests.engine.random_matches import AT, Setting, ShakenDice, play, ranges_of, settings_of_matches

MANY = settings(max_examples=100)


def called(facts: tuple[Fact, ...]) -> Called | None:
    return next((fact for fact in facts if isinstance(fact, Called)), None)


def dice_of(state: State) -> dict[int, int]:
    return {seat.number: seat.dice for seat in state.seats}


@MANY
@given(settings_of_matches())
def test_dice_change_by_what_a_call_says_and_by_nothing_else(setting: Setting) -> None:
    for step in play(setting):
        call = called(step.facts)
        changes = call.reveal["changes"] if call else {}

        assert all(changes.values())
        assert dice_of(step.after) == {
            seat: dice + changes.get(str(seat), 0) for seat, dice in dice_of(step.before).items()
        }


@MANY
@given(settings_of_matches())
def test_no_seat_has_less_than_no_dice_or_more_than_it_started_with(setting: Setting) -> None:
    for step in play(setting):
        assert all(0 <= dice <= setting.rules.starting_dice for dice in dice_of(step.after).values())


@MANY
@given(settings_of_matches())
def test_the_turn_and_the_opener_are_always_still_in(setting: Setting) -> None:
    for step in play(setting):
        after = step.after
        in_play = set(after.seats_in)

        assert (after.turn in in_play) == (after.status == "bidding") == (after.round is not None)
        assert (after.next_opener in in_play) == (after.status == "revealed")
        assert after.pressers <= after.persons_in <= in_play


@MANY
@given(settings_of_matches())
def test_dice_in_play_are_the_dice_under_the_cups(setting: Setting) -> None:
    for step in play(setting):
        round = step.after.round
        if round is not None:
            assert step.after.dice_in_play == sum(len(hand) for hand in round.hands.values())
            assert {seat: len(hand) for seat, hand in round.hands.items()} == {
                seat: dice_of(step.after)[seat] for seat in step.after.seats_in
            }


@MANY
@given(settings_of_matches())
def test_every_step_counts_rounds_one_by_one_and_only_a_round_that_starts(setting: Setting) -> None:
    for step in play(setting):
        begun = [fact for fact in step.facts if isinstance(fact, RoundStarted)]

        assert step.after.number == step.before.number + len(begun)
        assert [fact.number for fact in begun] == [step.before.number + 1][: len(begun)]


@MANY
@given(settings_of_matches())
def test_a_reveal_agrees_with_the_state_after_it(setting: Setting) -> None:
    for step in play(setting):
        call = called(step.facts)
        if call is None:
            continue
        reveal, before, after = call.reveal, step.before, step.after
        assert before.round is not None

        assert reveal["number"] == before.number
        assert [bid["seat"] for bid in reveal["bids"]] == [placed.seat for placed in before.round.bids]
        assert reveal["call"]["seat"] == before.round.turn
        assert reveal["bid"].items() <= reveal["bids"][-1].items()
        assert reveal["hands"] == {str(seat): list(before.round.hands[seat]) for seat in before.seats_in}
        assert reveal["out"] == [seat for seat in before.seats_in if after.seat(seat).dice == 0]
        assert (reveal["next_opener"] is None) == (after.status == "finished")


@MANY
@given(settings_of_matches(restless=False))
def test_a_match_that_nobody_leaves_ends_with_one_seat_or_a_draw_at_the_limit(setting: Setting) -> None:
    *_, last = play(setting)
    result = last.after.result
    assert result is not None

    assert result.drawn == (len(last.after.seats_in) > 1) == (result.winner is None)
    assert not result.drawn or last.after.number == setting.round_limit
    assert result.drawn or last.after.seats_in == (result.winner,)
    assert last.after.claims == ()


@MANY
@given(settings_of_matches(restless=True))
def test_places_go_from_one_on_and_leave_a_gap_after_each_tie(setting: Setting) -> None:
    *_, last = play(setting)
    if last.after.result is None:
        assert setting.pace == "practice"
        return
    places = last.after.result.places

    assert set(places) == set(setting.numbers)
    assert all(place == 1 + sum(1 for other in places.values() if other < place) for place in places.values())


@MANY
@given(settings_of_matches(restless=True))
def test_whoever_left_is_placed_below_everybody_who_stayed_and_never_shares_a_place(setting: Setting) -> None:
    steps = list(play(setting))
    result = steps[-1].after.result
    if result is None:
        return
    left = [fact.seat for step in steps for fact in step.facts if isinstance(fact, PersonLeft)]
    bottom = sorted(result.places, key=lambda seat: -result.places[seat])[: len(left)]

    assert bottom == left


@MANY
@given(settings_of_matches())
def test_seats_are_placed_in_the_order_in_which_they_went_out(setting: Setting) -> None:
    steps = list(play(setting))
    result = steps[-1].after.result
    groups = [call.reveal["out"] for step in steps if (call := called(step.facts)) is not None]
    if result is None or any(seat.left for seat in steps[-1].after.seats):
        return
    remaining = len(setting.numbers)
    for group in groups:
        remaining -= len(group)
        assert {result.places[seat] for seat in group} <= {remaining + 1}


@MANY
@given(settings_of_matches())
def test_a_seat_opens_at_most_one_palifico_round_and_had_dropped_to_one_die(setting: Setting) -> None:
    opened: list[int] = []
    dropped: set[int] = set()
    for step in play(setting):
        dropped |= {
            seat for seat, dice in dice_of(step.after).items() if (dice_of(step.before)[seat], dice) == (2, 1)
        }
        for fact in step.facts:
            if isinstance(fact, RoundStarted) and fact.palifico:
                opened.append(fact.opener)
                assert fact.opener in dropped
                assert len(step.after.seats_in) > 2

    assert len(opened) == len(set(opened))
    assert setting.rules.palifico or not opened


@MANY
@given(settings_of_matches(restless=True))
def test_no_step_changes_the_state_that_it_was_given(setting: Setting) -> None:
    for step in play(setting):
        before = deepcopy(step.before)
        transition.apply(step.before, step.action, at=AT, chance=ShakenDice(1))

        assert step.before == before


def senseless_actions(state: State) -> list[Action]:
    """What the rules refuse now: moves out of turn, bids out of range, calls of nothing, moves too late."""
    others = [seat.number for seat in state.seats if seat.number != state.turn]
    bid = Bid(total=3) if state.rules.sums else Bid(quantity=1, face=3)
    actions: list[Action] = [
        Act(seat=seat, move=move) for seat in others for move in (bid, Call("liar"), Call("exact"))
    ]
    out = [seat.number for seat in state.seats if not seat.still_in]
    actions += [Act(seat=seat, move=NextRound()) for seat in out]
    if state.turn is None:
        return actions
    ranges = ranges_of(state)
    too_much = Bid(total=999) if state.rules.sums else Bid(quantity=99, face=4)
    too_little = Bid(total=0) if state.rules.sums else Bid(quantity=0, face=4)
    other_kind = Bid(quantity=1, face=6) if state.rules.sums else Bid(total=6)
    wrong = [too_much, too_little, other_kind]
    for key, (lowest, _) in ranges.items():
        low = Bid(total=lowest - 1) if key == "total" else Bid(quantity=lowest - 1, face=int(key))
        wrong.append(low)
    actions += [Act(seat=state.turn, move=bid) for bid in wrong]
    if state.round is not None and not state.round.bids:
        actions.append(Act(seat=state.turn, move=Call("liar")))
    if state.rules.exact == "off":
        actions.append(Act(seat=state.turn, move=Call("exact")))
    return actions


@MANY
@given(settings_of_matches())
def test_what_is_refused_changes_nothing_and_says_why(setting: Setting) -> None:
    for step in play(setting):
        before = deepcopy(step.after)
        for action in senseless_actions(step.after):
            with pytest.raises(IllegalMove) as refusal:
                transition.apply(step.after, action, at=AT, chance=ShakenDice(1))

            assert refusal.value.code
            assert refusal.value.message.endswith(".")
        assert step.after == before


@MANY
@given(settings_of_matches())
def test_after_the_end_nothing_happens_any_more(setting: Setting) -> None:
    *_, last = play(setting)
    end = last.after

    for seat in setting.numbers:
        for action in (Leave(seat), TimeOut(), RevealOver()):
            assert transition.apply(end, action, at=AT, chance=ShakenDice(1)) == (end, ())
        with pytest.raises(IllegalMove):
            transition.apply(end, Act(seat=seat, move=NextRound()), at=AT, chance=ShakenDice(1))


@MANY
@given(settings_of_matches(restless=True))
def test_a_press_that_is_repeated_or_comes_too_late_does_nothing(setting: Setting) -> None:
    for step in play(setting):
        match step.action:
            case Act(move=NextRound()) if step.after.status != "finished":
                again = transition.apply(step.after, step.action, at=AT, chance=ShakenDice(1))

                assert again == (step.after, ())
            case _:
                continue


@MANY
@given(settings_of_matches(restless=True))
def test_a_reveal_waits_for_a_person_or_does_not_wait(setting: Setting) -> None:
    for step in play(setting):
        if step.after.status == "revealed":
            assert step.after.pressers - step.after.ready
