"""Laws and regulations are cut by section."""

from extraction import Page
from law.chunking import SECTION_SIZES, chunk
from law.chunking.packing import ChunkDraft


def drafts(*paragraphs: str, kind: str = "law") -> list[ChunkDraft]:
    return list(chunk([Page(number=None, paragraphs=paragraphs)], kind=kind))


def numbers(*paragraphs: str) -> list[str]:
    return [draft.section for draft in drafts(*paragraphs)]


def headings(*paragraphs: str) -> list[tuple[str, str]]:
    return [(draft.section, draft.heading) for draft in drafts(*paragraphs) if draft.section]


def test_one_section_is_one_chunk_and_what_precedes_is_preamble() -> None:
    found = drafts(
        'חוק הדוגמה, התש"ף–2020', "1. הגדרות", "בחוק זה –", "”עובד“ – לרבות מתנדב.", "2. תחולה", "החוק חל על הכול."
    )
    assert [(draft.section, draft.heading, draft.text.count("\n")) for draft in found] == [
        ("", "", 0),
        ("1", "הגדרות", 2),
        ("2", "תחולה", 1),
    ]


def test_marginal_heading_stands_before_its_section() -> None:
    found = drafts(
        "הגדרות",
        "1. בחוק זה, השר – שר האוצר.",
        "איסור",
        "2.",
        "(א) לא יעשה אדם דבר.",
        "סייג",
        "2א. האמור לא יחול על מי שפטור.",
    )
    assert [(draft.section, draft.heading) for draft in found if draft.section][1:] == [("2", "איסור"), ("2א", "סייג")]
    assert found[-2].text.startswith("איסור\n2.")


def test_heading_may_be_missing() -> None:
    assert headings("1. הגדרות", "בחוק זה, השר – שר האוצר.", "2.", "(בוטל).", "3. האמור בחוק זה יחול על כל אדם.") == [
        ("1", "הגדרות"),
        ("2", ""),
        ("3", ""),
    ]


def test_table_row_may_hold_heading_number_and_text() -> None:
    assert headings("הגדרות\t1.\tבחוק זה, השר – שר האוצר.", "תחולה\t2.\tהחוק חל על הכול.") == [
        ("1", "הגדרות"),
        ("2", "תחולה"),
    ]


def test_inserted_sections_ascend() -> None:
    body = "האמור יחול על כל אדם."
    found = numbers(
        *(
            line
            for number in ("1", "1א", "1א1", "1ב", "1בא", "1ג", "2", "9", "9י", "9יא", "9טו", "10")
            for line in (f"{number}.", body)
        )
    )
    assert found == ["1", "1א", "1א1", "1ב", "1בא", "1ג", "2", "9", "9י", "9יא", "9טו", "10"]


def test_cross_reference_is_no_section() -> None:
    assert numbers(
        "1. מטרה",
        "מטרת החוק להגן.",
        "2. ביצוע",
        "הוראות לפי",
        "סעיף 5 לחוק העונשין יחולו.",
        "סעיף 7 יחול בשינויים.",
        "כאמור בסעיף",
        "3. לחוק העיקרי.",
    ) == ["1", "2"]
    assert numbers(
        "Section 1. Scope",
        "This Act applies.",
        "Section 2. Notices",
        "Notices are given in writing.",
        "Section 5 applies to a person.",
        "Section 3(2) of the Act",
        "Section 4, 5 and 6",
    ) == ["1", "2"]


def test_list_inside_a_section_is_no_section() -> None:
    assert numbers(
        "1. הגדרות",
        "בחוק זה, אלה כלי טיס:",
        "1. מטוס;",
        "2. מסוק;",
        "3. דאון.",
        "2. רישוי",
        "אלה הרישיונות:",
        "1. טייס;",
        "2. מדריך;",
        "3. מכונאי.",
        "3. ערר",
        "ניתן לערור.",
    ) == ["1", "2", "3"]


def test_quoted_amendment_is_no_section() -> None:
    assert numbers(
        "1. תיקון סעיף 4",
        "בסעיף 4 לחוק העיקרי, אחרי סעיף קטן (ב) יבוא:",
        '"4א. חובת דיווח',
        "(א) תאגיד ידווח לרשות.",
        '4ב. הרשות תפרסם דיווחים.".',
        "2. תחילה",
        "תחילתו של חוק זה ביום פרסומו.",
    ) == ["1", "2"]


