"""Passages and questions without a database."""

from collections.abc import Sequence
from typing import Any

from answers.writing.protocol import AnswerRequest
from law.words.analysis import terms
from law.words.spellings import SpelledWords
from search.ranking.term_coverage import Weights, query_weights
from search.results import Match, SearchHit, SourceCard

SOURCE = SourceCard(id=5, topic_id=1, kind="law", title="", identifier="", published_at=None, labels=(), work_id=5)


def passage(text: str, *, coverage: float = 0.9, **fields: Any) -> SearchHit:
    fields = {"match": Match.LEXICAL, "chunk_id": 1, "heading": "", "path": (), **fields}
    return SearchHit(
        rank=1,
        score=1.0,
        text=text,
        highlights=(),
        page=None,
        section="",
        eid="",
        span_start=0,
        span_end=len(text),
        source=SOURCE,
        cover=lambda: coverage,
        **fields,
    )


def weights_of(question: str) -> Weights:
    """Every word as rare as the next, as in a topic that has none of them."""
    return query_weights(SpelledWords(terms(question)), frequencies={}, chunks=100)


def asked(question: str, passages: Sequence[SearchHit]) -> AnswerRequest:
    """The question with what its passages cover of it."""
    return AnswerRequest(question=question, passages=tuple(passages), weights=weights_of(question))
