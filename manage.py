#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

from kb_project.processes.beginning import begin


def main() -> None:
    begin()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured

        from kb_project.operations.command_line import CommandLine
    except ImportError:
        sys.exit("Django is not installed here: run `make run`, or `pip install -r requirements.txt`.")
    try:
        CommandLine(sys.argv).execute()
    except ImproperlyConfigured as mistake:
        sys.exit(str(mistake))


if __name__ == "__main__":
    main()
