"""The tables of search.

Most rows are written in SQL. The foreign keys cascade in the database, so that deleting a source can never leave its
chunks behind. Django therefore does nothing on delete.
"""

from search.models.answers import AnswerFeedback, AnswerTrace
from search.models.changes import Change, ChangeWork
from search.models.citing import Reference, ReferenceWork, SourceKey
from search.models.evaluation import EvaluationQuestion, EvaluationRun
from search.models.index import (
    ChunkEmbedding,
    Collection,
    CollectionWork,
    EmbeddingSpace,
    FreshSource,
    Posting,
    Segment,
    SegmentCodes,
)
from search.models.insights import SearchCount
from search.models.passages import Chunk, Provision
from search.models.synonyms import Synonym

__all__ = [
    "AnswerFeedback",
    "AnswerTrace",
    "Change",
    "ChangeWork",
    "Chunk",
    "ChunkEmbedding",
    "Collection",
    "CollectionWork",
    "EmbeddingSpace",
    "EvaluationQuestion",
    "EvaluationRun",
    "FreshSource",
    "Posting",
    "Provision",
    "Reference",
    "ReferenceWork",
    "SearchCount",
    "Segment",
    "SegmentCodes",
    "SourceKey",
    "Synonym",
]
