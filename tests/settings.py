"""The settings of the tests: the real ones, over a data folder of their own."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "LONGBLUFF_TEST_DATA" not in os.environ:
    # Only the first process makes the folder and clears it away; workers of the same run inherit it.
    os.environ["LONGBLUFF_TEST_DATA"] = tempfile.mkdtemp(prefix="longbluff-tests-")
    atexit.register(shutil.rmtree, os.environ["LONGBLUFF_TEST_DATA"], ignore_errors=True)
os.environ["DATA_DIR"] = os.environ["LONGBLUFF_TEST_DATA"]
os.environ.setdefault("LOG_LEVEL", "WARNING")

from config.settings import *  # noqa: F403 - the real settings, with a few changed below
from config.settings import DATABASES, STORAGES

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A real file: connections of several threads in one shared memory would lock each other out.
    DATABASES["default"]["TEST"] = {"NAME": Path(os.environ["DATA_DIR"]) / "test.sqlite3"}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
# No collected files to look names up in.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True
# Cleared before every test, and so never a Redis that might belong to somebody.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
