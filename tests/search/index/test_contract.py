"""What any index must do, shown on each implementation: the one in Postgres, and one that scores everything."""

import itertools
import math
from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest
from django.db import connection, transaction

from kb_project.errors import NotFound
from labels import assign
from law.words.analysis import terms
from law.words.spellings import SpelledWords
from law.words.term_weights import BODY, K1, B
from search.index import IndexContext, engine
from search.ranking.word_query import TermCounts, content_words
from sources.models import Chunk, Source
from sources.scope import Scope
from tests.factories import make_label, make_source, make_topic
from tests.search.corpus import add_source, passage, publish
from tests.search.searching import by_words, nearest, vector_of, weighed

TOPIC = Scope(topic_id=1)


def texts(query: str, scope: Scope = TOPIC, *, limit: int = 50) -> set[str]:
    found = [chunk_id for chunk_id, _ in by_words(query, scope, limit=limit)]
    return set(Chunk.objects.filter(pk__in=found).values_list("text", flat=True))


def meant(query: str, scope: Scope = TOPIC, *, limit: int = 50) -> set[str]:
    found = [chunk_id for chunk_id, _ in nearest(vector_of(query), scope, limit=limit).ranking]
    return set(Chunk.objects.filter(pk__in=found).values_list("text", flat=True))


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_published_text_is_found_at_once_and_after_maintenance() -> None:
    source = make_source(title="")
    publish(source, "water of the river", "tax on land")
    for thorough in (None, False, True):
        if thorough is not None:
            engine().maintain(thorough=thorough)
        assert texts("river") == {"water of the river"}
        assert meant("tax on land", limit=1) == {"tax on land"}
    source.refresh_from_db()
    assert source.chunk_count == 2


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_what_is_published_again_is_found_in_place_of_what_was() -> None:
    source = add_source("water of the river", "tax on land")
    publish(source, "water of the sea")
    assert texts("water tax") == meant("water") == {"water of the sea"}
    source.refresh_from_db()
    assert source.chunk_count == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("index")
def test_withdrawals_and_publications_hold_once_committed() -> None:
    kept, gone = add_source("water of the river"), add_source("water of the sea")
    other = connection.copy()

    def seen_by_others() -> int:
        with other.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM kb_chunk WHERE source_id = ANY(%s)", [[kept.pk, gone.pk]])
            return int(cursor.fetchone()[0])

    try:
        with transaction.atomic():
            engine().withdraw(gone.pk)
            transaction.set_rollback(True)
        assert texts("water") == {"water of the river", "water of the sea"}
        with transaction.atomic():
            engine().withdraw(gone.pk)
            assert seen_by_others() == 2
        assert texts("water") == meant("water") == {"water of the river"}
        assert seen_by_others() == 1
        with transaction.atomic():
            publish(kept, "a canal")
            transaction.set_rollback(True)
        assert texts("canal water") == {"water of the river"}
    finally:
        other.close()


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("maintained", [False, True])
def test_a_scope_is_never_crossed(maintained: bool) -> None:
    topic, label = make_topic(), make_label("Rent")
    sources = [
        make_source(title="", kind=kind, topic=where, published_at=day)
        for kind in ("law", "circular")
        for where in (None, topic)
        for day in (None, date(2020, 1, 1), date(2024, 1, 1))
    ]
    for source, days in zip(sources[1::2], itertools.cycle([(2019, 2021), (2021, None), (None, 2020)]), strict=False):
        source.valid_from, source.valid_to = (date(year, 6, 1) if year else None for year in days)
        source.save()
    for number, source in enumerate(sources):
        publish(source, *["water of the river"] * (1 + number % 3))
        if number % 2:
            assign.add(source, [label], by="test")
    if maintained:
        engine().maintain(thorough=True)
    for scope in (
        Scope(topic_id=1),
        Scope(topic_id=topic.pk),
        Scope(topic_id=None),
        Scope(topic_id=1, kinds=("circular",)),
        Scope(topic_id=topic.pk, label_ids=(label.pk,)),
        Scope(topic_id=None, published_from=date(2021, 1, 1)),
        Scope(topic_id=1, published_to=date(2021, 1, 1), kinds=("law", "tool")),
        Scope(topic_id=topic.pk, source_ids=(sources[0].pk, sources[3].pk)),
        Scope(topic_id=1, kinds=("tool",)),
        *(Scope(topic_id=1, as_of=date(2021, 6, day)) for day in (1, 2)),
        Scope(topic_id=None, as_of=date(2021, 5, 31)),
        Scope(topic_id=topic.pk, as_of=date(2020, 1, 1), kinds=("circular",)),
    ):
        condition, parameters = scope.source_condition("s")
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT s.id FROM kb_source s WHERE {condition}", parameters)
            inside = {pk for (pk,) in cursor.fetchall()}
        expected = set(Chunk.objects.filter(source_id__in=inside).values_list("pk", flat=True))
        assert {pk for pk, _ in by_words("river", scope, limit=100)} == expected
        assert {pk for pk, _ in nearest(vector_of("river"), scope, limit=100).ranking} == expected


