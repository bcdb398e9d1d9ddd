"""`manage.py classifier`: the worker that waits for others, for a container or a service manager."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from kb_project.configuration.startup import run_startup_checks
from kb_project.operations.worker_process import CLASSIFIER, run_classifier


class Command(BaseCommand):
    help = (
        "Run the worker that classifies the files of batches, with KB_CLASSIFY_CONCURRENCY threads, sends to "
        "webhooks, checks texts, fills tables, and has vectors made, until SIGTERM."
    )
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hostname", default=CLASSIFIER, help="its name among the workers (%(default)s)")
        parser.add_argument("--beat", action="store_true", help="start the periodic tasks too, as a beat does")

    def handle(self, *args: Any, **options: Any) -> None:
        # Reports of checks have addresses: the first need not import every view. With beat it is one machine, on which
        # 30 MB that few use are many.
        run_startup_checks(urls=not options["beat"])
        run_classifier(hostname=options["hostname"], with_beat=options["beat"])
