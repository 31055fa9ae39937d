"""The properties here are drawn by the steady profile."""

import tests.steady  # noqa: F401 - loading it sets hypothesis' profile
