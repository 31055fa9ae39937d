import hashlib
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from accounts.commands import NameRefused, create_guest
from accounts.models import Player, Token
from accounts.queries import player_by_token

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_guest_is_known_by_the_token():
    alice, token = create_guest(name="Alice", now=NOW)
    bob, _ = create_guest(name="Bob", now=NOW)

    assert player_by_token(token) == alice != bob
    assert (alice.name, alice.kind, alice.created_at) == ("Alice", "guest", NOW)


def test_only_the_digest_of_a_token_is_kept():
    _, token = create_guest(name="Alice", now=NOW)

    kept = Token.objects.get()

    assert kept.digest == hashlib.sha256(token.encode()).hexdigest()
    assert token not in str(vars(kept))


def test_neither_tokens_nor_players_tell_their_secrets_when_printed():
    alice, token = create_guest(name="Alice", now=NOW)
    kept = Token.objects.get()

    printed = f"{kept} {kept!r} {alice} {alice!r}"

    assert token not in printed
    assert kept.digest not in printed


@pytest.mark.parametrize("token", ["", "nobody's", "x" * 100_000, "\x00", "\ud800", "ümlaut", "'; --"])
def test_a_wrong_token_is_nobodys(token: str):
    create_guest(name="Alice", now=NOW)

    assert player_by_token(token) is None


def test_looking_up_a_token_takes_one_statement(django_assert_num_queries):
    _, token = create_guest(name="Alice", now=NOW)

    with django_assert_num_queries(1):
        assert player_by_token(token).kind == "guest"


def test_ids_are_sixteen_letters_and_digits_that_no_two_share():
    ids = {create_guest(name=None, now=NOW)[0].pk for _ in range(50)}

    assert len(ids) == 50
    assert all(len(one) == 16 and set(one) <= set("abcdefghijklmnopqrstuvwxyz234567") for one in ids)


def test_who_gives_no_name_is_a_guest_with_four_letters():
    name = create_guest(name=None, now=NOW)[0].name

    assert name.startswith("Guest ")
    assert len(name) == len("Guest ") + 4


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Alice ", "Alice"),
        ("É", "É"),
        ("山田 太郎", "山田 太郎"),
        ("🎲", "🎲"),
        ("x" * 40, "x" * 40),
        ("<b>", "<b>"),
    ],
)
def test_a_name_is_kept_as_it_is_without_blanks_around_it(given: str, kept: str):
    alice, _ = create_guest(name=given, now=NOW)

    assert Player.objects.get(pk=alice.pk).name == kept


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_empty"),
        ("   ", "name_empty"),
        ("\u200b", "name_empty"),
        ("x" * 41, "name_too_long"),
        ("Al\x00ice", "name_unreadable"),
        ("Al\nice", "name_unreadable"),
        ("Al\u2028ice", "name_unreadable"),
        ("Al\x7fice", "name_unreadable"),
        ("Al\ud800ice", "name_unreadable"),
        ("Al\u202eice", "name_unreadable"),
    ],
)
def test_a_name_that_cannot_be_borne_is_refused_in_a_sentence(name: str, code: str):
    with pytest.raises(NameRefused) as refusal:
        create_guest(name=name, now=NOW)

    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")
    assert not Player.objects.exists()


def test_the_database_takes_no_player_without_a_name():
    with pytest.raises(IntegrityError, match="player_has_a_name"), transaction.atomic():
        Player.objects.create(name="", created_at=NOW)
