"""Text is UTF-8 here, whatever else a request says of itself."""

from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Middleware(MiddlewareMixin):
    """Forgets the charset that a request names: `hex` or `idna` are none, and Django would break on them."""

    def process_request(self, request: HttpRequest) -> None:
        # Not `request.encoding = None`: before it sets anything, that reads the query in the charset named.
        request._encoding = None  # type: ignore[attr-defined]  # known to Django alone
