"""HNSW indexes: one for each large topic of a space.

One index over all topics would have to walk past the vectors of the others, and under the filter of a small topic
would lose results. A partial index is used only where the statement names its space and topic as constants.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from kb_project.rows import fetch
from search.models import EmbeddingSpace

logger = logging.getLogger(__name__)

HNSW_FROM = 15_000  # vectors of a topic; fewer are compared one by one, which is exact
DROPPED_BELOW = 7_500  # a topic about as large as that should not lose and get its index by turns
MOST_DIMENSIONS = 4000
EF_CONSTRUCTION = 128  # pgvector's default of 64 loses too many of the nearest in a large topic
BUILD_LOCK = 0x6B62686E7377  # an advisory lock key of our own
PREFIX = "kb_chunk_embedding_hnsw_"


def index_name(space_id: int, topic_id: int) -> str:
    return f"{PREFIX}{space_id:d}_{topic_id:d}"


def indexed_topics(space_id: int) -> set[int]:
    """The topics whose vectors in the space have an index that is complete."""
    prefix = f"{PREFIX}{space_id:d}_"
    names = [name for name, valid in _existing() if valid and name.startswith(prefix)]
    return {int(name.removeprefix(prefix)) for name in names}


def maintain(space: EmbeddingSpace, *, most: int | None = None) -> int | None:
    """Build the indexes of topics that have become large, drop those that are of no use; returns how many were built.

    Of the indexes that are missing `most` are built, all if it is None. Searches and publications go on meanwhile.
    Must not run inside a transaction. Does nothing while another process is at it, and returns None.
    """
    with _only_one() as ours:
        if not ours:
            return None
        sizes = dict(
            fetch("SELECT topic_id, count(*) FROM kb_chunk_embedding WHERE space_id = %s GROUP BY topic_id", [space.pk])
        )
        existing = dict(_existing())
        wanted = [] if space.dimension > MOST_DIMENSIONS else [t for t, size in sizes.items() if size >= HNSW_FROM]
        kept = {index_name(space.pk, topic_id) for topic_id, size in sizes.items() if size >= DROPPED_BELOW}
        for name, valid in existing.items():
            # What is not valid was left by a build that was interrupted, since no other build is under way.
            if not valid or (_is_of(name, space.pk) and name not in kept) or not _has_space(name):
                _execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        missing = sorted(topic_id for topic_id in wanted if not existing.get(index_name(space.pk, topic_id)))[:most]
        for topic_id in missing:
            _execute(
                f"CREATE INDEX CONCURRENTLY {index_name(space.pk, topic_id)} ON kb_chunk_embedding"
                f" USING hnsw ((embedding::halfvec({space.dimension:d})) halfvec_ip_ops)"
                f" WITH (ef_construction = {EF_CONSTRUCTION:d})"
                f" WHERE space_id = {space.pk:d} AND topic_id = {topic_id:d}"
            )
        return len(missing)


def drop_of(space_id: int) -> bool:
    """Drop the indexes of a space, as before a bulk load; `maintain` builds them again.

    Must not run inside a transaction. False, and nothing done, while another process is at the indexes.
    """
    with _only_one() as ours:
        for name, _ in _existing() if ours else []:
            if _is_of(name, space_id):
                _execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        return ours


def _existing() -> list[tuple[str, bool]]:
    return [
        (name, valid)
        for name, valid in fetch(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE i.indrelid = 'kb_chunk_embedding'::regclass",
            [],
        )
        if name.startswith(PREFIX)
    ]


def _is_of(name: str, space_id: int) -> bool:
    """Whether it is an index of the space; the first version's, over all topics, had no more than that in its name."""
    return name.removeprefix(PREFIX).split("_")[0] == str(space_id)


def _has_space(name: str) -> bool:
    return EmbeddingSpace.objects.filter(pk=int(name.removeprefix(PREFIX).split("_")[0])).exists()


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def _only_one() -> Iterator[bool]:
    ours = bool(fetch("SELECT pg_try_advisory_lock(%s::bigint)", [BUILD_LOCK])[0][0])
    try:
        yield ours
    finally:
        if ours and not fetch("SELECT pg_advisory_unlock(%s::bigint)", [BUILD_LOCK])[0][0]:
            logger.warning(
                "The lock over the indexes of the embeddings was not this connection's any more: a pooler between this"
                " process and Postgres must not give out connections by transaction."
            )
