"""Where sessions lie: Django's rows, which are asked only for keys that could be one of ours."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS

MOST = 40
"""The characters that the column of a key takes."""


class SessionStore(db.SessionStore):
    """A session in the database; a cookie may hold anything, NUL too, which PostgreSQL would break on."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and 8 <= len(key) <= MOST and set(key) <= set(VALID_KEY_CHARS)
