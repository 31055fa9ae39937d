"""One line on standard error for everything that is worth one: JSON, or text for people's eyes."""

from typing import Any

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
    renderer = structlog.processors.JSONRenderer() if form == "json" else _text()
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
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


def _text() -> Any:
    # The other ways to show an exception print local variables, and so dice.
    return structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
