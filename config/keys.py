"""The keys of a club that brings none: made once and kept in files that only their owner reads."""

import os
import secrets
import time
from pathlib import Path

from cryptography.fernet import Fernet

from config.env import Unusable

PATIENCE_SECONDS = 2.0
KEY_LENGTH = 44


def kept_secret_key(folder: Path) -> str:
    """Return the key that signs sessions, made on the first call."""
    return _kept(folder / "secret_key", secrets.token_urlsafe(50))


def kept_sealing_keys(folder: Path) -> list[str]:
    """Return the keys that seal dice, one a line in their file; the first one is made on the first call."""
    return _kept(folder / "sealing_keys", Fernet.generate_key().decode()).replace(",", " ").split()


def checked_sealing_keys(keys: list[str]) -> list[str]:
    """Return the same keys, or refuse them all without showing any."""
    for place, key in enumerate(keys, start=1):
        try:
            # Two keys that run together would pass for the first of them, and the other would be lost.
            right = len(key) == KEY_LENGTH
            Fernet(key)
        except ValueError:
            right = False
        if not right:
            raise Unusable(
                f"SEALING_KEYS: key {place} of {len(keys)} is not a Fernet key (44 characters, as"
                " Fernet.generate_key() makes them; several are parted by commas or new lines)."
            )
    return keys


def _kept(path: Path, fresh: str) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        # Of several processes that start at once exactly one makes the file; the others read its key.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    with os.fdopen(handle, "w") as file:
        file.write(fresh + "\n")
        file.flush()
        os.fsync(file.fileno())
    return fresh


def _read(path: Path) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (content := path.read_text("utf-8")).endswith("\n"):
        # Its maker has not finished writing, or died at it.
        if time.monotonic() > deadline:
            raise Unusable(
                f"The key file {path} is not complete (it should end with a new line). Put the key back,"
                " or delete the file if nothing was made with it yet."
            )
        time.sleep(0.01)
    if not content.strip():
        raise Unusable(f"The key file {path} is empty.")
    return content.strip()
