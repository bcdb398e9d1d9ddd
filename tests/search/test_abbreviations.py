"""Abbreviations that documents explain are kept while these can be searched, and found either way."""

import pytest

from law.words.analysis import terms
from search import abbreviations
from search.abbreviations import find_long_forms
from search.index import engine
from search.retrieval import retrieve
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_document, add_source, passage, replace_text

pytestmark = pytest.mark.django_db
TEXT = "A Harbour Safety Board (HSB) is set up."


def known(topic_id: int | None = 1) -> dict[str, list[str]]:
    return find_long_forms(terms("HSB"), scope=Scope(topic_id=topic_id)).fetch()


def test_it_follows_the_text_and_the_topic_of_a_document() -> None:
    source = add_document(TEXT)
    assert known() == known(None) == {"hsb": ["Harbour Safety Board"]}
    assert known(make_topic().pk) == {}
    replace_text(source, "A House of Sea Birds (HSB) is set up.")
    assert known() == {"hsb": ["House of Sea Birds"]}
    engine().withdraw(source.pk)
    assert known() == {}


def test_the_commonest_comes_first_and_one_form_of_its_words_is_shown() -> None:
    add_document("A House of Sea Birds (HSB) is set up.")
    for text in (TEXT, "Harbour Safety Boards (HSBs) report."):
        add_document(text)
    assert known() == {"hsb": ["Harbour Safety Board", "House of Sea Birds"]}


def test_of_a_document_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abbreviations, "MAX_OF_A_DOCUMENT", 1)
    found = abbreviations.Explained()
    drafts = [passage(TEXT), passage("A Register of Pilots (ROP) is kept."), passage(TEXT)]
    assert list(abbreviations.noting(drafts, found)) == drafts
    assert found == {("hsb", "Harbour Safety Board"): 2}


TOPIC = Scope(topic_id=1)
EXPLAINED = (
    (
        "the fees of an MTF",
        "An operator of a Multilateral Trading Facility (MTF) is licensed.",
        "multilateral trading facility",
    ),
    (
        "our MLROs",
        "the Money Laundering Reporting Officer (the “MLRO”) resides here",
        "money laundering reporting officer",
    ),
    ('סמכויות המל"ל', 'המטה לביטחון לאומי (להלן – "המל"ל") הוא גוף מטה', "המטה לביטחון לאומי"),
    ('ניכוי בל"ל', 'בנק לאומי לישראל (בל"ל) ינכה', "בנק לאומי לישראל"),
)


@pytest.mark.parametrize(("query", "explanation", "long"), EXPLAINED)
def test_what_an_abbreviation_is_short_for_is_searched_too(query: str, explanation: str, long: str) -> None:
    add_source(explanation, f"{long} 7", title="")
    found = retrieve(query, scope=TOPIC)
    assert {text.casefold() for text in found.expanded} >= {long}
    assert {hit.text for hit in found.hits} == {explanation, f"{long} 7"}
    assert retrieve(query, scope=TOPIC, synonyms=False).expanded == ()


@pytest.mark.parametrize(
    ("query", "explanation", "short"),
    [
        ("What is a multilateral trading facility?", EXPLAINED[0][1], "MTF"),
        ("Where does a money laundering reporting officer reside?", EXPLAINED[1][1], "MLRO"),
        ("מהו בנק לאומי לישראל?", EXPLAINED[3][1], "בלל"),
    ],
)
def test_abbreviation_of_words_in_a_question_is_searched_too(query: str, explanation: str, short: str) -> None:
    add_source(explanation, f"{short} 7", title="")
    found = retrieve(query, scope=TOPIC)
    assert short in found.expanded
    assert f"{short} 7" in {hit.text for hit in found.hits}


def test_nothing_comes_from_other_topics_or_by_chance_letters() -> None:
    other = make_topic()
    add_source(EXPLAINED[0][1], topic=other, title="")
    add_source("MTF fees; see the fees (MTF) of them", "multilateral trading facility", title="")
    assert retrieve("MTF fees", scope=TOPIC).expanded == ()
    assert retrieve("MTF fees", scope=Scope(topic_id=other.pk)).expanded == ("Multilateral Trading Facility",)
    assert retrieve("What is a multilateral trading facility?", scope=TOPIC).expanded == ()
