"""Laws that the model must keep on random matches, so that it may judge others."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from tests.model import bidding
from tests.model.match import Match, Refused, host_opener
from tests.model.rulebook import (
    DEFAULTS,
    ENTANGLED,
    PRESETS,
    VALUES,
    OptionsRefused,
    every_sensible_combination,
    faults,
    options,
)
from tests.model.views import OWNER, SPECTATOR, expected_view

COMBINATIONS = every_sensible_combination()


def a_match(rng: Random) -> Match:
    rules = rng.choice(COMBINATIONS)
    computers = [seat for seat in range(rules["seats"]) if rng.random() < 0.2]
    return Match(
        rules,
        range(rules["seats"]),
        opener=rng.randrange(rules["seats"]),
        computers=computers,
        clock=rng.choice(["live", "slow", "none"]),
        round_limit=rng.choice([3, 999, 999]),
    )


def deal(match: Match, rng: Random) -> None:
    match.hands = {s: [rng.randint(1, 6) for _ in range(match.dice[s])] for s in match.still_in()}


def step(match: Match, rng: Random) -> None:
    """Do one random thing that the rules allow."""
    if match.status == "revealed":
        match.next_round(rng.choice([seat for seat in match.pressers() if seat not in match.ready]))
        return
    if not match.hands:
        deal(match, rng)
    calls = [kind for kind in ("liar", "exact") if match.may_call(kind)]
    bids = bidding.legal_bids(match.rules, match.standing(), match.dice_in_play(), match.palifico)
    if calls and (not bids or rng.random() < 0.4):
        match.call(match.turn, rng.choice(calls), match.hands)
    else:
        match.bid(match.turn, rng.choice(bids[: len(bids) // 3 + 1]))


def played(seed: int) -> Match:
    rng = Random(seed)
    match = a_match(rng)
    while match.status != "finished":
        if rng.random() < 0.02 and match.persons_in():
            match.leave(rng.choice(match.persons_in()))
        else:
            step(match, rng)
        dice_are_within_bounds(match)
    return match


def dice_are_within_bounds(match: Match) -> None:
    assert all(0 <= number <= match.rules["starting_dice"] for number in match.dice.values())
    assert match.status == "finished" or len(match.still_in()) > 1


@pytest.mark.parametrize("seed", range(300))
def test_a_match_ends_with_places_that_add_up(seed: int) -> None:
    match = played(seed)

    assert match.result is not None
    places = match.result["places"]
    stayers = [seat for seat in match.seats if seat not in match.left]
    for seat in stayers:
        assert places[seat] == 1 + sum(places[other] < places[seat] for other in stayers)
    later_leavers_first = [places[seat] for seat in reversed(match.left)]
    assert later_leavers_first == list(range(len(stayers) + 1, len(match.seats) + 1))
    still_in = match.still_in()
    assert match.result["winner"] == (None if match.result["drawn"] else still_in[0])
    assert all(places[seat] == 1 for seat in still_in if seat in stayers)


def test_the_random_matches_reach_every_corner() -> None:
    matches = [played(seed) for seed in range(300)]

    assert any(match.forfeited for match in matches)
    assert any(match.result is not None and match.result["drawn"] for match in matches)
    assert any(len(group) > 1 for match in matches for group in match.went_out)
    assert any(reveal["palifico"] for match in matches for reveal in match.reveals)
    assert any(change > 0 for match in matches for r in match.reveals for change in r["changes"].values())
    assert any(not match.persons_in() and match.left for match in matches)


@pytest.mark.parametrize("rules", COMBINATIONS[:: len(COMBINATIONS) // 60])
def test_every_raise_leads_at_last_to_a_call(rules: dict[str, Any]) -> None:
    rng = Random(str(rules))
    for palifico in {False, rules["palifico"]}:
        standing: dict[str, int] | None = None
        longest = 0
        while bids := bidding.legal_bids(rules, standing, 6, palifico):
            standing = rng.choice(bids[:3])
            longest += 1
            assert longest < 100

        assert standing is not None
        assert bidding.ranges(rules, standing, 6, palifico) == {}


def test_a_raise_is_never_undone_by_the_bid_it_beat() -> None:
    for rules in (options("standard"), options("low-ones"), options("straight"), options("wild")):
        for first in bidding.legal_bids(rules | {"open_on_ones": True}, None, 8, palifico=False):
            for then in bidding.legal_bids(rules, first, 8, palifico=False):
                assert first not in bidding.legal_bids(rules, then, 8, palifico=False)


def test_only_the_own_hand_is_in_a_view() -> None:
    rng = Random(5)
    match = Match(options(), range(4), opener=2)
    deal(match, rng)

    for seat in match.seats:
        shown = expected_view(match, seat)
        assert shown["round"]["hand"] == match.hands[seat]
        assert (shown["legal"] is None) == (seat != 2)
    assert expected_view(match, SPECTATOR)["round"]["hand"] is None
    assert expected_view(match, SPECTATOR)["legal"] is None
    assert expected_view(match, OWNER)["round"]["hand"] is None
    assert expected_view(match, OWNER)["legal"] == expected_view(match, 2)["legal"]


def test_leaving_a_practice_match_ends_it_without_places() -> None:
    match = Match(options(), range(3), opener=0, practice=True)

    assert match.leave(0)

    assert (match.status, match.result) == ("finished", None)
    assert match.places() == {0: None, 1: None, 2: None}


def test_one_press_starts_the_next_round_of_a_practice_match() -> None:
    rng = Random(1)
    match = Match(options("classic"), range(3), opener=0, practice=True)
    deal(match, rng)
    match.bid(0, {"quantity": 1, "face": 2})
    match.call(1, "liar", match.hands)

    assert match.pressers() == [0, 1, 2]
    assert match.next_round(2)
    assert (match.status, match.round) == ("bidding", 2)
    assert not match.next_round(2)


def test_a_press_that_all_waited_for_may_become_needless_when_its_person_leaves() -> None:
    rng = Random(1)
    match = Match(options("classic"), range(3), opener=0, clock="live")
    deal(match, rng)
    match.bid(0, {"quantity": 1, "face": 2})
    match.call(1, "liar", match.hands)
    match.next_round(0)
    match.next_round(2)
    assert match.status == "revealed"

    match.leave(1)

    assert match.status == "bidding"
    with pytest.raises(Refused):
        match.bid(match.clockwise_after(match.turn)[0], {"quantity": 1, "face": 3})


def test_the_host_opens_only_where_the_host_sits() -> None:
    assert host_opener(options("calza"), [3, 1]) == 1
    assert host_opener(options("calza"), []) is None
    assert host_opener(options("standard"), [0]) is None


def every_naming() -> list[dict[str, Any]]:
    found = []
    for size in range(len(ENTANGLED) + 1):
        for names in combinations(ENTANGLED, size):
            values = product(*(VALUES[name] for name in names))
            found += [dict(zip(names, chosen, strict=True)) for chosen in values]
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_what_was_not_named_never_causes_a_refusal(preset: str) -> None:
    sensible = every_sensible_combination()
    for named in every_naming():
        possible = any(named.items() <= rules.items() for rules in sensible)
        if not possible:
            with pytest.raises(OptionsRefused):
                options(preset, named)
            continue

        full = options(preset, named)

        assert named.items() <= full.items()
        assert not faults(full)
        strays = [name for name in full if name not in named and full[name] != PRESETS[preset][name]]
        for name in strays:
            assert full[name] == DEFAULTS[name] or (name, full["bidding"]) == ("ones", "sum")
        if not faults(PRESETS[preset] | named):
            assert strays == []


@pytest.mark.parametrize(
    "named",
    [{"seats": 4.0}, {"seats": True}, {"seats": 7}, {"starting_dice": 0}, {"palifico": 1}, {"ones": "Wild"}],
)
def test_a_value_outside_its_list_is_refused_by_name(named: dict[str, Any]) -> None:
    with pytest.raises(OptionsRefused) as refusal:
        options("standard", named)

    assert refusal.value.names == set(named)


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises(OptionsRefused) as refusal:
        options("standard", {"jokers": True})

    assert refusal.value.names == {"jokers"}