def matching(query: str, *, least: float, required: Sequence[str] = (), scope: Scope = TOPIC) -> set[str]:
    words = content_words(SpelledWords(terms(query)), weighed(query, scope))
    found = engine().matches(
        words, scope=scope, least=least, required=[[term.stem_hash] for word in required for term in terms(word)]
    )
    chunks = Chunk.objects.in_bulk(found.chunk_ids.tolist())
    assert found.source_ids.tolist() == [chunks[pk].source_id for pk in found.chunk_ids.tolist()]
    assert len(found.scores) == len(found.chunk_ids) == len(chunks)
    return {chunk.text for chunk in chunks.values()}


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("maintained", [False, True])
def test_what_matches_holds_enough_of_the_words_or_all_that_are_required(maintained: bool) -> None:
    both, one, none = "water tax", "water of the river", "land"
    first = make_source(title="")
    publish(first, both, one)
    publish(make_source(title="", kind="circular"), one + " bank", none)
    publish(make_source(title="", topic=make_topic()), "water tax land bank")
    if maintained:
        engine().maintain(thorough=True)
    assert matching("water tax", least=0.9) == {both}
    assert matching("water tax", least=0.1) == {both, one, one + " bank"}
    assert matching("water sea", least=1.0) == {both, one, one + " bank"}, "the most that any holds"
    assert matching("sea", least=0.1) == matching("", least=0.5) == set()
    assert matching("tax land", least=0.1, required=["water", "river"]) == {one, one + " bank"}
    assert matching("tax", least=0.1, required=["water", "sea"]) == set()
    assert matching("water tax", least=0.9, scope=Scope(topic_id=1, kinds=("circular",))) == {one + " bank"}
    publish(first, one)  # what held the most is gone, and its source is not
    assert matching("water tax", least=0.9) == {one, one + " bank"}
    engine().maintain()
    assert matching("water tax", least=0.9) == {one, one + " bank"}
    assert matching("water", least=0.9, required=["tax"]) == set()


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_a_score_is_what_the_formula_gives() -> None:
    """Reckoned by hand: `bank` is in one of two passages, twice among three words; each form counts by itself."""
    add_source("bank bank river", "tax", kind="circular")
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    twice = 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 3 / BODY.average_length))
    [(chunk_id, score)] = by_words("bank", TOPIC, limit=10)
    assert score == pytest.approx(idf * twice * (BODY.word_weight + BODY.stem_weight), rel=1e-4)
    every = dict(engine().scores(weighed("bank", TOPIC), chunk_ids=list(Chunk.objects.values_list("pk", flat=True))))
    assert every == {chunk_id: pytest.approx(score), Chunk.objects.get(text="tax").pk: 0}


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_stems_are_counted_by_topic_once_for_each_passage() -> None:
    topic = make_topic()
    add_source("bank bank", "bank of the river", "tax")
    add_source("bank", topic=topic)
    bank, sea = terms("bank")[0].stem_hash, terms("sea")[0].stem_hash
    assert engine().count([bank, sea], scope=TOPIC).fetch() == TermCounts(3, {bank: 2})
    assert engine().count([bank], scope=Scope(topic_id=None)).fetch() == TermCounts(4, {bank: 3})


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_similarities_are_cosines_best_first() -> None:
    add_source(*[f"water of the {place}" for place in ("river", "sea", "well")], "tax on land")
    query, every = vector_of("water of the sea"), list(Chunk.objects.order_by("pk"))
    expected = {chunk.pk: float(np.dot(query, vector_of(chunk.text))) for chunk in every}
    answer = nearest(query, TOPIC, limit=2, chunk_ids=[*expected, 10**9])
    assert answer.similarities == pytest.approx(expected, abs=5e-3)
    best = sorted(expected, key=lambda pk: -expected[pk])[:2]
    assert [pk for pk, _ in answer.ranking] == best


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_what_cannot_be_published_or_withdrawn_is_refused() -> None:
    source, gone = make_source(title=""), make_source()
    context = IndexContext.of(gone)
    gone.delete()
    with engine().stage([passage("bank")], context=context) as staged:
        assert staged.count == 1
        with pytest.raises(NotFound), transaction.atomic():
            engine().publish(staged, source=Source(pk=10**9, topic_id=1))
    with (
        engine().stage(
            [passage("bank")], context=IndexContext(topic_id=make_topic().pk, kind="law", title="")
        ) as other,
        pytest.raises(ValueError, match="topic"),
        transaction.atomic(),
    ):
        engine().publish(other, source=source)
    with pytest.raises(NotFound), transaction.atomic():
        engine().withdraw(10**9)
    assert not Chunk.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("index")
def test_publishing_wants_a_transaction() -> None:
    source = make_source(title="")
    with (
        engine().stage([passage("bank")], context=IndexContext.of(source)) as staged,
        pytest.raises(transaction.TransactionManagementError),
    ):
        engine().publish(staged, source=source)


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
def test_what_must_hold_in_the_tables_holds_after_use() -> None:
    gone = add_source("water of the river", title="Water Act")
    publish(add_source("tax on land", title="Tax Act"), "tax on water")
    engine().withdraw(gone.pk)
    gone.delete()
    engine().maintain(thorough=True)
    for check in engine().check():
        assert list(check.findings()) == [], check.name
