"""A language is added by one file."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.servers import PROJECT

pytestmark = pytest.mark.deep

OUTER_RUN = ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID", "PYTEST_ADDOPTS")


def test_its_sections_citations_stop_words_and_dates_are_read(tmp_path: Path) -> None:
    """In a process of its own: patterns are made of the languages' words when modules are imported."""
    environment = {name: value for name, value in os.environ.items() if name not in OUTER_RUN}
    environment["DATABASE_URL"] = urlunsplit(urlsplit(environment["DATABASE_URL"])._replace(path="/toy"))
    # Files apart: it would close the folder of this run for the user that Postgres runs as.
    plugins = ("--basetemp", str(tmp_path / "own"), "-p", "no:cacheprovider", "-p", "tests.law.languages.toy")
    command = [sys.executable, "-m", "pytest", *plugins, "tests/journeys/third_language_checks.py"]
    run = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stdout + run.stderr
