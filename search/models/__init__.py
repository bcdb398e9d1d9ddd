"""The tables of search.

Most rows are written in SQL. The foreign keys cascade in the database, so that deleting a source can never leave its
chunks behind. Django therefore does nothing on delete.
"""

from search.models.index import (
    Abbreviation,
    ChunkEmbedding,
    Collection,
    CollectionWork,
    EmbeddingSpace,
    FreshSource,
    Posting,
    Segment,
    SegmentCodes,
    VectorSpread,
    VectorWork,
)
from search.models.insights import SearchCount
from search.models.synonyms import Synonym

__all__ = [
    "Abbreviation",
    "ChunkEmbedding",
    "Collection",
    "CollectionWork",
    "EmbeddingSpace",
    "FreshSource",
    "Posting",
    "SearchCount",
    "Segment",
    "SegmentCodes",
    "Synonym",
    "VectorSpread",
    "VectorWork",
]
