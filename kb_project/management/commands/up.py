"""`manage.py up`: the whole service on this machine, servers and all, until Ctrl-C."""

import signal
import sys
from typing import Any

from django.core.management.base import BaseCommand

from kb_project.configuration.startup import SETTINGS, run_startup_checks
from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.stack import Stack

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    help = "Start the whole service on this machine, with a Postgres and a Redis of its own; Ctrl-C stops it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        run_startup_checks(of=SETTINGS)  # the programs look at all else when they start
        stack = Stack(report=self._report)
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: stack.request_stop())
        try:
            stack.run()
        except CannotStart as refusal:
            self.stderr.write(str(refusal))
            sys.exit(1)

    def _report(self, label: str, text: str) -> None:
        self.stdout.write(f"{label:<15} {text}")
        self.stdout.flush()
