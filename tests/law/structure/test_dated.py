"""On which days the parts of a text read so, where the text says it in marks."""

from datetime import date

import pytest

from extraction.document import Page
from law.chunking import chunk
from law.chunking.packing import ChunkDraft
from law.structure.lines.day_marks import find_marks
from law.structure.provisions import Outline
from law.timeline import Period

FROM, UNTIL = Period(begin=date(2021, 7, 1)), Period(end=date(2021, 7, 1))
ALWAYS = Period()


def read(text: str, kind: str = "law") -> tuple[list[ChunkDraft], dict[str, Period]]:
    outline = Outline()
    drafts = list(chunk([Page(number=None, paragraphs=tuple(text.split("\n")))], kind=kind, outline=outline))
    eids = [one.eid for one in outline.provisions]
    assert len(eids) == len(set(eids))
    assert "".join(draft.gap + draft.text for draft in drafts) == text
    return drafts, {one.eid: one.days for one in outline.provisions}


def days_of(text: str, words: str) -> Period:
    """The days of the passage that holds the words; of several, one fails."""
    [found] = [draft for draft in read(text)[0] if words in draft.text]
    return found.days


@pytest.mark.parametrize(
    ("mark", "days", "replaces"),
    [
        ("(החל מיום 1.7.2021):", FROM, True),
        ("(עד יום 30.6.2021):", UNTIL, False),
        ("(עד ליום 30 ביוני 2021):", UNTIL, False),
        ('(החל מיום כ"א בתמוז התשפ"א (1 ביולי 2021)):', FROM, True),
        ("(בתוקף מיום 1.7.2021):", FROM, True),
        ("(תחילתו של פרק זה ביום 1.7.2021).", FROM, True),
        ("(בטל החל מיום 1.7.2021):", UNTIL, False),
        ("(התקנה תבוטל ביום 1.7.2021):", UNTIL, False),
        ("(הוראת שעה לשלוש שנים מיום 1.7.2021):", Period(date(2021, 7, 1), date(2024, 7, 1)), False),
        ("(הוראת שעה לשנתיים מיום 29.2.2020):", Period(date(2020, 2, 29), date(2022, 3, 1)), False),
        ("(הוראת שעה מיום 1.7.2021 ועד יום 31.12.2021):", Period(date(2021, 7, 1), date(2022, 1, 1)), False),
        (
            "(הוראת שעה מיום 1.7.2021 עד יום 31.12.2021 או עד יום אישור התקציב, לפי המוקדם):",
            Period(date(2021, 7, 1), date(2022, 1, 1)),
            False,
        ),
        ("(יחול על בקשות שהוגשו החל מיום 1.7.2021):", FROM, False),
        ("(החל מהיום הקובע לתחילתו של חוק הגנים (תיקון מס׳ 3), ביום 1.7.2021):", FROM, True),
        (
            "(הוראת שעה לתקופה של שנתיים מיום 1.7.2021, יום פרסום תקנות הגנים (הרכב ועדה)):",
            Period(date(2021, 7, 1), date(2023, 7, 1)),
            False,
        ),
        ("(בתקופת הוראת השעה של חוק הגנים (הוראת שעה), התשע״א–2011, עד ליום 30.6.2021):", UNTIL, False),
        ("(הנוסח החל על בקשה שהוגשה החל מיום 1.7.2021):", FROM, False),
        ("(החל מיום 1.7.2021; יחול על בקשה שהוגשה החל מיום זה):", FROM, False),
        ("[Effective July 1, 2021:]", FROM, True),
        ("(in force from 1 July 2021):", FROM, True),
        ("[Effective until June 30, 2021.]", UNTIL, False),
        ("[This section is effective until June 30, 2021. See the version effective July 1, 2021.]", UNTIL, False),
        ("(effective from 2021-07-01 to 2021-12-31):", Period(date(2021, 7, 1), date(2022, 1, 1)), False),
        ("[Repealed effective July 1, 2021]", UNTIL, False),
    ],
)
def test_a_mark_names_days(mark: str, days: Period, replaces: bool) -> None:
    [found] = find_marks(f"{mark} what it says")
    assert (found.days, found.replaces) == (days, replaces)


