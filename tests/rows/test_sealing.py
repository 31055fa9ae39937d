"""Sealed secrets: what lies in the rows, and how a key is changed."""

import random
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

    tokens = [sealing.seal_hand(hand) for hand in hands]

    assert [sealing.unseal_hand(token) for token in tokens] == hands
    assert len({len(token) for token in tokens}) == 1
    assert sealing.seal_hand(hands[0]) != tokens[0]


def test_what_no_key_opens_is_said_and_not_shown(settings: Any) -> None:
    token = sealing.seal(b"secret")
    settings.SEALING_KEYS = [Fernet.generate_key().decode()]

    for act in (sealing.unseal, sealing.reseal):
        with pytest.raises(sealing.CannotOpen) as refusal:
            act(token)
        assert token not in str(refusal.value)
    with pytest.raises(sealing.CannotOpen):
        sealing.unseal("garbage")


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
    for token in (
        *Hand.objects.values_list("sealed", flat=True),
        *Table.objects.values_list("sealed_chain", flat=True),
        *Answer.objects.values_list("sealed", flat=True),
    ):
        assert sealing.unseal(token)
