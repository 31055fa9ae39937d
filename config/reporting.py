"""Error reports and debug pages that show where something broke, and nothing of what was in play.

Django hides values only where a function was marked, and only with DEBUG off. Here it is the other way
round: dice, seeds and tokens pass through too many functions to mark each, so every value is hidden.
"""

import re
from types import FrameType
from typing import Any

from django.http import HttpRequest, QueryDict
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

HIDDEN = "(hidden)"

# What a request may show of itself: nothing that a client could have filled with a secret.
SHOWN_META = frozenset(
    {
        "CONTENT_LENGTH",
        "CONTENT_TYPE",
        "HTTP_ACCEPT",
        "HTTP_HOST",
        "HTTP_USER_AGENT",
        "REMOTE_ADDR",
        "REQUEST_METHOD",
        "SERVER_NAME",
        "SERVER_PORT",
        "SERVER_PROTOCOL",
        "wsgi.url_scheme",
    }
)


class HidingFilter(SafeExceptionReporterFilter):
    """Hides every local variable, everything a client sent, and every setting that could be a secret."""

    cleansed_substitute = HIDDEN
    hidden_settings = re.compile(
        "API|AUTH|CACHE|COOKIE|DATABASE|KEY|LOCATION|PASS|SEALING|SECRET|SIGNATURE|TOKEN|URL", re.IGNORECASE
    )

    def is_active(self, request: HttpRequest | None) -> bool:
        """Hide with DEBUG on as well."""
        return True

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> Any:
        """Return the names of a frame's variables without their values."""
        return [(name, HIDDEN) for name in tb_frame.f_locals]

    def get_safe_request_meta(self, request: HttpRequest | None) -> dict[str, Any]:
        """Return the few facts about a request that carry no secret."""
        meta = getattr(request, "META", {})
        return {name: value for name, value in meta.items() if name in SHOWN_META}

    def get_safe_cookies(self, request: HttpRequest | None) -> dict[str, Any]:
        """Return the names of the cookies."""
        return dict.fromkeys(getattr(request, "COOKIES", {}), HIDDEN)

    def get_post_parameters(self, request: HttpRequest | None) -> Any:
        """Return the names of the posted fields."""
        return {} if request is None else _names_only(request.POST)


class HidingReporter(ExceptionReporter):
    """The report itself, which also leaves out what stood behind the question mark."""

    def get_traceback_data(self) -> dict[str, Any]:
        """Return what the report's template shows."""
        data = super().get_traceback_data()
        if self.request is not None:
            data["request_GET_items"] = [(name, HIDDEN) for name in self.request.GET]
            data["request_insecure_uri"] = self.request.path
        return data


def _names_only(fields: QueryDict) -> dict[str, str]:
    return dict.fromkeys(fields, HIDDEN)
