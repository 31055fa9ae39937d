"""`manage.py prepare`: bring the database and the static files up to date before a start."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from games.management.preparation import bring_database_up_to_date, collect_static_files


class Command(BaseCommand):
    help = "Migrates the database and collects the static files, if either is behind this version."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is needed, and say what was."""
        try:
            migrated = bring_database_up_to_date()
        except OperationalError as error:
            raise CommandError(f"The database cannot be used: {str(error).strip()}") from None
        if migrated:
            self.stdout.write("The database is up to date.")
        if collect_static_files():
            self.stdout.write("The static files are in place.")
