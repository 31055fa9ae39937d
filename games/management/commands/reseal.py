"""After a new key was put in front of SEALING_KEYS: seal everything anew, so that the old key can go."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.commands.resealing import reseal_all


class Command(BaseCommand):
    """Seal chains, hands and kept answers under the first of SEALING_KEYS."""

    help = "Seal every secret anew under the first of SEALING_KEYS; the others may be removed afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", type=int, default=500, help="rows in one transaction (default 500)")

    def handle(self, *args: Any, **options: Any) -> None:
        for what, count in reseal_all(batch=options["batch"]).items():
            self.stdout.write(f"{what}: {count} sealed anew")
