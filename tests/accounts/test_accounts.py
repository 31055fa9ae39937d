import threading
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from accounts.commands import create_guest
from accounts.models import Player, Token, User
from accounts.queries import player_of_user

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def an_account(username: str = "alice") -> User:
    return User.objects.create_user(username, password="correct horse", date_joined=NOW)


@pytest.mark.django_db
def test_an_account_plays_under_its_username_from_its_first_use_on():
    alice = an_account()

    player = player_of_user(alice)

    assert (player.name, player.kind, player.created_at) == ("alice", "account", NOW)
    assert player_of_user(User.objects.get()) == player
    assert Player.objects.count() == 1


@pytest.mark.django_db
def test_a_username_that_is_too_long_for_a_name_is_cut():
    assert player_of_user(an_account("a" * 150)).name == "a" * 40


@pytest.mark.django_db
def test_nobody_and_whoever_was_shut_out_have_no_player():
    bob = an_account("bob")
    bob.is_active = False

    assert player_of_user(AnonymousUser()) is None
    assert player_of_user(bob) is None


@pytest.mark.django_db
def test_a_player_outlives_the_account():
    player = player_of_user(an_account())

    User.objects.all().delete()

    player.refresh_from_db()
    assert player.name == "alice"


@pytest.mark.django_db(transaction=True)
def test_an_account_that_comes_in_twice_at_once_gets_one_player():
    alice = an_account()
    start = threading.Barrier(4)
    found = []

    def come_in() -> None:
        start.wait()
        try:
            found.append(player_of_user(alice).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=come_in) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 4
    assert len(set(found)) == 1


@pytest.mark.django_db
def test_the_admin_shows_tokens_without_their_digests(admin_client):
    create_guest(name="Alice", now=NOW)
    token = Token.objects.get()

    for address in (
        "/admin/accounts/token/",
        f"/admin/accounts/token/{token.pk}/change/",
        f"/admin/accounts/token/{token.pk}/delete/",
        f"/admin/accounts/player/{token.player_id}/change/",
    ):
        page = admin_client.get(address).text
        assert token.player_id in page, address
        assert token.digest not in page


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/admin/accounts/token/add/", "/admin/accounts/player/add/"])
def test_the_admin_makes_no_players_and_no_tokens(admin_client, address: str):
    assert admin_client.get(address).status_code == 403
