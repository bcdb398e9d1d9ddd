"""LlamaIndex's PGVectorStore in hybrid mode, as a program of its own: its packages are not those of the service.

Reads a task as JSON from standard input and writes the answers as the last line of standard output. The table is its
own, in the same server; the rows and vectors are the service's. They are copied in SQL, which is faster than its `add`
and gives the same rows but for a copy of each node that it would keep in the metadata.
"""

import json
import sys
import time
from typing import Any
from urllib.parse import urlsplit

try:
    import psycopg2
    from llama_index.core.vector_stores import MetadataFilter, MetadataFilters, VectorStoreQuery
    from llama_index.core.vector_stores.types import VectorStoreQueryMode
    from llama_index.vector_stores.postgres import PGVectorStore
except ImportError:
    sys.exit(3)

NAME = "bench_chunks"
DIMENSION = 384
TABLE = f"public.data_{NAME}"  # as the store names it
HNSW = {"hnsw_m": 16, "hnsw_ef_construction": 64, "hnsw_ef_search": 40, "hnsw_dist_method": "halfvec_cosine_ops"}
WANTED = """
    FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id JOIN kb_topic t ON t.id = c.topic_id
    JOIN kb_chunk_embedding e ON e.chunk_id = c.id
    JOIN kb_embedding_space space ON space.id = e.space_id AND space.active
    WHERE t.slug LIKE 'scale-%'
"""
FILL = f"""
    TRUNCATE {TABLE};
    INSERT INTO {TABLE} (text, metadata_, node_id, embedding)
    SELECT s.title || E'\\n' || c.text,
           jsonb_build_object('topic', 'topic ' || c.topic_id, 'source_id', c.source_id, 'section', c.section),
           c.id::text, e.embedding
    {WANTED} ORDER BY c.id
"""


def main() -> None:
    task = json.load(sys.stdin)
    _fill(task["database_url"])
    store = _store(task["database_url"], hnsw=HNSW)
    filters = MetadataFilters(filters=[MetadataFilter(key="topic", value=f"topic {task['topic_id']}")])

    def answers() -> list[tuple[float, list[tuple[int, str]]]]:
        return [_answer(store, query, limit=task["limit"], filters=filters) for query in task["queries"]]

    answers()  # all systems are asked twice, and the second time counts
    print(json.dumps(answers()))


def _answer(
    store: PGVectorStore, query: dict[str, Any], *, limit: int, filters: MetadataFilters
) -> tuple[float, list[tuple[int, str]]]:
    """Milliseconds, and all that it found: up to `limit` by meaning and then as many by words."""
    started = time.perf_counter()
    result = store.query(
        VectorStoreQuery(
            query_embedding=query["vector"],
            query_str=query["text"],
            similarity_top_k=limit,
            sparse_top_k=limit,
            mode=VectorStoreQueryMode.HYBRID,
            filters=filters,
        )
    )
    took_ms = (time.perf_counter() - started) * 1000
    return took_ms, [(node.metadata["source_id"], node.metadata["section"]) for node in result.nodes or ()]


def _store(database_url: str, *, hnsw: dict[str, Any] | None) -> PGVectorStore:
    url = urlsplit(database_url)
    return PGVectorStore.from_params(
        host=url.hostname,
        port=str(url.port),
        database=url.path.lstrip("/"),
        user=url.username,
        password=url.password,
        table_name=NAME,
        embed_dim=DIMENSION,
        hybrid_search=True,
        text_search_config="simple",
        use_jsonb=True,
        use_halfvec=True,  # as the service keeps them
        hnsw_kwargs=None if hnsw is None else dict(hnsw),
        indexed_metadata_keys={("topic", "text")},
        # Enough to build the graph in memory, as its users would grant it.
        create_engine_kwargs={"connect_args": {"options": "-c maintenance_work_mem=2GB"}},
    )


def _fill(database_url: str) -> None:
    """Make the table unless it has as many rows as there are chunks."""
    started = time.monotonic()
    connection = psycopg2.connect(database_url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [TABLE])
        if cursor.fetchone()[0]:
            cursor.execute(f"SELECT (SELECT count(*) {WANTED}) = (SELECT count(*) FROM {TABLE})")
            if cursor.fetchone()[0]:
                return
            cursor.execute(f"DROP TABLE {TABLE}")
        _store(database_url, hnsw=None).query(VectorStoreQuery(query_embedding=[1.0] * DIMENSION))  # makes the table
        cursor.execute(FILL)
        _store(database_url, hnsw=HNSW).query(VectorStoreQuery(query_embedding=[1.0] * DIMENSION))  # and its index
        cursor.execute(f"VACUUM ANALYZE {TABLE}")
    connection.close()
    print(f"PGVectorStore's table was filled in {time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
