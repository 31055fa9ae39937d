from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from time_machine import travel

from config import health
from games import tasks

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _each_question_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health, "LOOK_SECONDS", -1.0)
    monkeypatch.setattr(health, "_up_to_date", False)
    yield
    monkeypatch.undo()
    health._looked = (float("-inf"), {})


def swept() -> None:
    """Let the sweep run once, as a worker does."""
    tasks.run_due_tables.apply()


def test_a_process_that_answers_is_alive_whatever_its_database_does(client: Client, monkeypatch):
    monkeypatch.setattr(connection, "ensure_connection", lambda: pytest.fail("it asked the database"))

    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
    assert answer["Cache-Control"] == "no-store"


def test_with_everything_in_place_it_is_ready(client: Client, settings):
    settings.REDIS_URL = ""
    swept()

    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "database": "ok", "redis": "none", "sweep": "ok"}
    assert answer["Cache-Control"] == "no-store"


def test_without_its_database_it_is_not_ready_and_says_when_to_ask_again(client: Client, monkeypatch):
    def away() -> None:
        raise OperationalError("no such host: db.internal, password wonderland")

    monkeypatch.setattr(health, "database_lags", away)

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
    assert "Retry-After" in answer
    assert "internal" not in answer.text


def test_behind_a_version_of_the_database_it_is_not_ready(client: Client):
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM django_migrations WHERE app = 'games'")
        (last,) = cursor.fetchone()
        cursor.execute("DELETE FROM django_migrations WHERE id = %s", [last])

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["database"]) == ("unready", "not migrated")


def test_a_lost_redis_is_told_and_takes_nobody_out_of_service(client: Client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    swept()

    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "degraded",
        "database": "ok",
        "redis": "unreachable",
        "sweep": "unknown",
    }


def test_a_sweep_that_stopped_is_told(client: Client):
    with travel("2026-03-01 12:00:00Z", tick=False):
        swept()
    with travel("2026-03-01 12:00:20Z", tick=False):
        answer = client.get("/readyz")

    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["sweep"]) == ("degraded", "late")


def test_a_sweep_that_never_was_is_not_called_alive(client: Client):
    cache.clear()

    assert client.get("/readyz").json()["sweep"] == "unknown"


def test_a_sweep_that_fails_does_not_count_as_one(client: Client, monkeypatch):
    monkeypatch.setattr(tasks.timezone, "now", lambda: 1 / 0)
    swept()

    assert client.get("/readyz").json()["sweep"] == "unknown"


def test_many_questions_cost_no_more_than_one_look_a_second(client: Client, monkeypatch):
    monkeypatch.setattr(health, "LOOK_SECONDS", 60.0)
    health._looked = (float("-inf"), {})
    looks = []
    monkeypatch.setattr(health, "_database", lambda: looks.append("look") or "ok")

    for _ in range(50):
        client.get("/readyz")

    assert len(looks) == 1


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_probe_needs_to_know_no_name(client: Client, settings, address: str):
    settings.ALLOWED_HOSTS = ["dice.example.org"]

    assert client.get(address, headers={"Host": "10.0.0.7"}).status_code == 200
    assert client.post(address).status_code == 405
