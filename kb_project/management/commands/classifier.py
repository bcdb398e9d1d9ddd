"""`manage.py classifier`: the worker that waits for others, for a container or a service manager."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from kb_project.celery import app
from kb_project.configuration.startup import run_startup_checks
from kb_project.operations.beat_thread import beat_beside
from kb_project.processes.standing_back import stand_back_as_session


class Command(BaseCommand):
    help = (
        "Run the worker that classifies the files of batches, with KB_CLASSIFY_CONCURRENCY threads, sends to "
        "webhooks, checks texts, and has vectors made, until SIGTERM."
    )
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hostname", default="classifier@%h", help="its name among the workers (%(default)s)")
        parser.add_argument("--beat", action="store_true", help="start the periodic tasks too, as a beat does")

    def handle(self, *args: Any, **options: Any) -> None:
        # Reports of checks have addresses: the first need not import every view. With beat it is one machine, on which
        # 30 MB that few use are many.
        run_startup_checks(urls=not options["beat"])
        stand_back_as_session(settings.KB_WORKER_NICE)  # a check of a text takes a processor, and searches go first
        if options["beat"]:
            beat_beside(app)
        # Threads, since most that it does is to wait for others; documents are read in child processes here too.
        arguments = [
            *("worker", "--pool", "threads", "--concurrency", str(settings.KB_CLASSIFIER_THREADS)),
            *("--queues", ",".join(settings.KB_CLASSIFIER_QUEUES), "--hostname", options["hostname"]),
            *("--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"),
        ]
        sys.exit(app.start(arguments))
