"""People at real browsers: Chromium against a served site, with everything it received kept for a look."""
