#!/usr/bin/env python
"""Longbluff's commands; `manage.py help` lists them."""

import os
import sys

from django.core.management import execute_from_command_line

from config.env import Unusable

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except Unusable as reason:
        sys.exit(str(reason))
