"""After a commit, and only then: who should look again. Nothing here carries what happened."""

from games.live.announcing import announce
from games.live.hints import archive_table, wake_computer

__all__ = ["announce", "archive_table", "wake_computer"]
