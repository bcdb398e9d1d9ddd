"""Runs of `manage.py up` that end with the test."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.up import Up


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[list[Up]]:
    """Runs to be ended after the test, however it ended."""
    started: list[Up] = []
    yield started
    for run in started:
        if run.process.poll() is None:
            run.end(signal.SIGTERM)
