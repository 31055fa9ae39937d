"""Random matches, played by the engine and by the rules written a second time, side by side."""

from typing import Any

import pytest
from hypothesis import given, settings

from games.engine import transition
from games.engine.actions import Abandon, Act, Action, Leave, RevealOver, TimeOut
from games.engine.moves import Bid, Call, IllegalMove, NextRound
from games.engine.state import State
from games.engine.view import SPECTATOR, Viewer, view_for
from tests.engine.random_matches import AT, Setting, ShakenDice, play, settings_of_matches
from tests.engine.test_whole_matches import senseless_actions
from tests.model.match import Match, Refused
from tests.model.views import OWNER, expected_view
from tests.model.views import SPECTATOR as MODEL_SPECTATOR


def model_of(setting: Setting, first: State) -> Match:
    assert first.turn is not None
    return Match(
        setting.rules.document(),
        setting.numbers,
        opener=first.turn,
        computers=setting.computers,
        clock="live" if setting.pace == "live" else "none",
        practice=setting.pace == "practice",
        round_limit=setting.round_limit,
    )


def show_hands(model: Match, state: State) -> None:
    """Tell the model what lies under the cups; it needs it for suggestions and calls."""
    model.hands = (
        {} if state.round is None else {seat: list(hand) for seat, hand in state.round.hands.items()}
    )


def tell(model: Match, action: Action) -> None:
    """Do in the model what was done in the engine."""
    match action:
        case Act(seat=seat, move=Bid() as bid, auto=auto):
            model.bid(seat, bid.document(), auto=auto)
        case Act(seat=seat, move=Call(type=kind), auto=auto):
            model.call(seat, kind, auto=auto)
        case Act(seat=seat, move=NextRound()):
            model.next_round(seat)
        case Leave(seat=seat):
            model.leave(seat)
        case Abandon():
            owners = model.persons_in()
            model.leave(owners[0] if owners else -1)
        case TimeOut():
            if model.status == "bidding" and not model.by_computer(model.turn):
                model.timeout()
        case RevealOver():
            model.reveal_over()


def seen(state: State, viewer: Viewer) -> dict[str, Any]:
    """The engine's view as JSON, without times and secrets."""
    view = view_for(state, viewer)
    return {
        "status": view.status,
        "seats": [
            {
                "seat": seat.number,
                "dice": seat.dice,
                "place": seat.place,
                "substitute": seat.substitute,
                "ready": seat.ready,
            }
            for seat in view.seats.values()
        ],
        "round": without_times(view.round.document()) if view.round else None,
        "legal": view.legal.document() if view.legal else None,
        "reveal": without_times(view.reveal) if view.reveal else None,
        "result": view.result.document() if view.result else None,
    }


def without_times(value: Any) -> Any:
    if isinstance(value, list):
        return [without_times(each) for each in value]
    if hasattr(value, "items"):
        return {key: without_times(each) for key, each in value.items() if key not in ("at", "secret")}
    return value


def viewers_of(state: State) -> list[tuple[Viewer, Any]]:
    """Who looks, in the words of the engine and of the model; a leaver is a spectator."""
    people = [seat.number for seat in state.seats if seat.person]
    if state.pace == "practice":
        return [(SPECTATOR, MODEL_SPECTATOR), (Viewer("owner"), OWNER)]
    return [(SPECTATOR, MODEL_SPECTATOR), *((Viewer("player", seat), seat) for seat in people)]


@settings(max_examples=400)
@given(settings_of_matches())
def test_everybody_sees_what_the_rules_written_a_second_time_say(setting: Setting) -> None:
    model = None
    for step in play(setting):
        if model is None:
            model = model_of(setting, step.before)
            show_hands(model, step.before)
        tell(model, step.action)
        if step.after.number != step.before.number:
            show_hands(model, step.after)

        for viewer, modelled in viewers_of(step.after):
            assert seen(step.after, viewer) == expected_view(model, modelled), (step.action, viewer)


@settings(max_examples=60)
@given(settings_of_matches(restless=True))
def test_what_the_engine_refuses_the_rules_written_a_second_time_refuse_too(setting: Setting) -> None:
    model = None
    for step in play(setting):
        model = model or model_of(setting, step.before)
        tell_unless_over(model, step)
        for action in senseless_actions(step.after):
            if step.after.status == "bidding" and isinstance(action, Act) and action.move == NextRound():
                continue  # too late for everybody, in or out; the engine tells who is out so
            with pytest.raises(IllegalMove):
                transition.apply(step.after, action, at=AT, chance=ShakenDice(1))
            with pytest.raises(Refused):
                tell(model, action)


def tell_unless_over(model: Match, step: Any) -> None:
    show_hands(model, step.before)
    tell(model, step.action)
