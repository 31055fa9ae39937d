"""`manage.py site`: every process of a large site on one machine, for development."""

import asyncio
import http.client
import os
import re
import shlex
import signal
import sys
from contextlib import closing
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management.commands.serve import EXAMPLE, listen
from games.management.front import Front
from games.management.preparation import prepare_apart
from games.management.processes import Processes

STREAM = re.compile(r"/api/v1/tables/[^/]+/events/?")
NEEDS = (
    "A site needs PostgreSQL and Redis, and {missing} is not set. Such as:\n"
    "  make site DATABASE_URL=postgresql://USER:PASSWORD@localhost/NAME REDIS_URL=redis://localhost:6379/0\n"
    "`make serve` needs neither."
)
READY_SECONDS = 60.0


class Command(BaseCommand):
    help = "Prepares everything, then runs web, events, workers and beat, behind one address."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Run all of them until SIGTERM or Ctrl-C."""
        _check_services()
        prepare_apart()
        front = listen(settings.HOST, settings.PORT)
        port = front.getsockname()[1]
        web, events = (_free_port(port + number if settings.PORT else 0) for number in (1, 2))
        try:
            asyncio.run(self._run(front, web, events))
        except KeyboardInterrupt:
            return

    async def _run(self, listener: Any, web: int, events: int) -> None:
        port = listener.getsockname()[1]
        processes = Processes(
            commands(web=web, events=events),
            folder=settings.BASE_DIR,
            environment=_environment(port),
            say=self._say,
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, processes.end)
        front = Front(
            lambda path: events if STREAM.fullmatch(path) else web,
            behind_a_proxy=settings.TRUSTED_PROXIES > 0,
        )
        server = await front.start(listener)
        ready = asyncio.create_task(self._announce(port, web, events))
        await processes.run()
        ready.cancel()
        server.close()

    async def _announce(self, port: int, web: int, events: int) -> None:
        waited = 0.0
        while not all(await asyncio.gather(*(asyncio.to_thread(_answers, part) for part in (web, events)))):
            await asyncio.sleep(0.2)
            waited += 0.2
            if waited > READY_SECONDS:
                self._say("It takes long to start; what is wrong should stand above.")
                return
        address = settings.BASE_URL[:-2] + f":{port}" if settings.PORT == 0 else settings.BASE_URL
        self._say(
            f"\nLongbluff is served at {address}/ (Ctrl-C stops it; the web alone answers at port {web},"
            f" the streams at {events}).\n\nTo try it, paste this into another terminal:\n"
        )
        self._say(EXAMPLE.read_text().replace("{address}", address).rstrip())

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()


def commands(**ports: int) -> dict[str, list[str]]:
    """The processes of a site: their commands by name, as `config/Procfile` has them."""
    lines = (settings.BASE_DIR / "config" / "Procfile").read_text("utf-8").splitlines()
    named = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {name: [sys.executable, "-m", *shlex.split(words.format(**ports))] for name, words in named}


def _check_services() -> None:
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    missing = [
        name for name, lacks in (("DATABASE_URL", on_sqlite), ("REDIS_URL", not settings.REDIS_URL)) if lacks
    ]
    if missing:
        raise CommandError(NEEDS.format(missing=" and ".join(missing)))
    try:
        with closing(redis.from_url(settings.REDIS_URL, socket_connect_timeout=5)) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        # The text of the first kind names a host and no password; of the second it could hold the address.
        reason = str(error) if isinstance(error, redis.RedisError) else "its address is not understood"
        raise CommandError(f"Redis cannot be used: {reason}") from None


def _free_port(wanted: int) -> int:
    with closing(listen("127.0.0.1", wanted)) as probe:
        return int(probe.getsockname()[1])


def _environment(port: int) -> dict[str, str]:
    """What the processes see: ours, and that one more proxy stands before them."""
    return {
        "LOG_FORMAT": "text",
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PORT": str(port),
        "TRUSTED_PROXIES": str(settings.TRUSTED_PROXIES + 1),
        "PYTHONUNBUFFERED": "1",
    }


def _answers(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
