"""Which passages are in another language than the query."""

from collections.abc import Collection

from kb_project.database.rows import fetch
from law.languages.scripts import main_language
from search.retrieval.question import Question

_BEGINNINGS = "SELECT id, left(text, 200) FROM kb_chunk WHERE id = ANY(%s::bigint[])"


def in_other_language(question: Question, chunk_ids: Collection[int]) -> frozenset[int]:
    """Those of the chunks whose beginning is in another language than the query."""
    language = main_language(question.parsed.text)
    beginnings = fetch(_BEGINNINGS, [[*chunk_ids]])
    return frozenset(chunk_id for chunk_id, text in beginnings if main_language(text) is not language)
