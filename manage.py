#!/usr/bin/env python
"""Run Django's command line for Fundamento."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db.utils import Error

from config.postgres import DatabaseUnusable
from config.postgres.fitness import failure


def main() -> None:
    """Run a command; an unusable database is one sentence and exit code 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except DatabaseUnusable as error:
        sys.exit(f"Error: {error}.")
    except Error as error:
        if not (reason := failure(error)):
            raise
        sys.exit(f"Error: {reason}.")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
