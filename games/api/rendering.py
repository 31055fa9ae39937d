"""Writing answers: JSON in UTF-8, whatever the client says it accepts."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
"""What every answer says to caches: it depends on its reader, a refusal too."""


class JSONRenderer(BaseRenderer):
    """JSON by orjson."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else orjson.dumps(data)


class AlwaysJSON(BaseContentNegotiation):
    """JSON in and out is all there is, so no `Accept` and no content type can miss it."""

    def select_parser(self, request: HttpRequest, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: HttpRequest, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
