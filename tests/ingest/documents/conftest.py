"""Fixtures of the tests of the library."""

import pytest


@pytest.fixture(autouse=True)
def nothing_stored_before(empty_store: None) -> None:
    """Each test counts the stored files."""
