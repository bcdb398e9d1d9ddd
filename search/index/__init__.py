"""The index: passages are published into it and withdrawn, and found by their words and by their meaning.

`engine()` is the one in use. Which engine that is, and how it works, is nobody else's business.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings

from search.index.protocol import (
    IndexContext,
    IndexProgress,
    Matches,
    Nearest,
    NearestSearch,
    SearchIndex,
    StagedChunks,
    Vector,
)

__all__ = [
    "IndexContext",
    "IndexProgress",
    "Matches",
    "Nearest",
    "NearestSearch",
    "SearchIndex",
    "StagedChunks",
    "Vector",
    "engine",
    "named",
    "register_health",
    "using",
]

_replaced: SearchIndex | None = None


def engine() -> SearchIndex:
    """The engine in use: the one that `KB_INDEX` names."""
    return _replaced or named(settings.KB_INDEX)


@cache
def named(name: str) -> SearchIndex:
    """One that `KB_INDEX` can name. Each is imported only where it is used."""
    if name == "qdrant":
        from search.index.qdrant.engine import QdrantIndex

        return QdrantIndex()
    from search.index.postgres.engine import PostgresIndex

    return PostgresIndex()


def register_health() -> None:
    """Have `/readyz` tell of an engine that is a service of its own."""
    if settings.KB_INDEX == "qdrant":
        from search.index.qdrant import checks

        checks.register()


@contextmanager
def using(other: SearchIndex) -> Iterator[None]:
    """Have another engine in this process, until the end."""
    global _replaced
    before, _replaced = _replaced, other
    try:
        yield
    finally:
        _replaced = before
