"""Times as people read them: a date in their zone, and how long is left."""

from datetime import datetime, timedelta

from games.engine.words import number_words

MINUTE, HOUR, DAY = 60, 3600, 86400


def written(when: datetime, form: str = "short") -> str:
    """A local instant: `Wed 2 Dec, 21:04` (short), `2 December 2026` (day) or `21:04` (time)."""
    if form == "time":
        return f"{when:%H:%M}"
    if form == "day":
        return f"{when.day} {when:%B %Y}"
    return f"{when:%a} {when.day} {when:%b}, {when:%H:%M}"


def left(span: timedelta) -> str:
    """What is left, in steps that do not pretend to know more: `1 day 12 h left`, `2 h 35 min left`."""
    seconds = max(0, int(span.total_seconds()))
    if seconds >= DAY:
        days, rest = divmod(seconds, DAY)
        hours = rest // HOUR
        return f"{days} {'day' if days == 1 else 'days'}{f' {hours} h' if hours else ''} left"
    if seconds >= HOUR:
        hours, rest = divmod(seconds, HOUR)
        return f"{hours} h {rest // MINUTE} min left" if rest >= MINUTE else f"{hours} h left"
    if seconds >= MINUTE:
        return f"{seconds // MINUTE} min left"
    return f"{seconds} s left" if seconds else "time is up"


def span(seconds: int) -> str:
    """A span as rules say it: `two days`, `five hours`, `30 seconds`."""
    for size, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= size and seconds % size == 0:
            count = seconds // size
            return f"{number_words(count)} {name}{'' if count == 1 else 's'}"
    return f"{seconds} seconds"


def is_pressing(remaining: timedelta, whole: timedelta | None) -> bool:
    """Is less than a tenth left, at most three hours?"""
    tenth = timedelta(hours=3) if whole is None else min(whole / 10, timedelta(hours=3))
    return remaining < tenth
