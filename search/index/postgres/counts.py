"""In how many chunks of a topic a term occurs: the length of its posting lists.

A chunk is counted once its source is gathered into a segment, and until its segment is compacted after it is gone.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kb_project.database.rows import Query, Rows
from law.words.term_weights import term_ids
from search.index.postgres.segments.postings import ENTRY_BYTES
from search.ranking.word_query import TermCounts

_COUNT = f"""
SELECT NULL::bigint, NULL::int, COALESCE(sum(chunks), 0)::bigint FROM kb_segment
WHERE topic_id = ANY(%(all)s::bigint[]) AND NOT damaged
UNION ALL
SELECT wanted.topic_id, wanted.term, (sum(octet_length(p.postings)) / {ENTRY_BYTES})::bigint
FROM unnest(%(topics)s::bigint[], %(terms)s::int[]) AS wanted (topic_id, term)
JOIN kb_segment s ON s.topic_id = wanted.topic_id AND NOT s.damaged
JOIN kb_posting p ON p.segment_id = s.id AND p.term = wanted.term
GROUP BY 1, 2
"""


def count(stems: Sequence[int], *, topic_ids: Sequence[int]) -> Query[TermCounts]:
    """The counts of stems, by their hashes, over some topics."""
    hashes = np.array(stems, dtype=np.uint64)
    stem_of = {
        (topic_id, term): stem
        for topic_id in topic_ids
        for term, stem in zip(term_ids(hashes, topic_id).tolist(), stems, strict=True)
    }
    parameters = {
        "all": list(topic_ids),
        "topics": [topic_id for topic_id, _ in stem_of],
        "terms": [term for _, term in stem_of],
    }

    def read(rows: Rows) -> TermCounts:
        chunks, by_stem = 0, Counter[int]()
        for topic_id, term, number in rows:
            if topic_id is None:
                chunks = number
            else:
                by_stem[stem_of[topic_id, term]] += number
        return TermCounts(chunks, by_stem)

    return Query(_COUNT, parameters, read)
