"""In how many chunks of a topic a term occurs: the length of its posting lists, which are read on the way.

A chunk is counted once its source is gathered into a segment, and until its segment is compacted after it is gone.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from kb_project.database.rows import Query, Rows
from law.words.term_weights import term_ids
from search.index.postgres.segments import posting_lists
from search.index.postgres.segments.postings import ENTRY_BYTES
from search.ranking.word_query import TermCounts


def count(stems: Sequence[int], *, topic_ids: Sequence[int]) -> Query[TermCounts]:
    """The counts of stems, by their hashes, over some topics. `read` of them are the lists."""
    hashes = np.array(stems, dtype=np.uint64)
    stem_of = {
        (topic_id, term): stem
        for topic_id in topic_ids
        for term, stem in zip(term_ids(hashes, topic_id).tolist(), stems, strict=True)
    }
    asked = posting_lists.ask(stem_of, topic_ids=topic_ids)

    def counted(rows: Rows) -> TermCounts:
        read, by_stem = asked.read(rows), Counter[int]()
        for term, octets in read.octets.items():
            if octets:
                by_stem[stem_of[term]] += octets // ENTRY_BYTES
        return TermCounts(read.chunks, by_stem, read)

    return Query(asked.statement, asked.parameters, counted, binary=asked.binary)
