import asyncio

import pytest
import structlog
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from django.urls import path


def telling(request: HttpRequest) -> HttpResponse:
    return HttpResponse(structlog.contextvars.get_contextvars().get("request", "none"))


async def telling_later(request: HttpRequest) -> HttpResponse:
    return telling(request)


def breaking(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


urlpatterns = [path("told", telling), path("told-later", telling_later), path("broken", breaking)]
handler500 = "config.errors.server_error"
pytestmark = pytest.mark.urls(__name__)


def test_a_request_keeps_the_name_it_came_with(client: Client):
    answer = client.get("/told", headers={"X-Request-ID": "proxy-7.a_B"})

    assert answer.text == answer["X-Request-ID"] == "proxy-7.a_B"


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 65, "line\u2028break", '"}{', "é"])
def test_a_request_without_a_sane_name_gets_a_new_one(client: Client, given: str | None):
    headers = {} if given is None else {"X-Request-ID": given}

    first, second = (client.get("/told", headers=headers) for _ in range(2))

    assert first.text == first["X-Request-ID"]
    assert first["X-Request-ID"] not in (given, second["X-Request-ID"])


def test_it_reaches_views_that_wait():
    answer = asyncio.run(AsyncClient().get("/told-later", headers={"X-Request-ID": "later"}))

    assert answer.text == answer["X-Request-ID"] == "later"


def test_nothing_of_a_request_is_left_for_the_next(client: Client):
    client.raise_request_exception = False

    assert client.get("/broken", headers={"X-Request-ID": "first"})["X-Request-ID"] == "first"

    assert structlog.contextvars.get_contextvars() == {}
