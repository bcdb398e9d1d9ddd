"""Document frequencies are the lengths of posting lists: they lag and come right."""

import pytest
from django.db import transaction

from law.words.analysis import terms
from search.index import IndexContext, engine
from search.models import Segment
from search.ranking.word_query import TermCounts
from search.retrieval import Scope, retrieve
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source, passage

pytestmark = pytest.mark.django_db


def counts(word: str, topic_id: int | None) -> TermCounts:
    return engine().count([term.stem_hash for term in terms(word)], scope=Scope(topic_id=topic_id)).fetch()


def frequency(word: str, topic_id: int | None) -> int:
    found = counts(word, topic_id)
    return sum(found.by_stem.values())


def test_search_works_before_anything_is_counted() -> None:
    source = make_source(title="")
    context = IndexContext(topic_id=source.topic_id, kind="law", title="")
    with engine().stage([passage("the bank pays interest")], context=context) as staged:
        engine().publish(staged, source=source)
    assert counts("interest", source.topic_id) == TermCounts(0, {})
    assert retrieve("interest", scope=Scope(topic_id=source.topic_id)).hits


def test_other_words_are_looked_for_before_they_are_counted() -> None:
    """`תקף` is in no passage, and the one with `תוקפו` is in no segment yet."""
    add_source("רישיון יינתן בכתב.")
    source = make_source(title="")
    context = IndexContext(topic_id=source.topic_id, kind="law", title="")
    with engine().stage([passage("רישיון יעמוד בתוקפו שלוש שנים.")], context=context) as staged:
        engine().publish(staged, source=source)
    first = retrieve("כמה זמן הרישיון תקף?", scope=Scope(topic_id=source.topic_id)).hits[0]
    assert first.source.id == source.pk


def test_a_term_is_counted_once_for_each_chunk_that_holds_it() -> None:
    source = add_source("bank bank bank", "a bank", "nothing here")
    assert frequency("bank", source.topic_id) == 2
    assert counts("bank", source.topic_id).chunks == 3
    assert frequency("river", source.topic_id) == 0


def test_words_of_the_title_count_for_every_chunk() -> None:
    source = add_source("one", "two", title="Deposits Act")
    assert frequency("deposits", source.topic_id) == 2


def test_topics_are_counted_apart_and_together() -> None:
    one, other, third = make_topic(), make_topic(), make_topic()
    add_source("bank", topic=one)
    add_source("bank", "bank", topic=other)
    assert [frequency("bank", topic.pk) for topic in (one, other, third)] == [1, 2, 0]
    assert counts("bank", None).chunks == frequency("bank", None) == 3


def test_a_withdrawn_chunk_counts_until_compaction() -> None:
    gone = add_source(*["bank"] * 5)
    add_source("bank")
    with transaction.atomic():
        engine().withdraw(gone.pk)
    engine().maintain(thorough=True)
    assert counts("bank", 1) == TermCounts(1, {terms("bank")[0].stem_hash: 1})


def test_a_segment_that_cannot_be_read_counts_nothing() -> None:
    add_source("bank")
    Segment.objects.update(damaged=True)
    assert counts("bank", 1) == TermCounts(0, {})
