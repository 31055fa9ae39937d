"""One line on standard error for everything that is worth one: JSON, or text for people's eyes.

Our own lines are written at once; those of libraries come through the standard library's logging. Every move
is a line, and that way takes ten times as long.
"""

import json
import logging
import sys
from contextlib import suppress
from typing import Any

import orjson
import structlog

FORMATS = ("json", "text")
SHARED: list[Any] = [
    # Which request it was, where one is under way.
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    # A traceback as text: the structured kind would print every local variable, and so dice.
    structlog.processors.format_exc_info,
]


def logging_config(level: str, form: str = "json") -> dict[str, Any]:
    """Return Django's LOGGING: everything to one handler, SQL and its parameters to none."""
    renderer = structlog.processors.JSONRenderer(serializer=_json) if form == "json" else _text()
    structlog.configure(
        processors=[*SHARED, renderer],
        logger_factory=_Lines,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [structlog.stdlib.PositionalArgumentsFormatter(), *SHARED],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django gives these two handlers of their own; here everything goes one way.
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # Statements carry seeds and tokens, so they are never logged, whatever the level or DEBUG.
            "django.db.backends": {"level": "WARNING"},
            "psycopg": {"level": "WARNING"},
            # A template that lacks a variable would print its whole context.
            "django.template": {"level": "WARNING"},
            # A refused request is the client's affair and would fill the log.
            "django.request": {"level": "ERROR"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
            "amqp": {"level": "WARNING"},
            "asyncio": {"level": "WARNING"},
            # uvicorn as a program of its own would keep its lines to itself.
            "uvicorn": {"level": "WARNING", "propagate": True},
        },
    }


class _Lines:
    """Writes what it is given to standard error, a line each; where that is gone, nobody reads it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def _json(event: dict[str, Any], **options: Any) -> str:
    try:
        return orjson.dumps(event, **options).decode()
    except TypeError:  # what it does not take, a lone surrogate say, is no reason to fail
        return json.dumps(event, **options)


def _text() -> Any:
    # The other ways to show an exception print local variables, and so dice.
    return structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
