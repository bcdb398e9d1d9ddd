"""Clauses, lists and ranges of sections, parts and schedules that a query cites."""

import pytest

from search.retrieval import Match
from tests.search.citing import first, in_division, law, search
from tests.search.corpus import add_document, add_source, section

pytestmark = pytest.mark.django_db


def test_clause_within_clause_is_not_taken_for_that_of_another() -> None:
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


def test_number_that_is_only_heading_brings_the_rules_below_it() -> None:
    add_source(
        section("3.4.1", "", "One."), section("3.4.2", "", "Two."), section("3.5.1", "", "X."), title="Rulebook A"
    )
    hits = search("Rule 3.4 of Rulebook A").hits
    assert [hit.section for hit in hits if hit.match is Match.CITATION] == ["3.4.1", "3.4.2"]


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


def test_sections_that_count_anew_in_each_article_are_found_in_theirs() -> None:
    add_document(
        "CONSTITUTION OF THE HARBOR UNION\nArticle I\nSection 1. The powers are vested in a Congress.\n"
        "Section 2. The Congress shall meet once a year.\nArticle II\nSection 1. The power is vested in a President.\n"
        "Section 2. The President shall appoint keepers.",
        title="Constitution of the Harbor Union",
        kind="law",
    )
    for query, text in (
        ("Article I, Section 2 of the Constitution of the Harbor Union", "Section 2. The Congress"),
        ("Art. II, § 2 of the Constitution of the Harbor Union", "Section 2. The President"),
    ):
        assert first(query).text.startswith(text), query


def test_an_article_is_found_by_its_roman_number_and_in_digits() -> None:
    add_document(
        "PIER CONVENTION\nArticle I\nScope\nThis Convention applies to piers.\nArticle II\nFees\n1. A fee is due.\n"
        "2. It is paid at once.\nArticle III\nKeepers\nEach pier has a keeper.",
        title="Pier Convention",
        kind="law",
    )
    for query in ("Article III of the Pier Convention", "Article 3 of the Pier Convention"):
        assert (first(query).section, first(query).eid) == ("III", "sec_iii"), query
