"""How acts are named: by nickname, abbreviation or part of the title."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from law.words.analysis import terms
from search.retrieval import Match
from sources.citations import title_matching, title_query
from sources.scope import Scope
from tests.search.citing import first, in_division, law, search
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query",
    [
        "סעיף 2 לחוק הגנת הפרטיות",
        "סעיף 2 בחוק הגנת הפרטיות",
        "סעיף 2 שבחוק הגנת הפרטיות",
        "סעיף 2 ל־חוק הגנת־הפרטיות",
        'סעיף 2 לחוק "הגנת הפרטיות"',
        "סעיף 2 לחוק הֲגָנַת הַפְּרָטִיּוּת",
        "סעיף 2 לחוק הגנת הפרטיות [נוסח חדש]",
        'סעיף 2 לחוק הגנת הפרטיות, תשמ"א-1981',
        "סעיף 2 לחוק הגנת הפרטיות, התשמ״א – 1981",
        "סעיף 2 לחוק הגנת הפרטיות [נוסח משולב], התשמ''א־1981",
        "מה קובע סעיף 2 לחוק הגנת הפרטיות לגבי מאגרי מידע של רופאים?",
        "האם לפי סעיף 2(ב) לחוק הגנת הפרטיות מותר לפרסם תמונה?",
        "חוק הגנת הפרטיות סעיף 2",
        "חוק הגנת הפרטיות, ס' 2",
    ],
)
def test_an_act_is_found_by_its_nickname(query: str) -> None:
    source = law('חוק הגנת הפרטיות [נוסח משולב], התשמ"א–1981')
    law("תקנות הגנת הפרטיות (אבטחת מידע)")
    law('חוק הגנת הצרכן, התשמ"א–1981')
    hit = first(query)
    assert (hit.source.id, hit.section, hit.match) == (source.pk, "2", Match.CITATION)


@pytest.mark.parametrize(
    "query",
    [
        "What does section 12(3) of the Harbour Act say about dues?",
        "According to s.12 of the Harbour Act 2006, who pays?",
        "Is a pilot bound by Harbour Act section 12?",
        "under § 12 of the 'Harbour Act'",
    ],
)
def test_an_english_citation_inside_a_question_is_resolved(query: str) -> None:
    add_source(section("11", "", "Pilots."), section("12", "", "Dues."), title="Harbour Act 2006")
    add_source(section("12", "", "Dues are paid by a pilot."), title="Airport Act 2006")
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == ("Harbour Act 2006", "12", Match.CITATION)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("Rule 3.4.1 of COBS", "Conduct Rulebook"),
        ("COBS 3.4.1", "Conduct Rulebook"),
        ("what does COBS 3.4.1(2) require of a firm", "Conduct Rulebook"),
        ("rule 3.4.1 of cobs", "Conduct Rulebook"),
        ("MSR, section 3.4.1", "Marine Services and Safety Regulations 2015"),
        ("section 3.4.1 of the MSSR", "Marine Services and Safety Regulations 2015"),
        ("Art. 3.4.1 MSASR", "Marine Services and Safety Regulations 2015"),
        ("rule 3.4.1 in GEN", "General Rulebook (GEN)"),
        ("section 3.4.1 of the HDA 2018", "Harbour Data Act 2018"),
        ("section 3.4.1 of the HDA", "Harbour Data Act 1998"),
    ],
)
def test_an_abbreviation_comes_from_the_identifier_or_the_capitals_of_the_title(query: str, title: str) -> None:
    for other, identifier in (
        ("Harbour Data Act 1998", ""),
        ("Harbour Data Act 2018", ""),
        ("Conduct Rulebook", "COBS VER15.150823"),
        ("Marine Services and Safety Regulations 2015", "MSR"),
        ("General Rulebook (GEN)", ""),
    ):
        add_source(section("3.4.1", "", "Same words."), title=other, identifier=identifier)
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == (title, "3.4.1", Match.CITATION)


def test_a_price_behind_an_unknown_abbreviation_is_no_citation() -> None:
    add_source(section("3.50", "", "Something."), title="Rulebook")
    assert all(hit.match is not Match.CITATION for hit in search("a fee of USD 3.50").hits)


@pytest.mark.parametrize(
    "query", ["ו־2 לחוק המים, התשי״ט–1959", "2 לחוק המים", "סעיף 2 רישה לחוק המים", "סעיף 2(ב) סיפה לחוק המים"]
)
def test_a_citation_torn_from_its_sentence_is_read(query: str) -> None:
    law('חוק המים, התשי"ט–1959')
    assert (first(query).section, first(query).match) == ("2", Match.CITATION)


def test_a_shortened_title_means_the_act_that_has_the_section() -> None:
    law("חוק המרשם הפלילי ותקנת השבים")
    add_source(section("38", "", "הוראה"), title="חוק מרשם האוכלוסין")
    assert first("סעיף 38 לחוק המרשם").section == "38"
    assert first("סעיף 2 לחוק המרשם").source.title == "חוק המרשם הפלילי ותקנת השבים"


def test_a_chapter_mentioned_beside_an_act_does_not_displace_it() -> None:
    add_source(
        in_division("1", "פרק שני: מענקים"),
        replace(section("9", "החלת הוראות מפרק שני", "הוראות"), path=("פרק שלישי",)),
        title="חוק עידוד השקעות",
    )
    assert first("החלת הוראות מפרק שני חוק עידוד השקעות").section == "9"


def test_a_reference_inside_a_title_is_not_a_citation() -> None:
    title = "תקנות התכנון (סדרי הדין בעררים לפי סעיף 2 לחוק)"
    law(title)
    assert all(hit.match is not Match.CITATION for hit in search(f"כותרת 3 {title}").hits)


def test_two_acts_in_one_query_are_both_cited() -> None:
    law("חוק המים")
    law("חוק הביוב")
    hits = search("היחס בין סעיף 2 לחוק המים ובין סעיף 3 לחוק הביוב").hits
    assert [(hit.source.title, hit.section) for hit in hits[:2]] == [("חוק המים", "2"), ("חוק הביוב", "3")]


def test_other_acts_that_a_shortened_title_may_mean_come_next() -> None:
    law("חוק המרשם הפלילי ותקנת השבים")
    law("חוק מרשם האוכלוסין")
    cited = [(hit.source.title, hit.section) for hit in search("סעיף 2 לחוק המרשם").hits if hit.match is Match.CITATION]
    assert cited == [("חוק המרשם הפלילי ותקנת השבים", "2"), ("חוק מרשם האוכלוסין", "2")]


def test_titles_of_a_query_are_compared_with_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    law("חוק המים")
    compare = Mock(wraps=title_matching._compare)
    monkeypatch.setattr(title_matching, "_compare", compare)
    titles = title_query(terms("כותרת 2 חוק המים"), scope=Scope(topic_id=1)).fetch()
    assert titles(1) == titles(2) == titles(1, kinds=["law"]) != []
    assert titles(9) == titles(1, kinds=["regulation"]) == []
    assert compare.call_count == 1
