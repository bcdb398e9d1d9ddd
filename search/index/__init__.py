"""The index: passages are published into it and withdrawn, and found by their words and by their meaning.

`engine()` is the one in use. Which engine that is, and how it works, is nobody else's business.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from search.index.postgres.engine import PostgresIndex
from search.index.protocol import IndexContext, Matches, Nearest, NearestSearch, Progress, SearchIndex, StagedChunks

__all__ = [
    "IndexContext",
    "Matches",
    "Nearest",
    "NearestSearch",
    "Progress",
    "SearchIndex",
    "StagedChunks",
    "engine",
    "using",
]

_engine: SearchIndex = PostgresIndex()


def engine() -> SearchIndex:
    """The engine in use."""
    return _engine


@contextmanager
def using(other: SearchIndex) -> Iterator[None]:
    """Have another engine in this process, until the end."""
    global _engine
    before, _engine = _engine, other
    try:
        yield
    finally:
        _engine = before
