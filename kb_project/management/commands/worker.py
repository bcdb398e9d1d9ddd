"""`manage.py worker`: the worker that reads and indexes documents, for a container or a service manager."""

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from kb_project.configuration.startup import run_startup_checks
from kb_project.operations.forked_workers import ForkedPrograms
from kb_project.operations.worker_process import WORKER, load_all, run_classifier, run_worker


class Command(BaseCommand):
    help = "Run the worker that reads and indexes documents, with as many processes as wanted, until SIGTERM."
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hostname", default=WORKER, help="its name among the workers (%(default)s)")
        parser.add_argument("--concurrency", type=int, help="processes (KB_WORKER_CONCURRENCY)")
        parser.add_argument(
            "--with-classifier", action="store_true", help="run a classifier with beat too, which shares its memory"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        run_startup_checks()
        worker = partial(run_worker, hostname=options["hostname"], concurrency=options["concurrency"])
        if not options["with_classifier"]:
            worker()
        load_all()
        ForkedPrograms({"worker": worker, "classifier": partial(run_classifier, with_beat=True)}).run()
