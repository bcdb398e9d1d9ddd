"""Queries of a topic: every style, a fixed sample, and answers that the service can find."""

from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Length

from bench.scale.index_size import measure_index_size
from bench.scale.laws import Corpus
from bench.scale.orders import COMMON, RARE, Order
from bench.scale.queries import STYLES, queries_of_topic
from bench.scale.recall import measure_dense
from bench.scale.scopes import filters_of, three_sizes, topics_by_size
from bench.scale.stored_laws import make_topics, store
from search.index import engine
from search.retrieval import retrieve
from sources.models import Chunk, Source
from sources.scope import Scope

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def database_url() -> str:
    """The test's own database, for what reads it beside Django."""
    return f"{settings.DATABASE_URL.rpartition('/')[0]}/{connection.settings_dict['NAME']}"


@pytest.fixture
def topics(corpus: Corpus, data_sets: Path) -> dict[int, int]:
    """Two topics of twelve laws and of one."""
    topic_ids, label_ids = make_topics(2)
    for place, count in ((0, 12), (1, 1)):
        for number in range(count):
            labels = (label_ids[COMMON],) if number else (label_ids[COMMON], label_ids[RARE])
            outline = corpus.outline(place, number, most_sections=99).numbered(number + 1)
            store(Order(data_sets, topic_ids[place], place, number, outline, labels))
    engine().maintain()
    return topic_ids


def test_every_style_is_there_and_most_sections_are_found(topics: dict[int, int], database_url: str) -> None:
    queries = queries_of_topic(database_url, topic_id=topics[0], count=60)
    assert queries == queries_of_topic(database_url, topic_id=topics[0], count=60)
    assert set(Counter(query.style for query in queries)) == set(STYLES)
    cited = [query for query in queries if query.style == "formal" and query.gold]
    found = 0
    for query in cited:
        first = retrieve(query.text, scope=Scope(topic_id=topics[0]), limit=1).hits[0]
        found += (first.source.id, first.section) == query.gold
    assert cited
    assert found == len(cited)


def test_topics_come_by_size_and_filters_name_what_is_there(topics: dict[int, int], database_url: str) -> None:
    found = topics_by_size(database_url)
    assert [topic.topic_id for topic in found] == [topics[0], topics[1]]
    assert three_sizes(found)["smallest"].topic_id == topics[1]
    bodies = {filtered.name: filtered.body for filtered in filters_of(database_url, topic_id=topics[0])}
    rare = Source.objects.get(topic_id=topics[0], labels__pk=bodies["label, rare"]["label_id"])
    assert rare.labels.filter(name=RARE).exists()
    largest = Source.objects.filter(topic_id=topics[0]).order_by("-chunk_count", "pk")[0]
    assert bodies["one source"] == {"topic_id": topics[0], "source_id": largest.pk}


def test_small_topics_are_searched_exactly(topics: dict[int, int], database_url: str) -> None:
    dense = measure_dense(database_url, queries=12)
    assert {(row.recall, row.missing) for row in dense} == {(1.0, 0)}
    assert dense[-1].chunks == Chunk.objects.count()


def test_text_and_vectors_are_weighed_apart(topics: dict[int, int], database_url: str) -> None:
    size = measure_index_size(database_url)
    assert size.chunks == Chunk.objects.count()
    (characters,) = Chunk.objects.aggregate(all=Sum(Length("text"))).values()
    assert size.text_and_terms > characters
    assert size.vectors
