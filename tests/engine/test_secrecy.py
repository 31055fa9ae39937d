"""Live dice: who looks may see their own, and nothing else tells of any others."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings

from games.engine import transition
from games.engine.facts import Called
from games.engine.state import State
from games.engine.view import SPECTATOR, Viewer, seats_seen, view_for
from tests.engine.random_matches import AT, Setting, ShakenDice, play, settings_of_matches

MANY = settings(max_examples=80)


def redealt(state: State, rng: Random, *, but: frozenset[int] = frozenset()) -> State:
    """The same match with other dice under the cups; every die of the other seats differs."""
    assert state.round is not None
    hands = {
        seat: hand if seat in but else tuple(1 + (die + rng.randint(0, 4)) % 6 for die in hand)
        for seat, hand in state.round.hands.items()
    }
    return replace(state, round=replace(state.round, hands=hands))


def viewers_of(state: State) -> list[Viewer]:
    if state.pace == "practice":
        return [SPECTATOR, Viewer("owner"), *(Viewer("owner", seat.number) for seat in state.seats)]
    return [SPECTATOR, *(Viewer("player", seat.number) for seat in state.seats)]


@MANY
@given(settings_of_matches())
def test_a_view_does_not_depend_on_dice_that_its_viewer_cannot_see(setting: Setting) -> None:
    rng = Random(setting.seed)
    for step in play(setting):
        if step.after.round is None:
            continue
        for viewer in viewers_of(step.after):
            other = redealt(step.after, rng, but=seats_seen(step.after, viewer))

            assert view_for(other, viewer) == view_for(step.after, viewer)
            assert repr(view_for(other, viewer)) == repr(view_for(step.after, viewer))


@MANY
@given(settings_of_matches())
def test_a_viewer_sees_the_hand_of_the_seat_they_look_through_and_no_other(setting: Setting) -> None:
    for step in play(setting):
        round = step.after.round
        if round is None:
            continue
        for viewer in viewers_of(step.after):
            view = view_for(step.after, viewer)
            assert view.round is not None
            seat = viewer.seat

            assert view.round.hand == (None if seat is None else round.hands.get(seat))
            assert seats_seen(step.after, viewer) <= {seat, round.turn if viewer.role == "owner" else seat}


@MANY
@given(settings_of_matches())
def test_who_looks_through_no_seat_sees_nothing_that_depends_on_dice(setting: Setting) -> None:
    rng = Random(setting.seed)
    for step in play(setting):
        if step.after.round is None:
            continue
        view = view_for(step.after, SPECTATOR)

        assert view == view_for(redealt(step.after, rng), SPECTATOR)
        assert view.legal is None


@MANY
@given(settings_of_matches())
def test_what_is_written_of_a_state_shows_no_dice_under_the_cups(setting: Setting) -> None:
    rng = Random(setting.seed)
    for step in play(setting):
        if step.after.round is not None:
            assert repr(step.after) == repr(redealt(step.after, rng))
            assert str(step.after.round) == str(redealt(step.after, rng).round)


@MANY
@given(settings_of_matches())
def test_what_happened_before_the_call_tells_nothing_of_the_dice(setting: Setting) -> None:
    rng = Random(setting.seed)
    for step in play(setting):
        if step.before.round is None or any(isinstance(fact, Called) for fact in step.facts):
            continue
        other = redealt(step.before, rng)
        after, facts = transition.apply(other, step.action, at=AT, chance=ShakenDice(1))

        assert facts == step.facts
        assert repr(facts) == repr(step.facts)
        assert repr(after) == repr(step.after)


@MANY
@given(settings_of_matches(restless=True))
def test_a_round_that_a_forfeit_dropped_is_nowhere_in_the_end(setting: Setting) -> None:
    for step in play(setting):
        if step.after.status == "finished" and not any(isinstance(fact, Called) for fact in step.facts):
            assert step.after.round is None
            assert step.after.reveal == step.before.reveal
