"""Lists that end: what matches a query, grouped, ordered and counted; a filter that says 4 leaves 4."""

import datetime as dt
from itertools import product
from typing import Any

import pytest

from kb_project.errors import Invalid
from labels import assign
from labels.models import Label
from search.ranking import fusion
from search.results import Retrieval
from search.retrieval import Match, Scope, retrieve
from search.retrieval import matching as matching_module
from search.retrieval.listing import Group, Listing, Sort
from sources.models import Source
from tests.factories import make_label, make_topic
from tests.search.citing import law
from tests.search.corpus import add_document, add_source, section

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def listed(query: str, scope: Scope = TOPIC, *, limit: int = 100, mode: str = "hybrid", **listing: Any) -> Retrieval:
    return retrieve(query, scope=scope, limit=limit, mode=mode, listing=Listing(**listing))


def documents(query: str, scope: Scope = TOPIC, **options: Any) -> list[int]:
    return [hit.source.id for hit in listed(query, scope, group=Group.DOCUMENT, **options).hits]


def shelf() -> tuple[list[Source], list[Label]]:
    """Twenty documents of all kinds, years and labels, of which some match `bank deposits` and some hold one word."""
    labels = [make_label(name) for name in ("rent", "פיקדון", "third")]
    texts = ["bank deposits of the year", "the bank", "deposits in a bank", "water of the river"]
    sources = []
    for number in range(20):
        day = None if number % 5 == 0 else dt.date(2018 + number % 4, 1 + number % 12, 1)
        kind = ("law", "circular", "tool")[number % 3]
        source = add_source(*texts[number % 4 :][: 1 + number % 3], kind=kind, title=f"T{number}", published_at=day)
        assign.add(source, [label for place, label in enumerate(labels) if number % (place + 2) == 0], by="test")
        sources.append(source)
    return sources, labels


FILTERS: list[dict[str, Any]] = [
    {},
    {"kinds": ("law",)},
    {"kinds": ("law", "tool"), "published_from": dt.date(2019, 1, 1)},
    {"published_from": dt.date(2019, 1, 1), "published_to": dt.date(2019, 12, 31)},
]


