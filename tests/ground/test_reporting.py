import json
import os
import secrets
import subprocess
import sys

import pytest
from django.http import HttpRequest
from django.test import RequestFactory, override_settings
from django.urls import path
from django.views.debug import ExceptionReporter, get_exception_reporter_class

from tests.serving import ROOT

# Made here and now, since a report does show the lines of this file.
DICE, TOKEN = secrets.token_hex(), secrets.token_hex()


def break_down(hand: str) -> None:
    seeds = [hand]
    raise RuntimeError(f"broken with {len(seeds)} seeds")


def a_broken_request() -> HttpRequest:
    request = RequestFactory().post(
        f"/api/v1/tables?invite={TOKEN}",
        data={"client_seed": TOKEN},
        headers={"Authorization": f"Bearer {TOKEN}", "Cookie": f"sessionid={TOKEN}; other={TOKEN}"},
    )
    request.META["asgi.scope"] = {"headers": [(b"authorization", TOKEN.encode())]}
    return request


def report(request: HttpRequest | None) -> ExceptionReporter:
    try:
        break_down(DICE)
    except RuntimeError:
        return get_exception_reporter_class(request)(request, *sys.exc_info())
    raise AssertionError


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("kind", ["html", "text"])
def test_a_report_shows_where_it_broke_and_nothing_of_what_was_in_play(debug: bool, kind: str):
    with override_settings(DEBUG=debug):
        reporter = report(a_broken_request())
        shown = reporter.get_traceback_html() if kind == "html" else reporter.get_traceback_text()

    assert "break_down" in shown
    assert "broken with 1 seeds" in shown
    assert DICE not in shown
    assert TOKEN not in shown


@pytest.mark.parametrize("debug", [True, False])
def test_a_report_shows_no_setting_that_could_be_a_secret(debug: bool, settings):
    settings.DEBUG = debug
    settings.SEALING_KEYS = [TOKEN]
    settings.REDIS_URL = settings.CELERY_BROKER_URL = f"redis://:{TOKEN}@localhost/0"
    settings.SECRET_KEY_FALLBACKS = [TOKEN]
    settings.EMAIL_HOST_PASSWORD = TOKEN

    reporter = report(None)

    assert TOKEN not in reporter.get_traceback_html()
    assert TOKEN not in str(reporter.filter.get_safe_settings())
    assert settings.SECRET_KEY not in str(reporter.filter.get_safe_settings())


def broken_page(request: HttpRequest) -> None:
    break_down(DICE)


urlpatterns = [path("api/broken", broken_page), path("broken", broken_page)]
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("address", ["/broken", "/api/broken"])
def test_the_page_of_a_request_that_broke_shows_no_secrets(client, settings, debug: bool, address: str):
    settings.DEBUG = debug
    client.raise_request_exception = False

    answer = client.get(f"{address}?invite={TOKEN}", headers={"Authorization": f"Bearer {TOKEN}"})

    assert answer.status_code == 500
    assert DICE not in answer.text
    assert TOKEN not in answer.text


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "code"), [("/api/broken", 500, "server_error"), ("/api/x", 404, "not_found")]
)
def test_the_api_answers_in_json_even_where_no_view_does(client, address: str, status: int, code: str):
    client.raise_request_exception = False

    answer = client.get(address)

    assert answer.status_code == status
    assert answer.json().keys() == {"code", "message"}
    assert answer.json()["code"] == code


def test_the_api_answers_in_json_when_the_host_is_not_ours(client, settings):
    settings.ALLOWED_HOSTS = ["dice.example.org"]

    answer = client.get("/api/v1/nowhere", headers={"Host": "elsewhere.example"})

    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"


def logged(program: str) -> str:
    """Return what a process of its own logs, as loud as can be; its first argument is the secret."""
    done = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup(); import sys\n{program}", DICE],
        cwd=ROOT,
        env={**os.environ, "LOG_LEVEL": "DEBUG", "DEBUG": "1"},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stderr


def test_a_logged_exception_shows_its_lines_and_no_values():
    program = """
import logging
try:
    (lambda hand: hand.no_such_thing)(sys.argv[1])
except AttributeError:
    logging.getLogger("games").exception("It broke.")
"""
    (line,) = logged(program).splitlines()

    assert json.loads(line)["event"] == "It broke."
    assert "AttributeError" in json.loads(line)["exception"]
    assert DICE not in line


@pytest.mark.parametrize("debug", [True, False])
def test_statements_are_not_logged_even_with_debug_on(debug: bool):
    program = f"""
import logging
from django.conf import settings
from django.db import connection
settings.DEBUG = {debug}
with connection.cursor() as cursor:
    cursor.execute("SELECT %s", [sys.argv[1]])
logging.getLogger("games").debug("It was asked.")
"""
    log = logged(program)

    assert "It was asked." in log
    assert DICE not in log


def test_a_template_that_lacks_a_variable_does_not_log_its_context():
    program = """
from django.template import Context, Template
Template("{{ table.hand }}").render(Context({"table": {"dice": sys.argv[1]}}))
import logging
logging.getLogger("games").debug("It was shown.")
"""
    log = logged(program)

    assert "It was shown." in log
    assert DICE not in log
