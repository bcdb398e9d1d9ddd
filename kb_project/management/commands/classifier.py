"""`manage.py classifier`: the worker that classifies, for a container or a service manager."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from kb_project.configuration.startup import refuse_mistakes
from kb_project.processes.workers import classifier_command


class Command(BaseCommand):
    help = "Run the worker that classifies the files of batches, with KB_CLASSIFY_CONCURRENCY threads, until SIGTERM."
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hostname", default="classifier@%h", help="its name among the workers (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_mistakes()
        command = classifier_command(hostname=options["hostname"])
        os.execv(command[0], command)