QUERIES = [
    "bank deposits",
    *(
        pytest.param(query, marks=pytest.mark.deep)
        for query in ("bank", '"bank deposits" year', "water of the sea", "T7 bank")
    ),
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_filter_that_says_four_leaves_four(query: str) -> None:
    _, labels = shelf()
    for narrow, label_ids in product(FILTERS, [(), (labels[0].pk, labels[2].pk)]):
        leaves_what_it_says(query, {**narrow, "label_ids": label_ids})


def leaves_what_it_says(query: str, narrow: dict[str, Any]) -> None:
    facets = listed(query, Scope(topic_id=1, **narrow), facets=True).facets
    assert facets
    changes: list[tuple[dict[str, Any], int]] = [
        *(({"kinds": (one.value,)}, one.count) for one in facets.kind),
        *(({"label_ids": (one.value,)}, one.count) for one in facets.label),
        *(
            ({"published_from": dt.date(one.value, 1, 1), "published_to": dt.date(one.value, 12, 31)}, one.count)
            for one in facets.year
        ),
    ]
    for change, count in changes:
        scope = Scope(topic_id=1, **{**narrow, **change})
        found = documents(query, scope)
        assert len(found) == len(set(found)) == count > 0, (query, narrow, change)
        assert {hit.source.id for hit in listed(query, scope, facets=True).hits} == set(found), (query, narrow, change)
    told = {change["kinds"][0] for change, _ in changes if "kinds" in change}
    for kind in {"law", "circular", "tool"} - told:
        assert documents(query, Scope(topic_id=1, **{**narrow, "kinds": (kind,)})) == [], (query, narrow, kind)


def test_passages_that_hold_enough_words_match() -> None:
    whole, most = add_source("bank deposits interest levy"), add_source("bank deposits interest")
    half = add_source("bank levy")
    add_source(*["water of the river"] * 20)
    assert documents("bank deposits interest levy") == [whole.pk, most.pk]
    assert set(documents("the bank, zebra")) == {whole.pk, most.pk, half.pk} == set(documents("bank"))
    assert documents("zebra") == []
    assert len(retrieve("bank deposits interest levy", scope=TOPIC).hits) == 3, "the best passages are not cut off"


def test_a_document_comes_once_with_its_best_passage() -> None:
    one = add_source("bank", "bank bank deposits", "bank and deposits of the water and the river", title="A")
    other = add_source("bank deposits", "river", title="B")
    found = listed("bank deposits", group=Group.DOCUMENT)
    assert [(hit.source.id, hit.more, hit.rank) for hit in found.hits] == [(one.pk, 1, 1), (other.pk, 0, 2)]
    assert found.hits[0].text == "bank bank deposits"
    assert (found.passages, found.documents) == (3, 2)
    assert documents("bank deposits", limit=1) == [one.pk]
    assert listed("bank deposits", facets=True).hits[0].more is None


def test_by_date_matches_are_in_order_and_undated_ones_last() -> None:
    days = {"old": dt.date(1999, 5, 1), "new": dt.date(2024, 1, 1), "mid": dt.date(2010, 1, 1), "none": None}
    of = {name: add_source("bank deposits", title="", published_at=day).pk for name, day in days.items()}
    of["better"] = add_source("bank deposits", "deposits", published_at=dt.date(2010, 1, 1)).pk
    add_source("bank", published_at=dt.date(2025, 1, 1))
    newest = documents("bank deposits", sort=Sort.NEWEST)
    assert newest == [of[name] for name in ("new", "mid", "better", "old", "none")]
    assert documents("bank deposits", sort=Sort.OLDEST) == [
        of[name] for name in ("old", "mid", "better", "new", "none")
    ]
    assert documents("bank deposits", sort=Sort.NEWEST, limit=2) == newest[:2]
    dates = [hit.source.published_at for hit in listed("bank deposits", sort=Sort.OLDEST).hits]
    assert dates == [*sorted(filter(None, dates)), None]


def test_citation_comes_first_and_counts_where_filters_let_it() -> None:
    act = law("חוק המים")
    add_source("סעיף 2 לחוק המים חל כאן", kind="circular")
    found = listed("סעיף 2 לחוק המים", facets=True, group=Group.DOCUMENT)
    assert (found.hits[0].source.id, found.hits[0].match) == (act.pk, Match.CITATION)
    assert {one.value: one.count for one in found.facets.kind} == {"law": 1, "circular": 1} if found.facets else None
    inside = listed("סעיף 2 לחוק המים", Scope(topic_id=1, kinds=("circular",)), facets=True)
    assert [hit.source.kind for hit in inside.hits] == ["circular"]


def test_list_leads_to_cited_clauses_and_says_what_is_not_there() -> None:
    act = add_document("4. שם\nזה החוק.\n5. סוף\n(א) ספרים.\n(ב) עיתונים.", kind="law", title="חוק הספרים")
    [hit] = listed("סעיף 5(ב) לחוק הספרים", group=Group.DOCUMENT).hits
    assert (hit.eid, hit.more) == ("sec_5__subsec_b", 0)
    assert hit.text[slice(*hit.highlights[0])].startswith("(ב)")
    found = listed("סעיף 9 לחוק הספרים", Scope(topic_id=1, kinds=("law",)), facets=True, sort=Sort.NEWEST)
    assert found.not_found
    assert [near.eid for near in found.not_found.nearest] == ["sec_4", "sec_5"]
    assert listed("חוק הספרים", facets=True).named_id == act.pk


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_a_list_never_leaves_its_topic(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fusion.DENSE_WEIGHT, "hashing", 0.3)
    topic = make_topic()
    mine, theirs = add_source("bank deposits"), add_source("bank deposits", topic=topic)
    for query in ("bank deposits", '"bank deposits"'):
        assert documents(query, mode=mode) == [mine.pk]
        assert documents(query, Scope(topic_id=topic.pk), mode=mode) == [theirs.pk]
        assert set(documents(query, Scope(topic_id=None), mode=mode)) == {mine.pk, theirs.pk}
    facets = listed("bank deposits", mode=mode, facets=True).facets
    assert facets
    assert [one.count for one in facets.kind] == [1]


def test_the_nearest_in_meaning_match_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fusion.DENSE_WEIGHT, "hashing", 0.3)
    exact, near = add_source("bank deposits"), add_source("banking", kind="circular")
    for mode in ("hybrid", "semantic"):
        found = listed("bank deposits", mode=mode, facets=True)
        assert {hit.source.id for hit in found.hits} == {exact.pk, near.pk}
        assert found.documents == 2
        assert documents("bank deposits", Scope(topic_id=1, kinds=("circular",)), mode=mode) == [near.pk]


