"""What must hold in the term statistics; checked after what a repair of chunks may change (`search.apps`)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.integrity.registry import Check, Finding, query, register
from search.index.postgres import statistics

WRONG_STATISTICS = """
WITH counted AS (
    SELECT c.topic_id, t.term, count(*) AS df FROM kb_chunk c, unnest(c.term_ids) AS t(term) GROUP BY 1, 2
), kept AS (
    SELECT topic_id, term, sum(df) AS df FROM (
        SELECT topic_id, term, df FROM kb_term
        UNION ALL
        SELECT d.topic_id, change.term, change.n FROM kb_term_delta d, unnest(d.terms, d.counts) AS change(term, n)
    ) AS every GROUP BY 1, 2 HAVING sum(df) <> 0
), wrong_terms AS (
    SELECT topic_id, count(*) AS n FROM counted FULL JOIN kept USING (topic_id, term)
    WHERE counted.df IS DISTINCT FROM kept.df GROUP BY topic_id
), totals AS (
    SELECT topic_id, coalesce(kept.chunks, 0) AS kept, coalesce(counted.chunks, 0) AS counted
    FROM (SELECT topic_id, count(*) AS chunks FROM kb_chunk GROUP BY topic_id) AS counted
    FULL JOIN (
        SELECT topic_id, sum(chunks) AS chunks FROM (
            SELECT topic_id, chunks FROM kb_topic_stat UNION ALL SELECT topic_id, chunks FROM kb_term_delta
        ) AS every GROUP BY topic_id
    ) AS kept USING (topic_id)
)
SELECT topic_id, coalesce(wrong_terms.n, 0), coalesce(totals.kept, 0), coalesce(totals.counted, 0)
FROM wrong_terms FULL JOIN totals USING (topic_id)
WHERE wrong_terms.n > 0 OR totals.kept <> totals.counted ORDER BY topic_id
"""


def find_wrong_statistics() -> Iterator[Finding]:
    for topic_id, terms, kept, real in query(WRONG_STATISTICS):
        detail = gettext_noop("Terms that are counted wrong: %(terms)d. It has %(real)d chunks and counts %(kept)d.")
        yield Finding(f"topic {topic_id}", detail, {"terms": terms, "kept": kept, "real": real}, key=topic_id)


def rebuild_statistics(finding: Finding) -> None:
    statistics.rebuild(finding.key)


register(
    Check(
        name="term_statistics",
        meaning=_("Each topic's document frequencies are those of its chunks, with what is not folded in yet."),
        find=find_wrong_statistics,
        repair=rebuild_statistics,
    )
)
