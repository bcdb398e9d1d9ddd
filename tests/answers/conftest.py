"""A small library, and Claude as a server on this machine."""

from collections.abc import Iterator
from typing import Any

import pytest

from sources.models import Source
from tests.anthropic_server import AnthropicServer, in_place_of_claude
from tests.search.corpus import add_source, section


@pytest.fixture
def law(db: None) -> Source:
    """A law on libraries with two sections, the second of two sentences."""
    return add_source(
        section("2", "זכות השאלה", "כל תושב זכאי לשאול עד חמישה ספרים לתקופה של שלושים ימים."),
        section("3", "איחור", "המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום. הספרן רשאי לפטור מטעמים שיירשמו."),
        title="חוק הספריות הציבוריות לדוגמה",
        identifier="ח-7",
    )


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """The server; queries are expanded by it too, to nothing unless it is told."""
    with in_place_of_claude(settings, monkeypatch) as server:
        settings.KB_EXPANSION_TIMEOUT_S = 20.0  # the SDK is imported by the first call
        yield server
