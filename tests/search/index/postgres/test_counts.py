"""Document frequencies: the lengths of posting lists, and what is in none yet."""

import pytest
from django.db import transaction

from law.words.analysis import terms
from search.index import engine
from search.index.chunk_store.pending_sources import MAX_COUNTED
from search.models import Segment
from search.ranking.word_query import TermCounts
from search.results import Mode
from search.retrieval import Scope, retrieve
from search.retrieval.planning import build_query_plan, parse_query
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source, publish, section

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def counts(word: str, topic_id: int | None) -> TermCounts:
    return engine().count([term.stem_hash for term in terms(word)], scope=Scope(topic_id=topic_id)).fetch()


def frequency(word: str, topic_id: int | None) -> int:
    found = counts(word, topic_id)
    return sum(found.by_stem.values())


def test_what_is_in_no_segment_yet_is_counted() -> None:
    publish(make_source(title=""), "the bank pays interest", "the bank lends")
    new = counts("bank interest", 1)
    assert new == TermCounts(2, {terms("bank")[0].stem_hash: 2, terms("interest")[0].stem_hash: 1})
    assert new.is_whole
    engine().maintain()
    assert counts("bank interest", 1) == new


def test_of_much_that_is_new_the_newest_is_a_sample() -> None:
    publish(make_source(title=""), "a river")
    publish(make_source(title=""), *["a bank"] * MAX_COUNTED)
    found = counts("bank river", 1)
    assert found == TermCounts(MAX_COUNTED, {terms("bank")[0].stem_hash: MAX_COUNTED})
    assert not found.is_whole


@pytest.mark.parametrize(("query", "headed"), [("zorbic flanges glimmed", "Zorbic"), ("זרבול יגולמם בלילה", "זרבול")])
def test_words_that_are_new_do_not_all_weigh_alike(query: str, headed: str) -> None:
    """Else a heading with one of them, though half of the document has it, comes before what holds them all."""
    add_source(*["the harbour master keeps a register"] * 10)
    source = make_source(title="")
    whole = section("1", "", f"{query}.")
    publish(source, whole, *(section(str(number), headed, f"{headed} {number}.") for number in range(2, 6)))
    assert retrieve(query, scope=TOPIC).hits[0].section == "1"


def test_a_new_word_is_known_so_that_meaning_does_not_outweigh_it() -> None:
    add_source("the bank pays interest")
    publish(make_source(title=""), "zorbic flanges are glimmed")
    assert build_query_plan(parse_query("zorbic flanges"), scope=TOPIC, mode=Mode.HYBRID).words.known_share == 1


def test_other_words_are_looked_for_where_they_are_new() -> None:
    """`תקף` is in no passage, and the one with `תוקפו` is in no segment yet."""
    add_source("רישיון יינתן בכתב.")
    source = make_source(title="")
    publish(source, "רישיון יעמוד בתוקפו שלוש שנים.")
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
