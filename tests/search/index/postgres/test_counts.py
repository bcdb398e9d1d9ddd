"""Term statistics that lag and come right."""

from __future__ import annotations

import pytest
from django.db import transaction

from kb_project.database.rows import Together
from search.index import IndexContext, publish, stage, withdraw
from search.index.postgres import statistics
from search.models import TermDelta, TermStat, TopicStat
from search.ranking.term_weights import distinct_stems, term_ids
from search.retrieve import Scope, retrieve
from search.text.analysis import terms
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source, passage

pytestmark = pytest.mark.django_db


def frequency(word: str, topic_id: int) -> int:
    ids = term_ids(distinct_stems(terms(word)), topic_id)
    return statistics.ask({topic_id: ids}, Together())()[topic_id].document_frequencies.get(int(ids[0]), 0)


def snapshot() -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    counts = {(row.topic_id, row.term): row.df for row in TermStat.objects.all()}
    return counts, dict(TopicStat.objects.values_list("topic_id", "chunks"))


def test_search_works_before_the_first_fold() -> None:
    source = make_source(title="")
    context = IndexContext(topic_id=source.topic_id, kind="law", title="")
    with stage([passage("the bank pays interest")], context=context) as staged:
        publish(staged, source=source)
    assert not TermStat.objects.exists()
    assert retrieve("interest", scope=Scope(topic_id=source.topic_id)).hits


def test_a_term_is_counted_once_for_each_chunk_that_holds_it() -> None:
    source = add_source("bank bank bank", "a bank", "nothing here")
    assert frequency("bank", source.topic_id) == 2
    nothing = term_ids(distinct_stems([]), source.topic_id)
    assert statistics.ask({source.topic_id: nothing}, Together())()[source.topic_id].chunks == 3


def test_words_of_the_title_count_for_every_chunk() -> None:
    source = add_source("one", "two", title="Deposits Act")
    assert frequency("deposits", source.topic_id) == 2


def test_topics_are_counted_apart() -> None:
    one, other = make_topic(), make_topic()
    add_source("bank", topic=one)
    assert (frequency("bank", one.pk), frequency("bank", other.pk)) == (1, 0)


def test_folding_takes_every_recorded_change_once() -> None:
    source = add_source("bank")
    statistics.record(topic_id=source.topic_id, terms=[1, 2], counts=[5, 6], chunks=7)
    statistics.record(topic_id=source.topic_id, terms=[2, 3], counts=[-1, 4], chunks=-2)
    assert statistics.fold() == 2
    assert statistics.fold() == 0
    assert dict(TermStat.objects.filter(term__in=[1, 2, 3]).values_list("term", "df")) == {1: 5, 2: 5, 3: 4}
    assert TopicStat.objects.get(topic_id=source.topic_id).chunks == 6


def test_one_topic_can_be_folded_alone() -> None:
    one, other = make_topic(), make_topic()
    for topic in (one, other):
        statistics.record(topic_id=topic.pk, terms=[1], counts=[1], chunks=1)
    assert statistics.fold(one.pk) == 1
    assert TermDelta.objects.get().topic_id == other.pk


def test_more_changes_than_one_batch_are_all_folded() -> None:
    topic = make_topic()
    TermDelta.objects.bulk_create(
        TermDelta(topic_id=topic.pk, terms=[1], counts=[1], chunks=1) for _ in range(statistics.FOLDED_AT_ONCE + 1)
    )
    assert statistics.fold() == statistics.FOLDED_AT_ONCE + 1
    assert TermStat.objects.get(topic=topic).df == statistics.FOLDED_AT_ONCE + 1


def test_terms_that_nothing_holds_any_more_are_forgotten() -> None:
    source = add_source("bank")
    with transaction.atomic():
        withdraw(source.pk)
    statistics.fold()
    assert not TermStat.objects.exists()


def test_adding_and_removing_sources_ends_where_counting_afresh_does() -> None:
    sources = [add_source(f"bank number{number} interest", "deposit", title="Act of banks") for number in range(4)]
    with transaction.atomic():
        withdraw(sources[1].pk)
    statistics.fold()
    kept = snapshot()
    statistics.rebuild(sources[0].topic_id)
    assert snapshot() == kept
