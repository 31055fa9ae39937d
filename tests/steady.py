"""Hypothesis draws the same examples every time, so that a red run can be repeated."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("steady")
