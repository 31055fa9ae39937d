"""Signing in at the admin."""

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client

from accounts.hashers import SmallArgon2Hasher
from accounts.models import User

pytestmark = pytest.mark.django_db


def test_passwords_are_tried_a_few_times_a_minute_only() -> None:
    wrong = {"username": "staff", "password": "wrong"}

    answers = [Client().post("/admin/login/", wrong) for _ in range(12)]

    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert answers[-1]["Retry-After"] == "60"
    assert Client().get("/admin/login/").status_code == 200
    assert Client().post("/admin/login/", wrong, REMOTE_ADDR="10.1.1.1").status_code == 200


def test_who_knows_the_password_gets_in() -> None:
    User.objects.create_superuser("staff", password="only for this test")
    staff = Client()

    answer = staff.post("/admin/login/?next=/admin/", {"username": "staff", "password": "only for this test"})

    assert answer.status_code == 302
    assert staff.get("/admin/").status_code == 200


def test_a_password_takes_little_memory_to_check() -> None:
    kept = make_password("only for this test", hasher=SmallArgon2Hasher())

    assert "m=19456,t=2,p=1" in kept


@pytest.mark.parametrize(
    "query",
    [
        "seat/?client_seed__startswith=a",
        "seat/?table__sealed_chain__startswith=g",
        "table/?sealed_chain__startswith=g",
    ],
)
def test_staff_cannot_spell_out_a_secret_by_filters(query: str) -> None:
    staff = Client()
    staff.force_login(User.objects.create_superuser("staff"))

    assert staff.get(f"/admin/games/{query}").status_code == 400
