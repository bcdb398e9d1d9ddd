"""`manage.py up`: the whole service on this machine, servers and all, until Ctrl-C."""

from __future__ import annotations

import signal
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from kb_project.configuration.startup import refuse_mistakes
from kb_project.embedded import CannotStart
from kb_project.embedded.stack import Options, Stack

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    help = "Start the whole service on this machine, with a Postgres and a Redis of its own; Ctrl-C stops it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_mistakes()
        stack = Stack(self._options(), report=self._report)
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: stack.request_stop())
        try:
            stack.run()
        except CannotStart as refusal:
            self.stderr.write(str(refusal))
            sys.exit(1)

    def _options(self) -> Options:
        return Options(
            project=settings.BASE_DIR,
            data=settings.DATA_DIR,
            bind=settings.KB_BIND,
            port=settings.KB_PORT,
            web_processes=settings.KB_WEB_PROCESSES,
            concurrency=settings.KB_WORKER_CONCURRENCY,
            classify_concurrency=settings.KB_CLASSIFY_CONCURRENCY,
            demo=settings.KB_DEMO,
            pool_size=settings.KB_DB_POOL_SIZE,
            trusted_proxies=tuple(settings.KB_TRUSTED_PROXIES),
            database_url=settings.EXTERNAL_DATABASE_URL,
            redis_url=settings.EXTERNAL_REDIS_URL,
            https=settings.KB_HTTPS,
        )

    def _report(self, label: str, text: str) -> None:
        self.stdout.write(f"{label:<15} {text}")
        self.stdout.flush()
