"""Servers that end with their test."""

from collections.abc import Iterator

import pytest

from kb_project.operations.local_stack.supervisor import Supervisor


@pytest.fixture
def watched() -> Iterator[Supervisor]:
    watched = Supervisor()
    yield watched
    watched.stop()
