"""A clock that a test moves, for the processes of a site that have this folder in PYTHONPATH.

The file that TEST_CLOCK names says what `django.utils.timezone.now` shows, from which every door reads the
time: `{"real": R, "shown": S, "rate": F, "behind": {WORDS: SECONDS}}` shows S + F × (time - R), and less
where this process's command line has the words.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime

from django.utils import timezone

_PATH = os.environ["TEST_CLOCK"]
_read: tuple[int, dict] = (0, {})


def _setting() -> dict:
    global _read
    changed = os.stat(_PATH).st_mtime_ns
    if changed != _read[0]:
        with open(_PATH) as file:
            _read = changed, json.load(file)
    return _read[1]


def _now() -> datetime:
    setting = _setting()
    words = " ".join(sys.orig_argv)
    behind = sum(seconds for part, seconds in setting["behind"].items() if part in words)
    shown = setting["shown"] + setting["rate"] * (time.time() - setting["real"]) - behind
    return datetime.fromtimestamp(shown, UTC)


timezone.now = _now
