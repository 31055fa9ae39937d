"""The document as it is published: the same for everybody, and so written once."""

from functools import cache

import orjson
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request


@extend_schema(exclude=True)
@api_view(["GET"])
def published(request: Request) -> HttpResponse:
    """The OpenAPI document of this API."""
    return HttpResponse(_document(), content_type="application/json")


@cache
def _document() -> bytes:
    # Some words of the framework are translated only when they are read, hence `str`.
    return orjson.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str)
