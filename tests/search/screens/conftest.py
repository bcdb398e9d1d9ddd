"""Documents to search, rates to run into, and a model that answers."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from labels import assign
from search.synonyms import editing
from sources.models import Source
from tests.anthropic_server import AnthropicServer, in_place_of_claude
from tests.factories import make_label, make_topic
from tests.search.corpus import add_source, section


@pytest.fixture
def library() -> dict[str, Source]:
    """A law and a circular in the first topic, a law in another."""
    editing.create(topic=None, words=["deposit"], means=["פיקדון"], weight=0, by="test")  # no Hebrew one
    law = add_source(
        section("7", "השבת הפיקדון", "המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים."),
        section("8", "ניכוי", "מותר לנכות מן הפיקדון שכר דירה שלא שולם."),
        title="חוק הגנת השוכר",
        identifier="ח-12",
        published_at=dt.date(2024, 7, 15),
    )
    circular = add_source("A deposit is returned within 21 days.", kind="circular", title="Circular on deposits")
    other = add_source("A deposit of waste needs a permit.", title="Waste law", topic=make_topic(name="Waste"))
    assign.add(law, [make_label("שכירות")], by="test")
    assign.add(circular, [make_label("Rent")], by="test")
    return {"law": law, "circular": circular, "other": other}


@pytest.fixture
def rates(settings: Any) -> Iterator[Any]:
    def set_rates(**given: str) -> None:
        unlimited = {"anon": "", "search": "", "ask": ""}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {**unlimited, **given}}

    cache.clear()
    yield set_rates
    cache.clear()


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with in_place_of_claude(settings, monkeypatch) as server:
        yield server
