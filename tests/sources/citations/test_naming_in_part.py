"""Acts that are named by parts of their title."""

import pytest

from law.words.analysis import terms
from search.retrieval import Match
from sources.citations import naming_in_part
from sources.citations.naming_in_part import named_in_part, sources_with_any
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.citing import first, law, search

pytestmark = pytest.mark.django_db

ARRESTS = 'חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996'


@pytest.mark.parametrize(
    "query", ["סעיף 2 לחוק המעצרים", "סעיף 2 לחוק המעצרים לגבי חיפוש", "לפי סעיף 2 שבחוק המעצרים, מתי מותר לעצור?"]
)
def test_a_word_that_only_one_title_has_in_brackets_names_it(query: str) -> None:
    law(ARRESTS)
    law('תקנות סדר הדין הפלילי (מעצרים), התשנ"ז–1997')
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == (ARRESTS, "2", Match.CITATION)


def test_titles_that_only_share_its_word_do_not_crowd_an_act_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming_in_part, "MAX_TITLES", 2)
    for place in range(3):
        law(f"תקנות מעצרים {place}")
    act = law(ARRESTS)
    named = named_in_part(terms("חוק המעצרים"), (), scope=Scope(topic_id=1))
    assert [one.source_id for one in named] == [act.pk]


def test_no_words_are_in_no_title() -> None:
    law("חוק החברות")
    assert sources_with_any([], scope=Scope(topic_id=first_topic().pk, within=None)) == []


def test_a_word_in_the_brackets_of_two_titles_names_neither() -> None:
    law(ARRESTS)
    law("חוק השיפוט הצבאי (מעצרים)")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2 לחוק המעצרים").hits)


def test_a_word_outside_brackets_is_too_little_to_name_an_act() -> None:
    law("חוק הגנת הפרטיות")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2 לחוק הפרטיות").hits)


@pytest.mark.parametrize(
    "query", ["הגנת הפרטיות סעיף 2", "סעיף 2 הגנת הפרטיות", "סעיף 2 להגנת הפרטיות", "הגנת פרטיות, ס׳ 2"]
)
def test_the_type_of_the_act_may_be_left_out(query: str) -> None:
    source = law('חוק הגנת הפרטיות, התשמ"א–1981')
    law("תקנות הגנת הפרטיות (אבטחת מידע במאגרים)", kind="circular")
    law("חוק הגנת הצרכן")
    hit = first(query, kinds=("law",))
    assert (hit.source.id, hit.section, hit.match) == (source.pk, "2", Match.CITATION)


@pytest.mark.parametrize(
    "query", ["section 2 of the Rope Evidence Act 2003", "Rope Evidence Act section 2", "s. 2 rope evidence act"]
)
def test_an_act_is_none_of_another_type_or_with_another_first_word(query: str) -> None:
    law("Rope (Evidence) Rules 2003")
    law("Marine Evidence Act 2003")
    found = search(query)
    assert all(hit.match is not Match.CITATION for hit in found.hits)


def test_part_of_a_name_without_its_type_is_no_name() -> None:
    law("חוק הגנת הסביבה הימית")
    assert all(hit.match is not Match.CITATION for hit in search("הגנת הסביבה סעיף 2").hits)
