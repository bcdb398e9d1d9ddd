"""Loading: which law comes next, what a stored law is, and that an interrupted loading goes on."""

from pathlib import Path

import pytest

from bench.scale.laws import Corpus
from bench.scale.load import Filling
from bench.scale.orders import COMMON, RARE, IndexedLaw, Order, labels_of
from bench.scale.stored_laws import make_topics, settle, store, stored_numbers
from search.models import FreshSource
from sources.models import Chunk, Source

SECTIONS = 8  # of every law of the corpus


def filling(corpus: Corpus, *, wanted: list[int], there: dict[int, dict[int, int]] | None = None) -> Filling:
    places = range(len(wanted))
    return Filling(
        corpus,
        root=Path(),
        wanted=wanted,
        there=there or {place: {} for place in places},
        topic_ids={place: 100 + place for place in places},
        label_ids={COMMON: 1, RARE: 2},
    )


def fill(filled: Filling, *, most: int = 1000) -> list[Order]:
    """Every order, each stored at once with one chunk for each section."""
    orders: list[Order] = []
    while len(orders) < most and (order := filled.next_order()):
        orders.append(order)
        filled.note(IndexedLaw(order.topic, order.number, SECTIONS), outline=order.outline)
    return orders


def test_topics_grow_together_until_each_is_full(corpus: Corpus) -> None:
    filled = filling(corpus, wanted=[800, 80])
    orders = fill(filled)
    assert filled.stored == {0: 800, 1: 80}
    assert filled.next_order() is None
    places = [order.topic for order in orders]
    assert all(places[start : start + 22].count(1) == 2 for start in range(0, 110, 22))


def test_what_is_in_hand_counts_until_it_is_stored(corpus: Corpus) -> None:
    filled = filling(corpus, wanted=[2 * SECTIONS])
    first, second = filled.next_order(), filled.next_order()
    assert first
    assert second
    assert filled.next_order() is None
    filled.note(IndexedLaw(0, first.number, 1), outline=first.outline)
    assert filled.next_order()  # it had fewer chunks than sections


def test_an_interrupted_loading_stores_the_missing_laws_under_the_same_titles(corpus: Corpus) -> None:
    whole = {order.number: order.outline for order in fill(filling(corpus, wanted=[400]))}
    there = {number: SECTIONS for number in whole if number % 3}
    rest = {order.number: order.outline for order in fill(filling(corpus, wanted=[400], there={0: there}))}
    assert rest == {number: outline for number, outline in whole.items() if number not in there}
    titles = [outline.title for outline in whole.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("number", "labels"), [(0, (1,)), (1, (2,)), (2, ()), (3, (1,)), (201, (1, 2))])
def test_one_label_is_common_and_one_is_rare(number: int, labels: tuple[int, ...]) -> None:
    assert labels_of(number, label_ids={COMMON: 1, RARE: 2}) == labels


@pytest.mark.django_db(transaction=True)
def test_a_stored_law_is_a_source_with_its_chunks_and_labels(corpus: Corpus, data_sets: Path) -> None:
    topic_ids, label_ids = make_topics(1)
    order = Order(data_sets, topic_ids[0], 0, 3, corpus.outline(0, 3, most_sections=99), (label_ids[COMMON],))
    done = store(order)
    source = Source.objects.get(topic_id=topic_ids[0])
    assert (source.title, source.kind, source.chunk_count) == (order.outline.title, order.outline.kind, done.chunks)
    assert Chunk.objects.filter(source=source).exclude(section="").count() == SECTIONS
    assert list(source.labels.values_list("name", "usage_count")) == [(COMMON, 1)]
    assert stored_numbers(topic_ids) == {0: {3: done.chunks}}
    assert make_topics(1) == (topic_ids, label_ids)
    settle()
    assert not FreshSource.objects.exists()