@pytest.mark.parametrize(
    "text",
    [
        "(החל מיולי 2019; 75 שקלים)",  # a month alone
        "(החל מיום תחילתו של תיקון מס׳ 14):",  # a day that is not said
        "(הוראת שעה בשנים 2019 ו־2020):",
        "(עד ה־1 ביוני בכל שנה)",
        "(החל מיום 1.7.2021 ככל שהדבר אפשרי):",  # words that are not known
        "(מיום 1.7.2021 עד יום 1.6.2021):",  # it would end before it begins
        "[Repealed, 2012, c. 19, s. 5]",
        "(from 1 March 2020 onwards)",
        "[Effective 7/6/2021]",  # nobody can tell the day from the month
    ],
)
def test_what_names_no_days_is_no_mark(text: str) -> None:
    assert not list(find_marks(text))


TWICE = """חוק בתי קפה לדוגמה, התש"ף–2020
1. רישיון
בית קפה יחזיק רישיון בתוקף.
2. שעות הפתיחה
בית קפה ייסגר בשעה עשר בלילה.
2. שעות הפתיחה והסגירה
(החל מיום 1.7.2021): בית קפה ייסגר בשעת חצות.
3. עונשין
המפר הוראה מהוראות חוק זה דינו קנס."""


def test_a_section_printed_twice_is_two_dated_provisions() -> None:
    drafts, days = read(TWICE)
    assert days == {"sec_1": ALWAYS, "sec_2": UNTIL, "sec_2_2": FROM, "sec_3": ALWAYS}
    assert {draft.eid: draft.days for draft in drafts if draft.eid} == days


def test_an_english_section_ends_where_its_next_printing_begins() -> None:
    text = """Lighthouse Act
1. Keepers
Each lighthouse has a keeper.
2. Lamps [Effective until June 30, 2021]
A lamp burns oil.
2. Lamps [Effective July 1, 2021]
A lamp burns gas.
3. Fees
A ship pays a fee."""
    assert read(text)[1] == {"sec_1": ALWAYS, "sec_2": UNTIL, "sec_2_2": FROM, "sec_3": ALWAYS}


def test_a_mark_above_a_section_is_of_that_section() -> None:
    text = (
        "Lighthouse Act\n1. Keepers\nEach lighthouse has a keeper.\n[Effective July 1, 2021:]\n2. Lamps\nA lamp burns."
    )
    assert read(text)[1] == {"sec_1": ALWAYS, "sec_2": FROM}


def test_a_mark_in_the_first_clause_is_of_the_whole_section() -> None:
    text = "חוק לדוגמה\n1. מאגר\n  (א) (החל מיום 1.7.2021): יוקם מאגר.\n  (ב) המאגר יהיה פתוח.\n2. אגרה\nלא תיגבה אגרה."
    assert read(text)[1] == {"sec_1": FROM, "sec_2": ALWAYS}


def test_a_mark_behind_the_title_of_a_chapter_is_of_the_chapter() -> None:
    text = """Lighthouse Act
[Effective January 1, 2020]
1. Keepers
Each has a keeper.
Chapter 2: Lamps [Effective July 1, 2021]
2. Oil
A lamp burns oil.
3. Gas
A lamp burns gas.
Chapter 3: Fees
4. Fee
A ship pays a fee."""
    days = read(text)[1]
    assert {eid for eid, one in days.items() if one == FROM} == {"chp_2", "sec_2", "sec_3"}
    assert {one for eid, one in days.items() if eid in ("sec_1", "chp_3", "sec_4")} == {ALWAYS}


CLAUSES = """חוק לדוגמה
1. מוסדות
  (א) המוסד ינהל ספרים.
  (ב) המוסד ידווח פעם בשנה:
    (1) לשר;
    (2) לציבור.
  (ב) (החל מיום 1.7.2021): המוסד ידווח פעם ברבעון:
    (1) לשר הממונה;
    (2) לכל דורש.
  (ג) (בטל החל מיום 1.7.2021): המוסד פטור מאגרה.
  (ד) המוסד ימנה מבקר."""


def test_a_clause_is_printed_twice_with_what_is_inside_it() -> None:
    assert days_of(CLAUSES, "פעם בשנה") == days_of(CLAUSES, "לציבור") == UNTIL
    assert days_of(CLAUSES, "פעם ברבעון") == days_of(CLAUSES, "לכל דורש") == FROM
    assert days_of(CLAUSES, "פטור מאגרה") == UNTIL
    assert days_of(CLAUSES, "ינהל ספרים") == days_of(CLAUSES, "ימנה מבקר") == ALWAYS
    assert read(CLAUSES)[1] == {"sec_1": ALWAYS}


