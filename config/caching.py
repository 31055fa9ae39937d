"""Pages are for the eyes that they were made for: nothing between them and us keeps one."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

KNOWN = "private, no-store"
"""For whoever played here or signed in; the next person at this browser finds nothing of it by going back."""

STRANGER = "private, no-cache"


class PrivateMiddleware(MiddlewareMixin):
    """Says of a page that looked at its visitor, and says nothing itself, that nobody else may keep it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        session = getattr(request, "session", None)
        if session is not None and session.accessed and not request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", STRANGER if session.is_empty() else KNOWN)
        return response
