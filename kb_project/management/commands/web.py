"""`manage.py web`: the web server alone, for a container or a service manager. `manage.py up` starts all there is."""

import os
from argparse import ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from kb_project.configuration.startup import run_startup_checks
from kb_project.processes import scratch
from kb_project.web import web_server

HIGHEST_PORT = 65_535


def port(text: str) -> int:
    """A port to listen on. 0 is any that is free. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal() and int(text) <= HIGHEST_PORT:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is no port: a number from 0 to {HIGHEST_PORT}")


class Command(BaseCommand):
    help = "Run the web server with KB_WEB_PROCESSES processes until SIGTERM."
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=settings.KB_BIND, help="address to listen on (KB_BIND)")
        parser.add_argument("--port", default=settings.KB_PORT, type=port, help="port to listen on (KB_PORT)")
        parser.add_argument(
            "--leave",
            default=settings.KB_WEB_LEAVE_S,
            type=float,
            help="seconds after SIGTERM in which connections are still taken (KB_WEB_LEAVE_S)",
        )
        parser.add_argument(
            "--grace",
            default=settings.KB_WEB_GRACE_S,
            type=float,
            help="seconds after that for requests and streams under way (KB_WEB_GRACE_S)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        run_startup_checks()
        command = web_server.command(
            host=options["host"],
            port=options["port"],
            processes=settings.KB_WEB_PROCESSES,
            leave_s=options["leave"],
            grace_s=options["grace"],
            proxies=settings.KB_TRUSTED_PROXIES,
        )
        if not os.environ.get(web_server.METRICS_DIRECTORY):
            os.environ[web_server.METRICS_DIRECTORY] = str(scratch.directory_for_life("metrics"))
        os.execv(command[0], command)
