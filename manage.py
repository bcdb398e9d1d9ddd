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
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed here: run `make run`, or `pip install -r requirements.txt`.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as mistake:
        sys.exit(str(mistake))


if __name__ == "__main__":
    main()
