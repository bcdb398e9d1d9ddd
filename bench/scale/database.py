"""The database of a data directory: alone while it is loaded, and Django connected to it in processes of their own."""

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.stack import PROJECT
from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.postgres import Postgres
from kb_project.operations.local_stack.supervisor import Supervisor


@contextmanager
def database_alone(folder: Path) -> Iterator[dict[str, str]]:
    """Start the directory's Postgres and nothing else; yields the environment that leads Django to it.

    The rest of the stack would share the cores with the loading. Raises CannotStart.
    """
    directory, supervisor = DataDirectory(folder.resolve()), Supervisor()
    with directory.locked():
        try:
            url = Postgres(directory=directory.postgres, log=directory.log("postgres")).start(supervisor)
            environment = {
                **os.environ,
                "KB_DATA_DIR": str(folder.resolve()),
                "DATABASE_URL": url,
                "LOG_LEVEL": "WARNING",
            }
            yield environment
        finally:
            supervisor.stop()


def manage(*arguments: str, environment: dict[str, str]) -> str:
    """Run a `manage.py` command to its end and return what it printed. Raises CalledProcessError."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def switch_embedder(folder: Path, settings: Mapping[str, str]) -> float:
    """`manage.py reembed` of a stopped stack with these settings, which does only what is missing; its seconds."""
    with database_alone(folder) as environment:
        manage("migrate", "--verbosity", "0", environment=environment)
        started = time.monotonic()
        manage("reembed", environment={**environment, **settings})
        return round(time.monotonic() - started, 1)


def django_processes(count: int, *, environment: dict[str, str]) -> ProcessPoolExecutor:
    """Fresh processes with Django set up for the environment's database."""
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_set_up, initargs=(environment,))


def in_django(function: str, *arguments: Any, environment: dict[str, str], **named: Any) -> Any:
    """Call a function in a process that has Django set up, and wait for what it returns."""
    with django_processes(1, environment=environment) as pool:
        return pool.submit(call, function, *arguments, **named).result()


def call(function: str, *arguments: Any, **named: Any) -> Any:
    """Call `module:function`. Its module is imported only here, as it needs Django from the first line on."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)(*arguments, **named)


def _set_up(environment: dict[str, str]) -> None:
    os.chdir(PROJECT)
    os.environ.update(environment)
    import django  # its settings are read when it is set up

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
    django.setup()