HELD: dict[str, set[str]] = {
    '"נכס משותף"': {"bare", "prefixed"},
    "“נכס משותף” מס": {"bare", "prefixed"},
    '"משותף נכס"': {"turned"},
    '"נכס משותף" "רשות המסים"': {"prefixed"},
    '"רשות הנכס"': set(),
    '"השבת הפיקדון"': {"heading"},
    '"רשיון נהיגה"': {"spelled"},
}


def test_a_phrase_is_found_where_its_words_stand_so() -> None:
    texts: dict[str, Any] = {
        "bare": "כל נכס משותף הוא של שניהם",
        "prefixed": "בנכס המשותף, כך רשות המסים",
        "apart": "נכס שאינו משותף",
        "turned": "משותף, נכס",
        "spelled": "רישיון נהיגה",
        "heading": section("7", "השבת הפיקדון", "המשכיר ישיבו"),
    }
    name_of = {add_source(text).pk: name for name, text in texts.items()}
    for query, held in HELD.items():
        found = listed(query)
        assert {name_of[hit.source.id] for hit in found.hits} == held, query
        assert found.phrases, query
        assert {name_of[pk] for pk in documents(query)} == held, query


def test_the_words_beside_a_phrase_rank() -> None:
    add_source("bank deposits", "bank deposits and the tax on them", "tax", "deposits of a bank, and tax")
    found = listed('"bank deposits" tax').hits
    assert [hit.text for hit in found] == ["bank deposits and the tax on them", "bank deposits"]


def test_of_a_phrase_of_common_words_the_best_passages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_module, "CHECKED", 3)
    monkeypatch.setattr(matching_module, "READ_AT_ONCE", 2)
    add_source(*["of the land and of the sea"] * 5, "of the river")
    found = listed('"of the" river')
    assert len(found.hits) == 3
    assert found.hits[0].text == "of the river"


def test_a_query_has_a_bounded_number_of_phrases() -> None:
    add_source("bank")
    assert listed(" ".join(['"bank"'] * 50)).hits
    with pytest.raises(Invalid):
        listed(" ".join(f'"bank {n}"' for n in range(11)))


def test_a_phrase_leads_to_the_provisions_that_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_module, "READ_AT_ONCE", 1)
    one = add_document("1. Deposits\nA bank deposit is kept.\n2. Tax\nThe deposit of a bank.", title="Banks Act")
    two = add_document("7. Keeping\nThe bank deposit.", title="Vaults Act")
    add_document("1. Deposits\nA bank deposit.", title="Elsewhere", topic=make_topic(slug="elsewhere"))
    assert matching_module.places_of("bank deposit", scope=TOPIC) == [(one.pk, "sec_1"), (two.pk, "sec_7")]
    narrowed = Scope(topic_id=1, source_ids=(two.pk,))
    assert matching_module.places_of("bank deposit", scope=narrowed) == [(two.pk, "sec_7")]
    assert matching_module.places_of("harbour master", scope=TOPIC) == []
    assert matching_module.places_of("", scope=TOPIC) == []
