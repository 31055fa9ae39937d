"""Sealed secrets: what lies in the rows, and how a key is changed."""

import random
from functools import partial
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command

from games import sealing
from games.models import Answer, Hand, Table
from tests.people import a_guest
from tests.tables import a_match, play_on


def test_a_hand_is_sealed_at_one_length_and_opened_again() -> None:
    hands = [tuple(range(1, size + 1)) for size in range(1, 6)]

    tokens = [sealing.seal_hand(hand, place="here") for hand in hands]

    assert [sealing.unseal_hand(token, place="here") for token in tokens] == hands
    assert len({len(token) for token in tokens}) == 1
    assert sealing.seal_hand(hands[0], place="here") != tokens[0]


def test_what_no_key_opens_is_said_and_not_shown(settings: Any) -> None:
    token = sealing.seal(b"secret", place="here")
    settings.SEALING_KEYS = [Fernet.generate_key().decode()]

    for act in (partial(sealing.unseal, place="here"), sealing.reseal):
        with pytest.raises(sealing.CannotOpen) as refusal:
            act(token)
        assert token not in str(refusal.value)
    with pytest.raises(sealing.CannotOpen):
        sealing.unseal("garbage", place="here")


@pytest.mark.django_db
def test_a_match_goes_on_while_the_key_is_changed(settings: Any) -> None:
    people = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*people)["id"]
    rng = random.Random(4)
    play_on(people, table_id, rng, most=3)
    people[0].post("tables", {"name": "x"}, idempotency_key="k")
    old, new = settings.SEALING_KEYS[0], Fernet.generate_key().decode()

    settings.SEALING_KEYS = [new, old]
    play_on(people, table_id, rng, most=3)
    call_command("reseal", batch=2)
    settings.SEALING_KEYS = [new]

    assert play_on(people, table_id, rng)["status"] == "finished"
    assert "Idempotency-Replayed" in people[0].post("tables", {"name": "x"}, idempotency_key="k")
    for hand in Hand.objects.all():
        place = sealing.hand_place(hand.table_id, hand.number, hand.seat)
        assert sealing.unseal_hand(hand.sealed, place=place)
    table = Table.objects.get(pk=table_id)
    assert sealing.unseal(table.sealed_chain, place=sealing.chain_place(table_id))


@pytest.mark.django_db
def test_a_sealed_value_that_was_copied_elsewhere_shows_nothing() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = a_match(alice, bob)["id"]
    mine, other = (Hand.objects.get(table_id=table_id, seat=seat) for seat in (0, 1))
    alice.post("tables", {"name": "x"}, idempotency_key="k")
    answer = Answer.objects.get()
    chain = Table.objects.get(pk=table_id).sealed_chain
    my_hand = sealing.hand_place(table_id, 1, 0)
    my_answer = sealing.answer_place(answer.player_id, answer.request)

    for token, place in ((other.sealed, my_hand), (chain, my_answer), (mine.sealed, my_answer)):
        with pytest.raises(sealing.CannotOpen, match="another place"):
            sealing.unseal(token, place=place)
