"""Sources that begin nearly as a text does: the index finds them by the words, then their own texts are compared."""

from collections.abc import Sequence

from kb_project.database.rows import fetch
from law.words.analysis import terms
from law.words.fingerprints import CHARACTERS, fingerprint, similarity
from search.retrieval.word_search import best_passages
from sources.scope import Scope

WORDS = 150  # of the beginning, by which the index finds passages
PASSAGES = 30
_BEGINNINGS = """
SELECT source_id, left(string_agg(gap || text, '' ORDER BY seq), %(characters)s::int) FROM kb_chunk
WHERE source_id = ANY(%(sources)s::bigint[]) AND span_start < %(characters)s::int GROUP BY source_id
"""
_SOURCES = "SELECT DISTINCT source_id FROM kb_chunk WHERE id = ANY(%s::bigint[])"


def near_duplicates(text: str, *, topic_id: int, least: float) -> dict[int, float]:
    """The sources of a topic whose similarity to a text is at least that, by their ids."""
    own = fingerprint(text)
    if not own.size:
        return {}
    passages = best_passages(terms(text[:CHARACTERS])[:WORDS], scope=Scope(topic_id=topic_id), limit=PASSAGES)
    sources = [source_id for (source_id,) in fetch(_SOURCES, [[chunk_id for chunk_id, _ in passages]])]
    shares = {pk: similarity(own, fingerprint(text)) for pk, text in beginnings(sources).items()}
    return {source_id: share for source_id, share in shares.items() if share >= least}


def beginnings(source_ids: Sequence[int], *, characters: int = CHARACTERS) -> dict[int, str]:
    """The first characters of sources, by their ids."""
    return dict(fetch(_BEGINNINGS, {"sources": list(source_ids), "characters": characters}))
