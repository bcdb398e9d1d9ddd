"""Whether the passages found can hold an answer at all: below this, silence."""

from __future__ import annotations

from search.answers.protocol import Asked
from search.results import Match

LEAST_COVERAGE = 0.5  # share of the question's weight that one passage holds


def is_answerable(asked: Asked) -> bool:
    """Whether any passage is cited by the question, or holds enough of its words by weight."""
    return any(passage.match is Match.CITATION or passage.coverage >= LEAST_COVERAGE for passage in asked.passages)
