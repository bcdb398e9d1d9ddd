"""Statutes whose lines are not as they should be: unpunctuated, run together, with remains of other matter."""

from typing import Any

import pytest

from tests.law.chunking.test_sections import drafts, headings, numbers


@pytest.mark.parametrize(
    "last", ["השר רשאי לקבוע תקנות", "שר המשפטים ממונה על ביצוע חוק זה, והוא רשאי להתקין תקנות,", "(ב) שניים,"]
)
def test_line_without_full_stop_does_not_swallow_next_section(last: str) -> None:
    assert headings("5. ביצוע", "(א) אחד.", last, "6. תחילה", "ביום פרסומו.", "7. תחולה", "על הכול.") == [
        ("5", "ביצוע"),
        ("6", "תחילה"),
        ("7", "תחולה"),
    ]


@pytest.mark.parametrize("last", ["כאמור בסעיפים 3, 4,", "לפי סעיף", "לפי תקנה 5 או"])
def test_a_number_that_belongs_to_the_sentence_before_it_opens_no_section(last: str) -> None:
    assert numbers("5. ביצוע", f"המנהל יורה {last}", "6. לרבות שינוייו.", "6. תחילה", "ביום פרסומו.") == ["5", "6"]


def test_a_marginal_heading_may_be_drawn_into_the_line() -> None:
    found = drafts(
        "חוק התכנון",
        "36. היתר",
        "לא יבנה אדם אלא בהיתר.",
        "הגדרות 36א. בפרק זה – ”בית“ – דירה.",
        "סמכויות מיוחדות 36ב. (א) הוועדה רשאית לסרב.",
        "עונשין 37. דינו – קנס.",
    )
    assert [(draft.section, draft.heading) for draft in found][1:] == [
        ("36", "היתר"),
        ("36א", "הגדרות"),
        ("36ב", "סמכויות מיוחדות"),
        ("37", "עונשין"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "על פי האמור בתקנה 6. הוראות אלה יחולו.",
        "כאמור בנספח מס׳ 6. הטופס יוגש.",
        "הגדרות 8. זה אינו הסעיף הבא.",
        "הנאשם, שהורשע 6. ישלם קנס.",
    ],
)
def test_a_number_inside_a_sentence_is_not_taken_for_a_section(line: str) -> None:
    assert numbers("5. ביצוע", "המנהל יורה.", line, "6. תחילה", "ביום פרסומו.") == ["5", "6"]


def test_table_of_contents_without_entries_swallows_no_section() -> None:
    assert headings(
        "תקנות הרוקחים",
        "תוכן עניינים",
        "1. השם הקצר",
        "תקנות אלה תקראנה ”תקנות הרוקחים“.",
        "2. בקשה לרשיון",
        "בקשה תוגש למנהל.",
    ) == [("1", "השם הקצר"), ("2", "בקשה לרשיון")]


@pytest.mark.parametrize("note", ["Section 19", "Section 19(2)", "Article 7"])
def test_section_that_schedule_belongs_to_is_not_section_of_it(note: str) -> None:
    found = drafts(
        "Section 1",
        "These Regulations apply.",
        "Schedule 1\tRegulated Activities",
        note,
        "Schedule 1.Part 1\tGeneral",
        "Schedule 1.Part 1.1.\tGeneral",
        "This Schedule specifies activities.",
        "Schedule 1.Part 2.Chapter 1.2.\tDealing",
        "Dealing is an activity.",
        kind="regulation",
    )
    assert [(draft.section, draft.path) for draft in found if draft.path and draft.section] == [
        ("1", ("Schedule 1 Regulated Activities", "Part 1")),
        ("2", ("Schedule 1 Regulated Activities", "Part 2", "Chapter 1")),
    ]


@pytest.mark.parametrize("misprint", ["2אA", "2Aא"])
def test_letters_of_two_scripts_in_a_number_break_nothing(misprint: Any) -> None:
    assert numbers("1. שם", "טקסט.", f"{misprint}. הגדרה", "טקסט.", "3. תחילה", "טקסט.") == ["1", misprint, "3"]
