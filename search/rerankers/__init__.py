"""Rerankers behind one protocol: the one that the settings name."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from kb_project.llm.protocol import ModelKey
from search.rerankers import http, sentence_transformers

__all__ = ["Reranker", "configured"]


class Reranker(Protocol):
    """A model that reads a query and a passage together."""

    @property
    def key(self) -> ModelKey: ...

    def scores(self, query: str, texts: Sequence[str], *, timeout_s: float) -> list[float]:
        """How well each text answers the query, in the order of the texts: more is better, on a scale of its own.

        Raises ProviderError when an outside service fails or takes longer than `timeout_s`.
        """
        ...


def configured() -> Reranker | None:
    """The reranker that the settings name, None for `none`."""
    return _make(
        settings.KB_RERANKER, settings.KB_RERANKER_URL, settings.KB_RERANKER_MODEL, settings.KB_RERANKER_API_KEY
    )


@lru_cache(maxsize=8)
def _make(provider: str, url: str, model: str, api_key: str) -> Reranker | None:
    match provider:
        case "none":
            return None
        case http.PROVIDER:
            return http.HttpReranker(url=url, model=model, api_key=api_key)
        case sentence_transformers.PROVIDER:
            return sentence_transformers.CrossEncoderReranker(path=model)
    raise ImproperlyConfigured(f"KB_RERANKER is {provider!r}.")