def test_stray_number_far_ahead_does_not_stop_the_count() -> None:
    body = "האמור יחול על כל אדם."
    assert numbers("1. מטרה", body, "2. תחולה", body, "48. סעיף בודד", body, "3. ביצוע", body, "4. תחילה", body)[
        -2:
    ] == ["3", "4"]


def test_path_names_the_chapters_above() -> None:
    body = "האמור יחול על כל אדם."
    found = drafts(
        "חלק א': יסודות",
        "פרק ראשון: פרשנות",
        "1. הגדרות",
        body,
        "פרק שני",
        "תנאי רישוי",
        "סימן א': כללי",
        "2. חובה",
        body,
        "חלק ב': שונות",
        "3. תחילה",
        body,
    )
    assert [draft.path for draft in found] == [
        ("חלק א': יסודות", "פרק ראשון: פרשנות"),
        ("חלק א': יסודות", "פרק שני: תנאי רישוי", "סימן א': כללי"),
        ("חלק ב': שונות",),
    ]
    assert found[1].text.startswith("פרק שני\nתנאי רישוי")


def test_mention_of_a_chapter_opens_none() -> None:
    found = drafts(
        "1. סייג",
        "האמור לא יחול.",
        "פרק ב' לחוק העונשין לא יחול.",
        "פרק זה נועד להסדיר את הפיקוח.",
        "2. ביצוע",
        "השר ממונה.",
    )
    assert {draft.path for draft in found} == {()}


def test_schedule_counts_anew_and_names_itself_in_the_path() -> None:
    body = "האמור יחול על כל אדם."
    found = drafts("1. מטרה", body, "2. תחולה", body, "תוספת ראשונה", "(סעיף 2)", "1. אגרה", body, "2. תשלום", body)
    assert [(draft.section, draft.path) for draft in found if draft.section] == [
        ("1", ()),
        ("2", ()),
        ("1", ("תוספת ראשונה",)),
        ("2", ("תוספת ראשונה",)),
    ]


def test_table_of_contents_makes_no_sections() -> None:
    body = "האמור יחול על כל אדם."
    contents = ("תוכן עניינים", "1. הגדרות", "2. תחולה", "3. ביצוע")
    found = drafts("חוק הדוגמה", *contents, "1. הגדרות", body, "2. תחולה", body, "3. ביצוע", body)
    assert [draft.section for draft in found if draft.section] == ["1", "2", "3"]
    assert numbers("1. הגדרות ...... 1", "2. תחולה ...... 4", "1. הגדרות", body, "2. תחולה", body)[-2:] == ["1", "2"]


def test_english_sections_rules_and_articles() -> None:
    body = "A person must comply with these rules."
    assert headings("Section 1. Short title", body, "Section 2 — Definitions", body) == [
        ("1", "Short title"),
        ("2", "Definitions"),
    ]
    assert (
        headings("Article 1", "Subject matter", body, "1. First.", "2. Second.", "Article 2", "Scope", body)[0][0]
        == "1"
    )
    assert [n for n in numbers("Article 1", body, "1. First.", "2. Second.", "Article 2", body) if n] == ["1", "2"]
    assert headings("§ 1 Purpose", body, "§ 2 Fees", body) == [("1", "Purpose"), ("2", "Fees")]
    assert headings("Rule 5.1 Application", body, "Rule 5.2 Records", body) == [
        ("5.1", "Application"),
        ("5.2", "Records"),
    ]


def test_decimal_numbers_stand_below_their_headings() -> None:
    found = drafts(
        "1.\tINTRODUCTION",
        "1.1\tApplication",
        "1.1.1\tThese rules apply to every firm.",
        "1.1.2.(1)\tA firm must keep records.",
        "1.1.2.(2)\tRecords are kept for six years.",
        "2.\tCONDUCT",
        "2.1.1\tA firm acts fairly.",
    )
    assert [(draft.section, draft.path) for draft in found] == [
        ("1.1.1", ("1 INTRODUCTION", "1.1 Application")),
        ("1.1.2", ("1 INTRODUCTION", "1.1 Application")),
        ("2.1.1", ("2 CONDUCT",)),
    ]


