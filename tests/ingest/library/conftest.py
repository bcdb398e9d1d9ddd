"""Fixtures of the tests of the library."""

from __future__ import annotations

import pytest

from sources import storage
from tests.ingest.library.documents import stored_keys


@pytest.fixture(autouse=True)
def empty_store() -> None:
    """Tests before left their files, as they share one store."""
    for key in stored_keys():
        storage.delete(key)
