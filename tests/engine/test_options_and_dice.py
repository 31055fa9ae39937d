"""Options and fair dice against the rules written a second time."""

import hashlib
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.dice import (
    CHAIN_LENGTH,
    FairDice,
    commitment_of,
    draw_opener,
    follows,
    roll,
    secret_of_round,
)
from games.engine.rules import PRESETS, RulesRefused, rules_from
from tests.model import fair_dice, rulebook

named_options = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in rulebook.VALUES.items()}
)
seeds = st.lists(st.text(st.characters(exclude_characters="|\0", codec="utf-8"), max_size=64), max_size=6)
secrets = st.binary(min_size=32, max_size=32)
ids = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=16, max_size=16)


@settings(max_examples=600)
@given(st.sampled_from(sorted(PRESETS)), named_options)
def test_options_combine_as_the_rules_written_a_second_time_say(
    preset: str, named: dict[str, object]
) -> None:
    assert combined(preset, named) in possible(preset, named)


def combined(preset: str, named: dict[str, object]) -> object:
    """The options that follow, or the one that is refused."""
    try:
        return rules_from(preset, named).document()
    except RulesRefused as refusal:
        return refusal.option


def possible(preset: str, named: dict[str, object]) -> list[object]:
    """The options that should follow, or those of which one should be refused."""
    try:
        return [rulebook.options(preset, named)]
    except rulebook.OptionsRefused as refused:
        return list(refused.names)


@given(ids, secrets, seeds, st.integers(1, 999), st.integers(0, 5), st.integers(1, 5))
def test_hands_are_those_of_the_rules_written_a_second_time(
    table_id: str, secret: bytes, seeds: list[str], number: int, seat: int, count: int
) -> None:
    rolled = roll(secret, table_id=table_id, number=number, seat=seat, count=count, seeds=seeds)

    assert list(rolled) == fair_dice.roll(table_id, number, seat, count, secret.hex(), seeds)


@given(ids, secrets, seeds, st.sets(st.integers(0, 5), min_size=2))
def test_the_drawn_opener_is_that_of_the_rules_written_a_second_time(
    table_id: str, secret: bytes, seeds: list[str], seats: set[int]
) -> None:
    drawn = draw_opener(secret, table_id=table_id, seats=sorted(seats), seeds=seeds)

    assert drawn == fair_dice.drawn_opener(table_id, sorted(seats), secret.hex(), seeds)


@settings(max_examples=5)
@given(secrets)
def test_the_whole_chain_hangs_on_the_commitment(chain_end: bytes) -> None:
    dice = FairDice(table_id="a", chain_end=chain_end, seeds=[])
    before = commitment_of(chain_end)
    for number in range(1, 1000, 111):
        assert fair_dice.chain_holds(before, [dice.secret(number)]) == (number == 1)
    for number in (1, 2, 3):
        assert follows(dice.secret(number), before)
        before = dice.secret(number)

    assert follows(chain_end.hex(), dice.secret(999))
    assert chain_end.hex() not in repr(dice)


def test_every_secret_of_a_chain_is_the_hash_of_the_next_in_whatever_order_they_are_asked_for() -> None:
    end = b"x" * 32
    chain = [end]
    while len(chain) <= CHAIN_LENGTH:
        chain.insert(0, hashlib.sha256(chain[0]).digest())
    numbers = list(range(CHAIN_LENGTH + 1))
    random.Random(1).shuffle(numbers)

    assert all(secret_of_round(end, number) == chain[number] for number in numbers)
