"""A command on the embedded database while the service is stopped, and so its Postgres too."""

import os
import subprocess
import sys

from django.conf import settings
from django.core.management.base import CommandError

from kb_project.configuration.startup import run_startup_checks
from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.postgres import Postgres
from kb_project.operations.local_stack.supervisor import Supervisor


def run_with_database() -> bool:
    """Run this very command again beside the embedded Postgres if that is at rest, and stop it afterwards.

    False, and nothing done, when there is a database to talk to: an outside one, or that of a running stack. Raises
    CommandError when the server does not start, or when the command failed, which has then said why itself.
    """
    run_startup_checks()  # else a mistyped DATABASE_URL would lead to the embedded database
    if settings.EXTERNAL_DATABASE_URL:
        return False
    directory = DataDirectory(settings.DATA_DIR)
    supervisor = Supervisor()
    try:
        with directory.locked():
            try:
                url = Postgres(directory=directory.postgres, log=directory.log("postgres")).start(supervisor)
                code = subprocess.run([sys.executable, *sys.argv], env={**os.environ, "DATABASE_URL": url}).returncode
            finally:
                supervisor.stop()
    except CannotStart as refusal:
        if directory.noted():
            return False  # the stack runs, and the settings have its address
        raise CommandError(str(refusal)) from refusal
    if code:
        raise CommandError("It was not done; see above.", returncode=code)
    return True
