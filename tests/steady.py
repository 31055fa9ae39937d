"""Hypothesis draws the same examples every time: a red run can be repeated, and a green one means the same."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("steady")
