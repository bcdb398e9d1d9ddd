"""Rerankers behind one protocol: the one that the settings name."""

from functools import lru_cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from search.rerankers import http, sentence_transformers
from search.rerankers.protocol import Reranker

__all__ = ["Reranker", "configured"]


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
