"""A name for every request, which stands in each line that is logged on its way and in its answer."""

import os
import random
import re

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

HEADER = "X-Request-ID"
# What a proxy or a client may choose: nothing that could break a line or fill a log.
SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")

# Names, and no secrets: the system is asked for chance once, and not for every request.
_names = random.Random()
os.register_at_fork(after_in_child=_names.seed)


def name_of(given: str) -> str:
    """The name of a request that came with this one, and bind it to all that is logged on its way."""
    name = given if SANE.fullmatch(given) else f"{_names.getrandbits(64):016x}"
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request=name)
    return name


class RequestIdMiddleware(MiddlewareMixin):
    """Takes the name that a request came with, if it is sane, and else gives it one."""

    def process_request(self, request: HttpRequest) -> None:
        request.META["REQUEST_ID"] = name_of(request.headers.get(HEADER, ""))

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response[HEADER] = request.META["REQUEST_ID"]
        structlog.contextvars.clear_contextvars()
        return response
