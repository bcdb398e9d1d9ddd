"""Django's SearchRank over the service's chunks; to be imported where Django is set up.

`stored` is the way that Django's documentation advises for many rows: the vector kept in a column, under GIN. `made`
computes it for every row as it goes, like `bench.baselines`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchRank, SearchVector, SearchVectorField
from django.db import connection, models

from bench.baselines import words
from bench.metrics import CUTOFF
from sources.models import Chunk

TABLE = "bench_search_rank"
FILL = f"""
    DROP TABLE IF EXISTS {TABLE};
    CREATE TABLE {TABLE} AS
        SELECT c.id, c.topic_id, c.source_id, c.section, to_tsvector('simple', s.title || ' ' || c.text) AS words
        FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id JOIN kb_topic t ON t.id = c.topic_id
        WHERE t.slug LIKE 'scale-%';
    ALTER TABLE {TABLE} ADD PRIMARY KEY (id);
    CREATE INDEX ON {TABLE} USING gin (words);
    CREATE INDEX ON {TABLE} (topic_id);
    ANALYZE {TABLE}
"""
Answer = tuple[float, list[tuple[int, str]]]  # milliseconds, and (source id, section) of the first ten


class Ranked(models.Model):
    """A chunk with its stored vector, in a table of its own."""

    topic_id = models.BigIntegerField()
    source_id = models.BigIntegerField()
    section = models.TextField()
    words = SearchVectorField()

    objects: models.Manager[Ranked] = models.Manager()

    class Meta:
        app_label = "bench"
        managed = False
        db_table = TABLE

    def __str__(self) -> str:
        return f"{self.source_id} {self.section}"


def fill(chunks: int) -> float:
    """Make the table unless it has this many rows; its seconds, else 0."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [TABLE])
        if cursor.fetchone()[0] and Ranked.objects.count() == chunks:
            return 0.0
        started = time.monotonic()
        cursor.execute(FILL)
        return time.monotonic() - started


def stored(queries: Sequence[str], *, topic_id: int) -> list[Answer]:
    def rank(parsed: Any) -> Any:
        return Ranked.objects.filter(topic_id=topic_id, words=parsed).annotate(rank=SearchRank("words", parsed))

    for query in queries:  # all systems are asked twice, and the second time counts
        _answer(query, rank)
    return [_answer(query, rank) for query in queries]


def made(queries: Sequence[str], *, topic_id: int) -> list[Answer]:
    vector = SearchVector("source__title", "text", config="simple")

    def rank(parsed: Any) -> Any:
        chunks = Chunk.objects.filter(topic_id=topic_id).annotate(vector=vector)
        return chunks.filter(vector=parsed).annotate(rank=SearchRank(vector, parsed))

    return [_answer(query, rank) for query in queries]


def _answer(query: str, rank: Any) -> Answer:
    """Any word of the query, as the documents of another length and wording would else not be found."""
    started = time.perf_counter()
    parsed: Any = SearchQuery(" | ".join(dict.fromkeys(words(query))), config="simple", search_type="raw")
    found = list(rank(parsed).order_by("-rank", "id").values_list("source_id", "section")[:CUTOFF])
    return (time.perf_counter() - started) * 1000, found
