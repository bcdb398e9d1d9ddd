"""A collector that gets the spans of this process."""

from collections.abc import Iterator

import pytest

from tests.collector import Collector, collecting, recording


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Gets the spans of this process."""
    with collecting() as collector, recording(collector.url):
        yield collector
