"""Abbreviations that the documents explain are found by the long form, and the other way round."""

import pytest

from search.retrieval import Scope, retrieve
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
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
