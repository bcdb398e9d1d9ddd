"""Dense search: the exact scan and the HNSW indexes agree."""

from __future__ import annotations

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search import dense
from search.models import EmbeddingSpace
from search.scope import Scope
from search.spaces import active_space
from search.vector_indexes import index_name
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db

WORDS = ["bank", "bridge", "deposit", "harbour", "pilot", "interest", "court", "appeal", "tax", "water"]


def texts(number: int) -> list[str]:
    random = np.random.default_rng(7)
    return [" ".join(random.choice(WORDS, size=6)) for _ in range(number)]


def test_the_nearest_come_first_with_their_similarity() -> None:
    add_source(*texts(50))
    space = active_space()
    found = dense.search(
        dense.query_vector("bank deposit interest", space=space), space=space, scope=Scope(topic_id=1), limit=10
    )
    order = [similarity for _, similarity in found]
    assert order == sorted(order, reverse=True)
    assert all(-1.01 <= similarity <= 1.01 for similarity in order)


def test_passages_that_are_as_near_come_by_number_wherever_their_rows_lie() -> None:
    source = add_source(*["The bank pays interest."] * 40)
    numbers = sorted(source.chunks.values_list("pk", flat=True))
    space = active_space()
    vector = dense.query_vector("bank", space=space)
    with connection.cursor() as cursor:  # an update moves the rows to the end of the table, as a restore may
        cursor.execute("UPDATE kb_chunk_embedding SET topic_id = topic_id WHERE chunk_id = ANY(%s)", [numbers[:20]])
    found = dense.search(vector, space=space, scope=Scope(topic_id=1), limit=10)
    assert [number for number, _ in found] == numbers[:10]


def make_index(topic_id: int, space: EmbeddingSpace) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE INDEX {index_name(space.pk, topic_id)} ON kb_chunk_embedding USING hnsw"
            f" ((embedding::halfvec({space.dimension})) halfvec_ip_ops)"
            f" WHERE space_id = {space.pk} AND topic_id = {topic_id}"
        )


def plan_of(statement: str) -> str:
    """The plan of a SELECT that ran among other statements of its string."""
    select = next(part for part in statement.split(";") if part.strip().startswith("SELECT"))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN {select}")
        return "\n".join(row[0] for row in cursor.fetchall())


def similarities(found: dense.Nearest) -> list[float]:
    return [round(similarity, 3) for _, similarity in found]


SCOPES = [
    Scope(topic_id=1),
    Scope(topic_id=1, kinds=("circular",)),
    Scope(topic_id=None),
    Scope(topic_id=None, kinds=("regulation", "circular")),
]


def test_a_passage_is_as_near_whether_it_was_found_or_asked_for() -> None:
    add_source(*texts(20))
    space = active_space()
    vector = dense.query_vector("bank deposit", space=space)
    found = dict(dense.exact(vector, space=space, scope=Scope(topic_id=1), limit=20))
    assert dict(dense.similarities(vector, space=space, chunk_ids=[*found, 10**9])) == pytest.approx(found)


@pytest.mark.parametrize("scope", SCOPES)
def test_indexes_of_large_topics_find_what_comparing_all_does(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(400))
    add_source(*texts(40), kind="circular")
    add_source(*texts(30), topic=make_topic())
    space = active_space()
    expected = dense.search(dense.query_vector("bank deposit", space=space), space=space, scope=scope, limit=20)
    make_index(1, space)
    monkeypatch.setattr(dense, "EXACT_UP_TO", 0)
    with CaptureQueriesContext(connection) as asked:
        found = dense.search(dense.query_vector("bank deposit", space=space), space=space, scope=scope, limit=20)
    assert similarities(found) == similarities(expected)
    nearest = next(query["sql"] for query in asked if "AS nearest" in query["sql"])
    assert index_name(space.pk, 1) in plan_of(nearest)


def test_a_filter_that_the_index_cannot_satisfy_loses_no_results(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(600))
    add_source(*["water tax appeal"] * 12, kind="circular")
    space = active_space()
    make_index(1, space)
    monkeypatch.setattr(dense, "EXACT_UP_TO", 0)
    monkeypatch.setattr(dense, "MOST_SCANNED", 1)
    found = dense.search(
        dense.query_vector("bank deposit interest", space=space),
        space=space,
        scope=Scope(topic_id=1, kinds=("circular",)),
        limit=12,
    )
    assert len(found) == 12


def test_sorting_is_as_before_after_a_search_inside_a_transaction() -> None:
    add_source(*texts(3))
    dense.search(
        dense.query_vector("bank", space=active_space()), space=active_space(), scope=Scope(topic_id=1), limit=2
    )
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_sort")
        assert cursor.fetchone() == ("on",)
