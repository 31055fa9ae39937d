"""The settings as a process of its own reads them, with nothing but the given variables."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.serving import ROOT


def read(names: str, tmp_path: Path, **variables: str):
    """Return some settings, as they are with these variables."""
    program = f"import json; from config import settings; print(json.dumps([{names}], default=str))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        timeout=30,
    )
    if done.returncode:
        return done.stderr.splitlines()[-1]
    return json.loads(done.stdout)


def test_without_variables_it_is_a_club(tmp_path: Path):
    database, broker, debug, hosts = read(
        "settings.DATABASES['default'], settings.CELERY_BROKER_URL, settings.DEBUG, settings.ALLOWED_HOSTS",
        tmp_path,
    )

    assert database["ENGINE"].endswith("sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert broker.startswith("memory:")
    assert debug is False
    assert "*" not in hosts


def test_with_a_database_and_redis_it_is_a_site(tmp_path: Path):
    database, broker, cache = read(
        "settings.DATABASES['default'], settings.CELERY_BROKER_URL, settings.CACHES['default']",
        tmp_path,
        DATABASE_URL="postgresql://alice:won%40der@db:5433/dice",
        REDIS_URL="redis://redis:6379/1",
    )

    assert (database["HOST"], database["PORT"], database["PASSWORD"]) == ("db", 5433, "won@der")
    assert database["OPTIONS"] == {"connect_timeout": 5, "server_side_binding": True, "prepare_threshold": 1}
    assert database["CONN_MAX_AGE"] is None
    assert broker == cache["LOCATION"] == "redis://redis:6379/1"
    assert cache["BACKEND"].endswith("RedisCache")


def test_a_pool_of_connections_may_be_asked_for(tmp_path: Path):
    (database,) = read(
        "settings.DATABASES['default']", tmp_path, DATABASE_URL="postgresql://db/dice", DATABASE_POOL="8"
    )

    assert database["OPTIONS"]["pool"]["max_size"] == 8
    assert database["CONN_MAX_AGE"] == 0


def test_a_database_of_another_kind_is_refused_without_its_password(tmp_path: Path):
    message = read("1", tmp_path, DATABASE_URL="mysql://alice:wonderland@db/dice")

    assert "DATABASE_URL is not understood; it should be postgresql://" in message
    assert "wonderland" not in message


def test_secrets_from_the_environment_make_no_files(tmp_path: Path):
    new, old = Fernet.generate_key().decode(), Fernet.generate_key().decode()

    secret, sealing = read(
        "settings.SECRET_KEY, settings.SEALING_KEYS",
        tmp_path,
        SECRET_KEY="x" * 50,
        SEALING_KEYS=f"{new},{old}",
    )

    assert secret == "x" * 50
    assert sealing == [new, old]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("variables", "hosts"),
    [
        ({"HOST": "0.0.0.0"}, ["*"]),
        ({"HOST": "0.0.0.0", "BASE_URL": "https://dice.example.org"}, ["dice.example.org"]),
        ({"HOST": "192.0.2.7"}, ["192.0.2.7"]),
        ({"HOST": "::1"}, ["[::1]"]),
        ({"ALLOWED_HOSTS": "a.example,b.example"}, ["a.example", "b.example"]),
    ],
)
def test_it_answers_to_the_names_it_was_given(tmp_path: Path, variables: dict[str, str], hosts: list[str]):
    (allowed,) = read("settings.ALLOWED_HOSTS", tmp_path, **variables)

    assert set(hosts) <= set(allowed)
    assert "*" not in allowed or hosts == ["*"]


def test_https_makes_cookies_safe_and_lasts(tmp_path: Path):
    session, csrf, hsts = read(
        "settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS",
        tmp_path,
        HTTPS="on",
    )

    assert session is csrf is True
    assert hsts > 0


@pytest.mark.parametrize(("proxies", "header"), [("0", None), ("1", ["HTTP_X_FORWARDED_PROTO", "https"])])
def test_only_a_trusted_proxy_may_say_that_the_line_is_safe(tmp_path: Path, proxies: str, header):
    trusted, count = read(
        "settings.SECURE_PROXY_SSL_HEADER, settings.REST_FRAMEWORK['NUM_PROXIES']",
        tmp_path,
        TRUSTED_PROXIES=proxies,
    )

    assert trusted == header
    assert count == int(proxies)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "70000"),
        ("THROTTLE_PLAY", "often"),
        ("LOG_LEVEL", "loud"),
        ("BASE_URL", "here"),
        ("DEBUG", "2"),
    ],
)
def test_a_wrong_variable_stops_the_start(tmp_path: Path, name: str, value: str):
    assert f"{name} is '{value}'; it should be " in read("1", tmp_path, **{name: value})
