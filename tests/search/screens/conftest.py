"""Rates to run into."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache


@pytest.fixture
def rates(settings: Any) -> Iterator[Any]:
    def set_rates(**given: str) -> None:
        unlimited = {"anon": "", "reading": "", "search": "", "ask": ""}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {**unlimited, **given}}

    cache.clear()
    yield set_rates
    cache.clear()