def test_numbers_inserted_as_fractions_are_sections() -> None:
    body = "A person must comply with these rules."
    inserted = ("16", "16.01", "16.011", "16.02", "16.1", "16.11", "16.19", "16.2", "17")
    found = numbers(*(line for number in inserted for line in (f"{number}. Records", body)))
    assert tuple(number for number in found if number) == inserted


def test_a_number_that_goes_back_is_no_fraction_where_no_zero_shows_it() -> None:
    body = "A person must comply with these rules."
    counted = tuple(f"1.{place}" for place in range(1, 11))
    found = numbers(*(line for number in counted for line in (f"{number}. Records", body)), "1.2. Fees", body)
    assert tuple(number for number in found if number) == counted


def test_a_lone_schedule_is_no_text_of_the_section_before_it() -> None:
    body = "A person must comply with these rules."
    found = drafts(
        "1. Aim", body, "2. Oath", body, "SCHEDULE (Section 2) Words of the oath", "1. I swear.", "2. I affirm."
    )
    assert [(draft.section, draft.path) for draft in found if draft.section][2:] == [
        ("1", ("SCHEDULE (Section 2) Words of the oath",)),
        ("2", ("SCHEDULE (Section 2) Words of the oath",)),
    ]


def test_number_may_carry_the_parts_above_it() -> None:
    found = drafts(
        "Part 1\tGeneral",
        "Part 1.1.\tDefinitions",
        "Terms have these meanings.",
        "Part 2.Chapter 1.2.(1)\tA person may apply.",
    )
    assert [(draft.section, draft.path) for draft in found if draft.section] == [
        ("1", ("Part 1 General",)),
        ("2", ("Part 2", "Chapter 1")),
    ]


def test_quantity_at_a_line_start_is_no_section() -> None:
    assert numbers(
        "1. מידות", "גובה הגדר יהיה", "0.6 מטר לפחות;", "2.5 מטרים לכל היותר.", "2. ביצוע", "השר ממונה."
    ) == ["1", "2"]


def test_long_section_is_cut_at_its_clauses() -> None:
    clauses = [f"({letter}) " + "הוראה מפורטת לעניין זה. " * 25 for letter in "אבגדהו"]
    found = drafts("1. חובות", *clauses, "2. תחילה", "מיד.")
    parts = [draft for draft in found if draft.section == "1"]
    assert len(parts) > 1
    assert all(draft.text.startswith(("1.", "(")) for draft in parts)
    assert {(draft.heading, draft.path) for draft in parts} == {("חובות", ())}
    assert all(500 <= len(draft.text) <= SECTION_SIZES.maximum for draft in parts)


def test_outer_clauses_are_cut_before_inner_ones() -> None:
    item = "פריט ברשימה ארוכה מאוד של פריטים; " * 4
    clauses = [
        line
        for letter in "אבגד"
        for line in (f"({letter}) אלה הפריטים:", *(f"({index}) {item}" for index in range(1, 8)))
    ]
    parts = [draft for draft in drafts("1. רשימות", *clauses) if draft.section]
    assert all(draft.text.startswith(("1.", "(א)", "(ב)", "(ג)", "(ד)")) for draft in parts)


def test_section_number_survives_a_page_border() -> None:
    pages = [
        Page(number=1, paragraphs=("1. חובה", "כל אדם"), continues=True),
        Page(number=2, paragraphs=("2. יקיים את החוק.", "2. תחילה", "מיד.")),
    ]
    found = list(chunk(pages, kind="law"))
    assert [(draft.section, draft.page) for draft in found] == [("1", 1), ("2", 2)]
    assert "כל אדם 2. יקיים" in found[0].text


def test_a_long_statute_counts_beyond_a_thousand_and_a_year_is_no_section() -> None:
    lines = [line for number in range(1, 1101) for line in (f"{number}. Heading {number}", "A company shall comply.")]
    lines.insert(2, "1994. That was the year.")
    assert numbers(*lines) == [str(number) for number in range(1, 1101)]
