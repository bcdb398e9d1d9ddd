"""Fixtures of the tests of the library."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def nothing_stored_before(empty_store: None) -> None:
    """Each test counts the stored files."""
