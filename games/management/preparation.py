"""What has to be in place before the first request: tables in the database, and static files."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def bring_database_up_to_date() -> bool:
    """Migrate if there is anything to migrate, and say whether there was."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", verbosity=0, interactive=False)
    return True


def collect_static_files() -> bool:
    """Collect the static files if any changed since they were collected, and say whether they were."""
    mark = Path(settings.STATIC_ROOT) / ".collected"
    wanted = _fingerprint()
    if mark.exists() and mark.read_text() == wanted:
        return False
    call_command("collectstatic", verbosity=0, interactive=False)
    mark.write_text(wanted)
    return True


def _fingerprint() -> str:
    found = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            facts = Path(storage.path(name)).stat()
            found.update(f"{storage.path(name)} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return found.hexdigest()
