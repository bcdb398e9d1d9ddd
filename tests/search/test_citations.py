"""Citations resolved to chunks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from search.citations import resolve
from search.drafts import ChunkDraft
from search.integrity import find_wrong_citation_keys
from search.models import Chunk, SourceKey
from search.results import Hit
from search.retrieve import Match, Retrieval, Scope, retrieve
from sources.models import Source
from tests.factories import first_topic, make_topic
from tests.search.corpus import add_source, passage, section
from topics.models import Topic

pytestmark = pytest.mark.django_db


def law(title: str, **fields: object) -> Source:
    """A law whose sections 1, 2, 2א and 3 all speak of the same."""
    drafts = [section(number, f"כותרת {number}", f"הוראה {number} בעניין פלוני") for number in ("1", "2", "2א", "3")]
    return add_source(*drafts, title=title, **fields)


def search(query: str, **scope: object) -> Retrieval:
    return retrieve(query, scope=Scope(**{"topic_id": 1, **scope}))


def first(query: str, **scope: object) -> Hit:
    return search(query, **scope).hits[0]


@pytest.mark.parametrize(
    "query",
    [
        'סעיף 2א לחוק חוזה הביטוח, התשמ"א–1981',
        "בסעיף 2א(ב) לחוק חוזה הביטוח",
        "שבסעיף 2א לחוק חוזה ביטוח",
        "מה קובע סעיף 2א לחוק חוזה הביטוח לגבי פיצוי?",
        "חוק חוזה הביטוח, סעיף 2א",
        "ס׳ 2א של חוק חוזה הביטוח",
        "סעיף 2א לחוק חוזה הַבִּטּוּחַ".replace("בִּטּוּחַ", "ביטוח"),
    ],
)
def test_a_cited_section_comes_first(query: str) -> None:
    source = law('חוק חוזה הביטוח, התשמ"א–1981')
    law('חוק הביטוח הלאומי, התשנ"ה–1995')
    law('חוק החוזים (חלק כללי), התשל"ג–1973')
    hit = first(query)
    assert (hit.source.id, hit.section, hit.match) == (source.pk, "2א", Match.CITATION)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("סעיף 3 לחוק הנוער", 'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971'),
        ("סעיף 3 לחוק הנוער (שפיטה", 'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971'),
        ("סעיף 3 לחוק שירות המדינה גמלאות", 'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970'),
        ("סעיף 3 לחוק שירות המדינה (גמלאות) [נוסח משולב]", 'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970'),
        ("סעיף 3 לחוק שירות המדינה (משמעת)", 'חוק שירות המדינה (משמעת), התשכ"ג–1963'),
        ("תקנה 3 לתקנות דוחות תקופתיים ומיידיים", 'תקנות ניירות ערך (דו"חות תקופתיים ומיידיים), התש"ל–1970'),
        ("סעיף 3 לפקודת הרופאים", 'פקודת הרופאים [נוסח חדש], התשל"ז–1976'),
        ("סעיף 3 לכללי לשכת עורכי הדין (אתיקה מקצועית)", 'כללי לשכת עורכי הדין (אתיקה מקצועית), התשמ"ו–1986'),
    ],
)
def test_short_and_bracketed_titles_find_their_act(query: str, title: str) -> None:
    for other in (
        'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971',
        'חוק עבודת הנוער, התשי"ג–1953',
        'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970',
        'חוק שירות המדינה (משמעת), התשכ"ג–1963',
        'תקנות ניירות ערך (דו"חות תקופתיים ומיידיים), התש"ל–1970',
        'תקנות ניירות ערך (חיתום), התשס"ז–2007',
        'פקודת הרופאים [נוסח חדש], התשל"ז–1976',
        'כללי לשכת עורכי הדין (אתיקה מקצועית), התשמ"ו–1986',
        'חוק לשכת עורכי הדין, התשכ"א–1961',
    ):
        law(other)
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == (title, "3", Match.CITATION)


def test_the_year_decides_between_acts_of_one_name() -> None:
    law('תקנות המים, התשי"ט–1959')
    law('תקנות המים, התש"ף–2020')
    assert first('תקנה 1 לתקנות המים, התש"ף–2020').source.title.endswith("2020")
    assert first('תקנה 1 לתקנות המים, התשי"ט–1959').source.title.endswith("1959")


@pytest.mark.parametrize(
    "query",
    [
        "section 12(3) of the Harbour Act 2006",
        "Harbour Act 2006, s. 12",
        "s. 12 Harbour Act",
        "SECTION 12 of the harbour act",
    ],
)
def test_english_citations_are_resolved(query: str) -> None:
    add_source(section("11", "", "Pilots."), section("12", "", "Dues."), title="Harbour Act 2006")
    add_source(section("12", "", "Dues."), title="Airport Act 2006")
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == ("Harbour Act 2006", "12", Match.CITATION)


def test_a_dotted_rule_number_needs_no_title_when_it_is_clear() -> None:
    add_source(section("18.8.1", "", "One."), section("18.8.2", "", "Two."), title="Rulebook")
    assert first("What does Rule 18.8.2 require?").section == "18.8.2"
    assert first("18.8.2").match is Match.CITATION


def test_a_bare_section_number_cites_nothing_without_a_title() -> None:
    law("חוק הפטנטים")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2").hits)


def test_a_bare_section_number_is_enough_within_one_source() -> None:
    source = law("חוק הפטנטים")
    hit = first("סעיף 2", source_ids=(source.pk,))
    assert (hit.section, hit.match) == ("2", Match.CITATION)


def test_a_section_that_does_not_exist_falls_back_to_the_words() -> None:
    source = law("חוק הפטנטים")
    found = search("סעיף 99 לחוק הפטנטים")
    assert found.hits
    assert all(hit.match is Match.LEXICAL for hit in found.hits)
    assert found.hits[0].source.id == source.pk


def test_the_part_of_a_long_section_that_holds_the_clause_comes_first() -> None:
    add_source(
        section("7", "", "(א) הוראה ראשונה"),
        section("7", "", "(ב) הוראה שנייה"),
        section("8", "", "(ב) אחרת"),
        title="חוק המים",
    )
    hits = search("סעיף 7(ב) לחוק המים").hits
    assert [hit.text for hit in hits[:2]] == ["(ב) הוראה שנייה", "(א) הוראה ראשונה"]


@pytest.mark.parametrize("query", ['ע"א 1234/05', "עא 1234/05", "1234/05", 'מה נפסק בע"א 1234/05 בעניין פיצויים'])
def test_a_case_number_finds_its_judgment(query: str) -> None:
    judgment = add_source("רקע", "נפסקו פיצויים", title="פלוני נ' אלמוני", identifier='ע"א 1234/05', kind="caselaw")
    add_source("פיצויים בעניין אחר", title="אחר", identifier='ע"א 999/05', kind="caselaw")
    hit = first(query)
    assert (hit.source.id, hit.match) == (judgment.pk, Match.CITATION)


def test_within_a_cited_judgment_the_rest_of_the_query_chooses_the_passage() -> None:
    add_source("רקע עובדתי", "נפסקו פיצויים", title="", identifier='ע"א 1234/05', kind="caselaw")
    assert first('פיצויים בע"א 1234/05').text == "נפסקו פיצויים"


def test_a_citation_never_leaves_the_scope() -> None:
    other = make_topic()
    law("חוק הפטנטים", topic=other)
    law("חוק המים")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2 לחוק הפטנטים").hits)
    assert first("סעיף 2 לחוק הפטנטים", topic_id=other.pk).match is Match.CITATION
    assert first("סעיף 2 לחוק הפטנטים", topic_id=None).match is Match.CITATION
    assert not search("סעיף 2 לחוק הפטנטים", topic_id=other.pk, kinds=("circular",)).hits


def test_a_cited_chunk_is_listed_once() -> None:
    law("חוק המים")
    ids = [hit.chunk_id for hit in search("סעיף 2 לחוק המים").hits]
    assert len(ids) == len(set(ids)) == Chunk.objects.count()


def test_of_a_named_act_the_section_that_fits_the_rest_comes_first() -> None:
    add_source(
        section("1", "תחולה", "חוק מדידת מים חל על מדידת מים כאמור בחוק זה"),
        section("11", "עבירות", "המפר דינו קנס"),
        title='חוק מדידת מים, התשט"ו–1955',
    )
    add_source(section("4", "עבירות", "עבירות לפי חוק אחר"), title="חוק הדגים")
    assert first("עבירות חוק מדידת מים").section == "11"


def test_passages_that_happen_to_be_titles_do_not_displace_the_answer() -> None:
    add_source("Risk management", title="Risk management")
    answer = add_source("The risk management function reports to the board every quarter.", title="")
    assert first("how often does the risk management function report to the board").source.id == answer.pk


def test_a_schedule_of_the_same_number_is_not_mistaken_for_the_section() -> None:
    main = section("2", "עיקר", "סעיף עיקרי")
    item = passage("פרט בתוספת")
    add_source(main, item, title="חוק המים")
    assert first("סעיף 2 לחוק המים").text == "סעיף עיקרי"


# Clauses, lists, parts and schedules


def test_a_clause_within_a_clause_is_not_taken_for_that_of_another() -> None:
    add_source(
        section("5", "", "(א) ראשית –\n(1) אחת\n(2) שתיים"),
        section("5", "", "(ב) שנית –\n(1) שלוש\n(2) ארבע"),
        section("5", "", "(ג) שלישית –\n(2) חמש"),
        title="חוק המים",
    )
    for query, text in (
        ("סעיף 5(ב)(2) לחוק המים", "(ב) שנית"),
        ("סעיף קטן (ג) של סעיף 5 לחוק המים", "(ג) שלישית"),
        ("סעיף 5(א)(2) לחוק המים", "(א) ראשית"),
        ("סעיף 5(ח) לחוק המים", "(א) ראשית"),
    ):
        assert first(query).text.startswith(text), query


def test_an_english_clause_is_found_in_its_part() -> None:
    add_source(
        section("12", "", "(1) One.\n(2) Two:\n(a) first,\n(b) second."),
        section("12", "", "(3) Three:\n(a) third,\n(b) fourth."),
        title="Harbour Act 2006",
    )
    assert first("section 12(3)(b) of the Harbour Act").text.startswith("(3)")
    assert first("section 12(2)(b) of the Harbour Act").text.startswith("(1)")


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        ("סעיפים 1 עד 3 לחוק המים", ["1", "2", "2א", "3"]),
        ("סעיפים 1–2 לחוק המים", ["1", "2"]),
        ("סעיפים 3 ו־1 לחוק המים", ["3", "1"]),
        ("סעיפים 2 עד 3 ו־1 לחוק המים", ["2", "2א", "3", "1"]),
        ("sections 2 to 3 and 1 of חוק המים", ["2", "2א", "3", "1"]),
        ("סעיפים 1 עד 900 לחוק המים", ["1", "2", "2א", "3"]),
    ],
)
def test_all_sections_of_a_list_or_range_come_in_order(query: str, sections: list[str]) -> None:
    law("חוק המים")
    law("חוק הביוב")
    hits = search(query).hits
    assert [hit.section for hit in hits[: len(sections)]] == sections
    assert {hit.match for hit in hits[: len(sections)]} == {Match.CITATION}


def test_a_list_goes_through_its_sections_before_their_further_parts() -> None:
    add_source(
        *(section(number, "", f"({clause}) {number}") for number in ("1", "2") for clause in "אב"), title="חוק המים"
    )
    hits = search("סעיפים 1 ו־2 לחוק המים").hits
    assert [hit.text for hit in hits[:3]] == ["(א) 1", "(א) 2", "(ב) 1"]


def test_a_hyphen_may_belong_to_the_number() -> None:
    add_source(section("1-102", "", "Scope."), section("1-103", "", "Terms."), title="Trade Code")
    assert first("section 1-103 of the Trade Code").section == "1-103"


def test_a_number_that_is_only_a_heading_brings_the_rules_below_it() -> None:
    add_source(
        section("3.4.1", "", "One."), section("3.4.2", "", "Two."), section("3.5.1", "", "X."), title="Rulebook A"
    )
    hits = search("Rule 3.4 of Rulebook A").hits
    assert [hit.section for hit in hits if hit.match is Match.CITATION] == ["3.4.1", "3.4.2"]


def in_division(number: str, *path: str) -> ChunkDraft:
    return replace(section(number, "", f"text of {number}"), path=path)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Schedule 1 para 3 of the Pier Act", "Schedule 1 Fees"),
        ("paragraph 3 of Schedule 2 to the Pier Act", "SCHEDULE 2: Signs"),
        ("Sch. 2, para. 3 of the Pier Act", "SCHEDULE 2: Signs"),
        ("section 3 of the Pier Act", "Part IV Dues"),
        ("Part 4 of the Pier Act", "Part IV Dues"),
        ("What does Part IV of the Pier Act say about dues?", "Part IV Dues"),
    ],
)
def test_english_parts_and_schedules_are_found(query: str, path: str) -> None:
    add_source(
        *(in_division("3", above) for above in ("Schedule 1 Fees", "SCHEDULE 2: Signs")),
        in_division("1", "Part I General"),
        in_division("3", "Part IV Dues"),
        title="Pier Act 1999",
    )
    hit = first(query)
    assert (list(hit.path), hit.match) == ([path], Match.CITATION)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("פרט 3 לתוספת השנייה לחוק המים", "תוספת שנייה"),
        ("סעיף 3 לתוספת הראשונה לחוק המים", "תוספת ראשונה: אגרות"),
        ("סעיף 3 לחוק המים", "פרק ב׳: היתרים"),
        ("מה נקבע בפרק ב׳ לחוק המים?", "פרק ב׳: היתרים"),
        ("פרק שני לחוק המים", "פרק ב׳: היתרים"),
    ],
)
def test_hebrew_parts_and_schedules_are_found(query: str, path: str) -> None:
    add_source(
        *(in_division("3", above) for above in ("תוספת ראשונה: אגרות", "תוספת שנייה")),
        in_division("1", "פרק א׳: פרשנות"),
        in_division("3", "פרק ב׳: היתרים"),
        title="חוק המים",
    )
    hit = first(query)
    assert (list(hit.path), hit.match) == ([path], Match.CITATION)


@pytest.mark.parametrize("query", ["Schedule 7 para 3 of the Pier Act", "Part 9 of the Pier Act"])
def test_a_schedule_that_does_not_exist_cites_nothing(query: str) -> None:
    add_source(in_division("3", "Schedule 1"), title="Pier Act 1999")
    hits = search(query).hits
    assert hits
    assert all(hit.match is not Match.CITATION for hit in hits)


# Names of acts


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


def test_a_chapter_that_is_only_mentioned_beside_an_act_does_not_displace_the_answer() -> None:
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


# Identifiers


@pytest.mark.parametrize(
    ("identifier", "queries"),
    [
        (
            "חוזר 2024-9-1",
            ["חוזר 2024-9-1", "חוזר 2024–9–1", "חוזר 2024 - 9 - 1", "חוזר מס׳ 2024/9/1", "בחוזר 2024־9־1", "2024 9 1"],
        ),
        (
            'ע"א 1234/05',
            ["ע״א 1234/05", "ע''א 1234/05", "עא 1234-05", "ע.א. 1234/05", "בע”א 1234 / 05", "עא1234/05", "עא-1234-05"],
        ),
        ('ת"א 1234-05-10', ['ת"א 1234-05-10', "ת״א 1234–05–10", "ת.א. 1234/05/10", "תא 1234 ־ 05 ־ 10"]),
        ("Case C-131/12", ["Case C-131/12", "C–131/12", "case C 131/12", "C-131-12", "What was held in C‑131/12?"]),
        ("[2019] UKSC 5", ["[2019] UKSC 5", "2019 UKSC 5", "(2019) uksc 5", "in [2019] UKSC 5, what was held"]),
    ],
)
def test_a_number_is_found_in_any_spelling(identifier: str, queries: list[str]) -> None:
    source = add_source("The court held.", "הדין", title="", identifier=identifier, kind="caselaw")
    add_source("Another.", title="", identifier='ע"א 4321/05', kind="caselaw")
    add_source("Another.", title="", identifier="[2019] UKSC 50", kind="caselaw")
    for query in queries:
        hit = first(query)
        assert (hit.source.id, hit.match) == (source.pk, Match.CITATION), query


def test_the_court_decides_between_judgments_of_one_number() -> None:
    for identifier in ('רע"א 1234/05', 'ע"א 1234/05', 'ת"א 1234/05'):
        add_source("נפסק.", title="", identifier=identifier, kind="caselaw")
    cited = [hit.source.identifier for hit in search('מה נפסק בע"א 1234/05?').hits if hit.match is Match.CITATION]
    assert cited == ['ע"א 1234/05']


def test_an_act_that_is_named_goes_before_a_judgment_in_the_same_query() -> None:
    law("חוק המים")
    add_source("נפסק.", title="", identifier='ע"א 1234/05', kind="caselaw")
    hit = first('סעיף 2 לחוק המים כפי שפורש בע"א 1234/05')
    assert (hit.source.title, hit.section) == ("חוק המים", "2")


@pytest.mark.parametrize("query", ['ע"א 9999/05', "חוזר 2031-9-1", "[2019] UKSC 6", "COBS 9.9.9", "סעיף 99 לחוק המים"])
def test_a_wrong_number_hides_nothing_that_the_words_find(query: str) -> None:
    add_source('UKSC COBS ע"א חוזר סעיף לחוק המים', title="", identifier='ע"א 1234/05', kind="caselaw")
    law("חוק המים")
    hits = search(query).hits
    assert hits
    assert all(hit.match is not Match.CITATION for hit in hits)


def test_the_migration_brings_older_keys_to_the_present_form() -> None:
    add_source(section("3", "", "Words."), title="General Rulebook (GEN)", identifier="2024/9/1")
    SourceKey.objects.update(identifiers=["2024/9/1"])
    migration = import_module("search.migrations.021_citation_keys")
    migration.refresh(apps, connection.schema_editor())
    assert list(find_wrong_citation_keys()) == []
    assert first("section 3 of GEN").match is Match.CITATION


# Bounds


@pytest.mark.parametrize("query", ["what is a deposit", "פיצוי על נזק לרכוש", "part of the board", "פרק זמן סביר"])
def test_a_query_without_a_citation_asks_the_database_nothing(
    query: str, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    law("חוק המים")
    with django_assert_num_queries(0):
        resolve(query, scope=Scope(topic_id=1))


def test_the_number_of_look_ups_is_bounded(
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    for _ in range(8):
        make_topic()
    query = " ".join(f"סעיף {number} לחוק דבר שלא היה ולא נברא," for number in range(1, 40))
    with django_assert_max_num_queries(20):
        resolve(query, scope=Scope(topic_id=None))


WORDS = [
    "סעיף",
    "סעיפים",
    "rule",
    "section",
    "Part",
    "Schedule",
    "1",
    "2א",
    "3.4.1",
    "(א)",
    "(1)",
    "עד",
    "–",
    "to",
    "and",
]
WORDS += [
    "לחוק",
    "המים",
    "of",
    "the",
    "Pier",
    "Act",
    "COBS",
    'ע"א',
    "1234/05",
    "[2019]",
    "UKSC",
    "5",
    "\u05b8",
    "%",
    "\\",
    "'",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=14), st.booleans())
def test_whatever_the_query_citations_stay_in_the_scope(mixed: Acts, words: list[str], glued: bool) -> None:
    query = ("" if glued else " ").join(words).replace("\0", "").encode("utf-8", "replace").decode()
    cited = resolve(query, scope=Scope(topic_id=mixed.topic.pk, kinds=("law",)))
    assert set(cited.chunk_ids) <= mixed.chunks
    assert set(cited.source_ids) <= mixed.sources


@dataclass
class Acts:
    """A topic, and the sources and chunks of the kind `law` in it."""

    topic: Topic
    sources: set[int]
    chunks: set[int]


@pytest.fixture
def mixed() -> Acts:
    """The same acts in two topics and of two kinds."""
    topic = make_topic()
    for place in (topic, first_topic()):
        for kind in ("law", "circular"):
            law("חוק המים", topic=place, kind=kind, identifier='ע"א 1234/05')
            add_source(
                *(section(number, "", "(1) Words.") for number in ("1", "3.4.1")),
                title="Pier Act 1999",
                identifier="COBS",
                topic=place,
                kind=kind,
            )
    sources = Source.objects.filter(topic=topic, kind="law")
    chunks = Chunk.objects.filter(source__in=sources)
    return Acts(topic, set(sources.values_list("pk", flat=True)), set(chunks.values_list("pk", flat=True)))
