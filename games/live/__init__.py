"""After a commit, and only then: who should look again. Nothing here carries what happened."""

from games.live.announcing import announce
from games.live.hints import analyse_table, archive_table, wake_computer

__all__ = ["analyse_table", "announce", "archive_table", "wake_computer"]