def test_the_first_clause_alone_is_printed_twice() -> None:
    text = "חוק לדוגמה\n1. דוח\n(א) דוח יוגש בכתב.\n(א) (החל מיום 1.7.2021): דוח יוגש ברשת.\n(ב) הדוח יפורסם."
    assert (days_of(text, "בכתב"), days_of(text, "ברשת"), days_of(text, "יפורסם")) == (UNTIL, FROM, ALWAYS)


def test_two_readings_on_one_line_are_cut_apart() -> None:
    text = "חוק לדוגמה\n1. דוח\n(א) דוח יוגש בכתב.(החל מיום 1.7.2021): דוח יוגש ברשת.\n(ב) הדוח יפורסם."
    assert (days_of(text, "בכתב"), days_of(text, "ברשת"), days_of(text, "יפורסם")) == (UNTIL, FROM, ALWAYS)
    assert days_of(text, "1. דוח") == UNTIL  # a heading is no passage of its own


def test_paragraphs_end_where_their_next_reading_begins() -> None:
    text = "חוק לדוגמה\n1. דוח\n(עד יום 30.6.2021): דוח יוגש בכתב.\n(החל מיום 1.7.2021): דוח יוגש ברשת.\n2. שם\nשמו כך."
    assert (days_of(text, "בכתב"), days_of(text, "ברשת"), days_of(text, "שמו")) == (UNTIL, FROM, ALWAYS)
    inline = (
        "Lighthouse Act\n1. Each lighthouse has a keeper.\n(effective July 1, 2021): Each lighthouse has two keepers."
    )
    assert (days_of(inline, "has a keeper"), days_of(inline, "two keepers")) == (UNTIL, FROM)


def test_a_definition_ends_where_its_next_reading_begins() -> None:
    text = """חוק לדוגמה
1. הגדרות
בחוק זה –
”גן“ – גן ציבורי;
”ספרייה“ – ספרייה ציבורית;
”ספרייה“ – (החל מיום 1.7.2021): ספרייה או ארכיון;
”קורא“ – מי ששואל ספר."""
    assert (days_of(text, "ספרייה ציבורית"), days_of(text, "או ארכיון")) == (UNTIL, FROM)
    assert days_of(text, "גן ציבורי") == days_of(text, "ששואל") == ALWAYS


def test_beside_a_temporary_provision_the_other_goes_on() -> None:
    for mark, days in (
        ("(הוראת שעה מיום 1.7.2021 עד יום 31.12.2021):", Period(date(2021, 7, 1), date(2022, 1, 1))),
        ("(יחול על דוחות שהוגשו החל מיום 1.7.2021):", FROM),
    ):
        text = f"חוק לדוגמה\n1. דוח\n(א) דוח יוגש בכתב.{mark} דוח יוגש ברשת.\n(ב) הדוח יפורסם."
        assert (days_of(text, "בכתב"), days_of(text, "ברשת")) == (ALWAYS, days)


def test_a_chapter_gives_its_days_to_its_sections() -> None:
    text = """חוק לדוגמה
1. שם
שמו של חוק זה לדוגמה.
פרק ב׳: יבוא
(הוראת שעה לשלוש שנים מיום 1.7.2021):
2. יבואן
יבואן יירשם במרשם.
3. מרשם
  (א) המרשם פתוח.
  (ב) (בטל החל מיום 1.7.2022): עיון במרשם כרוך באגרה.
פרק ג׳: כללי
4. ביצוע
השר ממונה על הביצוע."""
    three, two = Period(date(2021, 7, 1), date(2024, 7, 1)), Period(date(2021, 7, 1), date(2022, 7, 1))
    _, days = read(text)
    assert days == {"sec_1": ALWAYS, "chp_2": three, "sec_2": three, "sec_3": three, "chp_3": ALWAYS, "sec_4": ALWAYS}
    assert (days_of(text, "כרוך באגרה"), days_of(text, "המרשם פתוח")) == (two, three)


@pytest.mark.parametrize(
    "line",
    [
        "בסעיף 5 לחוק העיקרי יבוא:\n”5. (החל מיום 1.7.2021): בית קפה ייסגר בחצות.“",
        "בית קפה שנפתח (החל מיום 1.7.2021): ייסגר בחצות.",  # inside a sentence
        "בית קפה ייסגר בחצות (עד יום 30.6.2021).",
    ],
)
def test_quoted_amendments_and_sentences_have_no_marks(line: str) -> None:
    drafts, days = read(f"חוק לדוגמה\n1. תיקון\n{line}\n2. תחילה\nתחילתו ביום פרסומו.")
    assert {draft.days for draft in drafts} | set(days.values()) == {ALWAYS}
