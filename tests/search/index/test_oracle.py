"""Made-up collections: an index finds what one that scores everything finds, with the same scores."""

import random
from collections.abc import Sequence
from datetime import date

import pytest

from kb_project.database.rows import Query
from search.index import SearchIndex, engine, using
from search.ranking import fusion
from search.ranking.word_query import TermCounts
from search.retrieval import retrieve
from search.retrieval.listing import Group, Listing, Sort
from sources.models import Source
from sources.scope import Scope
from tests.factories import make_source, make_topic
from tests.search.corpus import publish, section
from tests.search.index.brute_force import BruteForceIndex

TOPIC = Scope(topic_id=1)
WORDS = ["water", "tax", "river", "land", "bank", "deposit", "המים", "הבנק", "רישיון", "רשיון", "פיקדון", "5א"]


class Oracle(BruteForceIndex):
    """Weighs words as the index under test, whose counts may hold passages that are gone until it is compacted."""

    def __init__(self, counting: SearchIndex) -> None:
        self._counting = counting

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return self._counting.count(stems, scope=scope)


@pytest.mark.django_db
@pytest.mark.usefixtures("index")
@pytest.mark.parametrize(
    ("index", "seed"),
    [
        pytest.param(engine, seed, marks=[pytest.mark.deep] if seed else [])
        for engine, seeds in (("postgres", 6), ("qdrant", 3))
        for seed in range(seeds)
    ],
    indirect=["index"],
)
def test_both_find_the_same_with_the_same_scores(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is published, withdrawn and maintained in between."""
    monkeypatch.setitem(fusion.DENSE_WEIGHT, "hashing", 0.3)
    dice = random.Random(seed)
    topic = make_topic()
    sources: list[Source] = []

    def text() -> str:
        return " ".join(dice.choices(WORDS, k=dice.randrange(1, 20)))

    for number in range(12):
        kind = dice.choice(["law", "circular", "caselaw"])
        where = dice.choice([topic, None])
        source = make_source(title=f"{text()[:30]} {number}", kind=kind, topic=where)
        publish(source, *(section(str(n), text()[:20], text()) for n in range(1, dice.randrange(2, 7))))
        sources.append(source)
        if dice.random() < 0.3:
            publish(dice.choice(sources), text(), text())
        if dice.random() < 0.2:
            lost = sources.pop(dice.randrange(len(sources)))
            engine().withdraw(lost.pk)
            lost.delete()
        if dice.random() < 0.3:
            engine().maintain(thorough=dice.random() < 0.5)
    engine().maintain(thorough=True)
    days = [date(2020, 1, 1), date(2022, 1, 1)]
    for source in dice.sample(sources, len(sources) // 2):
        source.valid_from, source.valid_to = dice.choice([(None, days[0]), (days[0], days[1]), (days[1], None)])
        source.save(update_fields=["valid_from", "valid_to"])
    scopes = [TOPIC, Scope(topic_id=topic.pk), Scope(topic_id=None), Scope(topic_id=1, kinds=("law",))]
    scopes += [Scope(topic_id=topic_id, as_of=dice.choice(days)) for topic_id in (1, topic.pk, None)]
    for _ in range(8):
        query, scope = text()[:60], dice.choice(scopes)
        listing = Listing(group=dice.choice([*Group]), sort=dice.choice([*Sort]), facets=True)
        for mode in ("lexical", "hybrid"):
            both_find_the_same(query, scope, mode, listing)


def both_find_the_same(query: str, scope: Scope, mode: str, listing: Listing) -> None:
    fast = retrieve(query, scope=scope, mode=mode, limit=20).hits
    with using(Oracle(engine())):
        slow = retrieve(query, scope=scope, mode=mode, limit=20).hits
    assert [hit.score for hit in fast] == pytest.approx([hit.score for hit in slow], rel=2e-3)
    assert {hit.chunk_id for hit in fast if hit.score > fast[-1].score + 0.01} <= {hit.chunk_id for hit in slow}
    whole = retrieve(query, scope=scope, mode=mode, limit=100, listing=listing)
    with using(Oracle(engine())):
        checked = retrieve(query, scope=scope, mode=mode, limit=100, listing=listing)
    assert (whole.facets, whole.documents, whole.passages) == (checked.facets, checked.documents, checked.passages)
    assert {hit.source.id: hit.more for hit in whole.hits} == {hit.source.id: hit.more for hit in checked.hits}
