"""`manage.py up`: the whole service on this machine, servers and all, until Ctrl-C."""

import os
import signal
import sys
import traceback
from typing import Any

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.stack import Stack

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    help = "Start the whole service on this machine, with a Postgres and a Redis of its own; Ctrl-C stops it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        _require_sound_settings()
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


def _require_sound_settings() -> None:
    """Exit with a sentence for each mistake. The programs look at all else when they start.

    In a process that ends: this one lives as long as the service, and needs none of the 20 MB of models.
    """
    if child := os.fork():
        if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(code)
        return
    code = 1
    try:
        django.setup()
        from kb_project.configuration.startup import SETTINGS, run_startup_checks

        run_startup_checks(of=SETTINGS)
        code = 0
    except ImproperlyConfigured as mistake:
        print(mistake, file=sys.stderr)
    except Exception:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
