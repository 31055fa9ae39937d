"""What has to be in place before the first request: tables in the database, and static files."""

import hashlib
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader


def prepare_apart() -> None:
    """Bring everything up to date in a process of its own, if anything is not.

    That work takes a third more memory than serving does, and a process never gives all of it back.
    """
    try:
        lags = database_lags() or static_files_lag()
    except OperationalError as error:
        raise CommandError(f"The database cannot be used: {str(error).strip()}") from None
    if not lags:
        return
    # In a session of its own, so that Ctrl-C is this process' affair, which then ends the other.
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "prepare"]
    done = subprocess.run(command, start_new_session=True, check=False)
    if done.returncode:
        raise CommandError("The preparation failed.", returncode=done.returncode)


def database_lags() -> bool:
    """Is there a migration that the database has not had?"""
    loader = MigrationLoader(connection)
    return not loader.applied_migrations.keys() >= set(loader.graph.leaf_nodes())


def static_files_lag() -> bool:
    """Did any static file change since they were collected?"""
    mark = _mark()
    return not mark.exists() or mark.read_text() != _fingerprint()


def bring_database_up_to_date() -> bool:
    """Migrate if there is anything to migrate, and say whether there was."""
    if not database_lags():
        return False
    call_command("migrate", verbosity=0, interactive=False)
    return True


def collect_static_files() -> bool:
    """Collect the static files if any changed since they were collected, and say whether they were."""
    if not static_files_lag():
        return False
    call_command("collectstatic", verbosity=0, interactive=False)
    _mark().write_text(_fingerprint())
    return True


def _mark() -> Path:
    return Path(settings.STATIC_ROOT) / ".collected"


def _fingerprint() -> str:
    found = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            facts = Path(storage.path(name)).stat()
            found.update(f"{storage.path(name)} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return found.hexdigest()
