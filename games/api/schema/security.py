"""How a client says who asks, as the OpenAPI document names it. Importing this makes it known there."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension

BEARER, SESSION = "bearer", "session"

NEEDED: list[dict[str, Any]] = [{BEARER: []}, {SESSION: []}]
"""A token or a session."""

WELCOME: list[dict[str, Any]] = [*NEEDED, {}]
"""A token or a session, or neither."""


class BearerScheme(OpenApiAuthenticationExtension):
    """The token of a guest."""

    target_class = "games.api.auth.BearerAuthentication"
    name = BEARER

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token that `POST guests` gave. One that is not good is refused everywhere.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """The session of the site."""

    target_class = "games.api.auth.SiteSessionAuthentication"
    name = SESSION

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The site's own session. Whatever changes something also needs the CSRF token of "
            f"the cookie `{settings.CSRF_COOKIE_NAME}` in the header `X-CSRFToken`.",
        }
