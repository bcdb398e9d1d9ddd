"""Dense search: the exact scan and the HNSW index agree."""

from __future__ import annotations

import numpy as np
import pytest
from django.db import connection

from search import dense
from search.reembed import index_name
from search.scope import Scope
from search.spaces import active_space
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
    found = dense.search("bank deposit interest", space=space, scope=Scope(topic_id=1), limit=10)
    similarities = [similarity for _, similarity in found]
    assert similarities == sorted(similarities, reverse=True)
    assert all(-1.01 <= similarity <= 1.01 for similarity in similarities)


def test_an_index_under_a_filter_finds_as_many_as_were_asked_for() -> None:
    other = make_topic()
    add_source(*texts(600), topic=other)
    add_source(*texts(12))
    space = active_space()
    scope = Scope(topic_id=1)
    exact = dense.search("bank deposit", space=space, scope=scope, limit=10)
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE INDEX {index_name(space.pk)} ON kb_chunk_embedding"
            f" USING hnsw ((embedding::halfvec({space.dimension})) halfvec_ip_ops) WHERE space_id = {space.pk}"
        )
    vector = dense.query_vector("bank deposit", space=space)
    approximate = dense.approximate(vector, space=space, scope=scope, limit=10)
    assert len(approximate) == 10
    assert {round(similarity, 3) for _, similarity in approximate} == {round(similarity, 3) for _, similarity in exact}
