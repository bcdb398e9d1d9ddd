"""References as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.citations.cited_items import CitedDivision, CitedItem
from law.citations.parsing import find_references

HOSTILE = [
    "1",
    "1 ",
    "(1",
    "(",
    ")",
    "1.",
    "1א",
    "סעיף 1 ו",
    " ",
    "(א)",
    "s.",
    "§",
    "1-",
    ", ",
    "Part I of ",
    "A",
    "AB 1",
]
HOSTILE += [
    "1:",
    "1-A",
    "1-1",
    " bis",
    "two ",
    "(א)(1)",
    "subsection (1) of ",
    "סעיף קטן (א) ",
    "-",
    "ה",
    "תוספת א ",
    '"',
    "ו־",
]
PIECES = st.sampled_from(
    [*HOSTILE, "סעיף 5", "rule 3.4", "–", " to ", " עד ", "Schedule 1", "\u05b7", "COBS 3.4.1", "٣", "²"]
)


@pytest.mark.parametrize(
    ("query", "sections", "clauses", "after"),
    [
        ("סעיף 5(א) לחוק חוזה הביטוח", ["5"], (("א",),), "לחוק חוזה הביטוח"),
        ("שבסעיף 15ג(א)(2) לחוק הדיינים", ["15ג"], (("א", "2"),), "לחוק הדיינים"),
        ("בסעיף 25(ב1) ו־(ב2) לחוק הבחירות", ["25"], (("ב1",), ("ב2",)), "לחוק הבחירות"),
        ("Sect. 9(1) of the Pier Act", ["9"], (("1",),), "Pier Act"),
        ("section 9(1)(a) and (c) of the Pier Act", ["9"], (("1", "a"), ("1", "c")), "Pier Act"),
        ("סעיף קטן (ב) של סעיף 5 לחוק המים", ["5"], (("ב",),), "לחוק המים"),
        ("פסקה (2) לסעיף 5 לחוק המים", ["5"], (("2",),), "לחוק המים"),
        ("subsection (3) of section 12 of the Pier Act", ["12"], (("3",),), "Pier Act"),
        ("סעיפים 5 ו-6 לחוק העונשין", ["5", "6"], (), "לחוק העונשין"),
        ("תקנה 9ב לתקנות המים", ["9ב"], (), "לתקנות המים"),
        ("ס' 63א1 לחוק הגמלאות", ["63א1"], (), "לחוק הגמלאות"),
        ("סעיף 7 של חוק הגנת הצרכן", ["7"], (), "חוק הגנת הצרכן"),
        ("סעיף 7 ל־חוק הגנת הצרכן", ["7"], (), "חוק הגנת הצרכן"),
        ("Rule 18.8.2", ["18.8.2"], (), ""),
        ("Rule 18.8.2 of COBS", ["18.8.2"], (), "COBS"),
        ("Rule A1.2.3(4)", ["A1.2.3"], (("4",),), ""),
        ("section 12(3) of the Companies Act 2006", ["12"], (("3",),), "Companies Act 2006"),
        ("Art. 6(1)(f) GDPR", ["6"], (("1", "f"),), "GDPR"),
        ("Art.6 GDPR", ["6"], (), "GDPR"),
        ("reg. 5 of the Pier Regulations", ["5"], (), "Pier Regulations"),
        ("§ 5", ["5"], (), ""),
        ("18.8.2", ["18.8.2"], (), ""),
        ("18.8.2(3)", ["18.8.2"], (("3",),), ""),
        ("Article 4 bis of the Pier Law", ["4bis"], (), "Pier Law"),
        ("Art. 4-bis(2) of the Pier Law", ["4bis"], (("2",),), "Pier Law"),
        ("article 12quinquies of the Pier Law", ["12quinquies"], (), "Pier Law"),
        ("Article 4-A of the Pier Law", ["4A"], (), "Pier Law"),
        ("Article 1:2 of the Pier Code", ["1:2"], (), "Pier Code"),
        ("Article XX(2)(b) of the Pier Treaty", ["XX"], (("2", "b"),), "Pier Treaty"),
        ("section 124ZADAB of the Pier Act", ["124ZADAB"], (), "Pier Act"),
        ("Article Two of the Pier Law", ["2"], (), "Pier Law"),
        ("section twenty-one of the Pier Act", ["21"], (), "Pier Act"),
        ("section 16-5-1 of the Pier Code", ["16-5-1"], (), "Pier Code"),
        ("§ 12.1-16-01", ["12.1-16-01"], (), ""),
        ("section 18.2-32 of the Pier Code", ["18.2-32"], (), "Pier Code"),
        ("section 2C:11-3(a) of the Pier Code", ["2C:11-3"], (("a",),), "Pier Code"),
        ("section 632-A:4", ["632A:4"], (), ""),
        ("section 9A.32.030(1)", ["9A.32.030"], (("1",),), ""),
        ("RCW 9A.32.030", ["9A.32.030"], (), ""),
    ],
)
def test_references_are_read(query: str, sections: list[str], clauses: tuple[tuple[str, ...], ...], after: str) -> None:
    (reference,) = find_references(query)
    found = [section for item in reference.items for section in item.sections]
    assert (found, reference.items[0].clauses, reference.after) == (sections, clauses, after)


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        ("סעיפים 3 עד 5 לחוק", ["3", "4", "5"]),
        ("סעיפים 3–5 לחוק", ["3", "4", "5"]),
        ("סעיפים 3 - 5 לחוק", ["3", "4", "5"]),
        ("סעיפים 3־5, 7 ו־9 לחוק", ["3", "4", "5", "7", "9"]),
        ("סעיפים 5א עד 5ד לחוק", ["5א", "5ב", "5ג", "5ד"]),
        ("סעיפים 2, 4ו־6 לחוק", ["2", "4", "6"]),
        ("סעיף 3 וסעיף 9 לחוק", ["3", "9"]),
        ("sections 3 to 5 and 9", ["3", "4", "5", "9"]),
        ("sections 3, 4, and 9", ["3", "4", "9"]),
        ("section 3 and section 9", ["3", "9"]),
        ("ss. 12A–12C", ["12A", "12B", "12C"]),
        ("Rules 18.8.2 to 18.8.4", ["18.8.2", "18.8.3", "18.8.4"]),
        ("sections 9 to 3", ["9", "3"]),
        ("rules 3.1 to 4.2", ["3.1", "4.2"]),
        ("rules 9.1-9.3", ["9.1", "9.2", "9.3"]),
        ("sections 16-5-1 and 16-5-3", ["16-5-1", "16-5-3"]),
        ("sections 45-5-102 to 45-5-104", ["45-5-102", "45-5-103", "45-5-104"]),
        ("section 5 and two others", ["5"]),
        ("Articles III, IV and XI bis", ["III", "IV", "XIbis"]),
        ("sections 1 to 500", [str(number) for number in range(1, 11)]),
    ],
)
def test_lists_and_ranges_are_read_in_order(query: str, sections: list[str]) -> None:
    (reference,) = find_references(query)
    assert [section for item in reference.items for section in item.sections] == sections


def test_each_section_of_a_list_keeps_its_own_clauses() -> None:
    (reference,) = find_references("sections 5(a) and 7(2) of the Pier Act")
    assert reference.items == (CitedItem("5", clauses=(("a",),)), CitedItem("7", clauses=(("2",),)))


@pytest.mark.parametrize(
    ("query", "sections", "divisions"),
    [
        ("Part 4 of FSMR", [], [("part", "4")]),
        ("Part IV of the Pier Act", [], [("part", "4")]),
        ("Schedule 1 para 3", ["3"], [("schedule", "1")]),
        ("S/RES/1373 (2001) OP 8", ["8"], []),
        ("Sch. 1, paragraph 3", ["3"], [("schedule", "1")]),
        ("paragraph 3 of Part 2 of Schedule 1 to the Pier Act", ["3"], [("part", "2"), ("schedule", "1")]),
        ("פרט 3 לתוספת השנייה לחוק המים", ["3"], [("תוספת", "2")]),
        ("סעיף 3 לתוספת לחוק המים", ["3"], [("תוספת", "")]),
        ("פרק ב׳ לחוק המים", [], [("פרק", "2")]),
        ("לפרק השני לחוק המים", [], [("פרק", "2")]),
        ('פרק ט"ו לחוק המים', [], [("פרק", "15")]),
        ("Article II, Section 1 of the Pier Charter", ["1"], [("article", "2")]),
        ("Art. II, § 1 of the Pier Charter", ["1"], [("article", "2")]),
    ],
)
def test_parts_and_schedules_are_read(query: str, sections: list[str], divisions: list[tuple[str, str]]) -> None:
    (reference,) = find_references(query)
    assert [item.number for item in reference.items] == sections
    assert list(reference.divisions) == [CitedDivision(*division) for division in divisions]


def test_a_short_name_may_stand_right_before_the_number() -> None:
    (reference,) = find_references("What does COBS 3.4.1(2) require?")
    assert reference.items == (CitedItem("3.4.1", clauses=(("2",),)),)


def test_an_article_and_who_speaks_are_told_apart() -> None:
    assert find_references("the article I read on piers") == []


def test_the_name_may_come_first() -> None:
    (reference,) = find_references("Companies Act 2006, s. 12A")
    assert reference.items == (CitedItem("12A"),)
    assert reference.before.startswith("Companies Act 2006")


def test_two_acts_in_one_query_are_two_references() -> None:
    one, other = find_references("section 5 of the Pier Act and section 7 of the Harbour Act")
    assert (one.items[0].number, other.items[0].number) == ("5", "7")


@pytest.mark.parametrize(
    "query",
    [
        *("5 dogs", "תוך 30 ימים", "rules apply", "פרסעיף 5", "2019", "part of the company", "חלק מהעובדים", "פרק זה"),
        *(
            "regulation 2016/679",
            "תיקון מס׳ 3 לתקנון",
            "rules of 5%",
            "part i played",
            "18.8.2 of what",
            "12.3.2019 ועד היום",
        ),
    ],
)
def test_other_numbers_are_not_references(query: str) -> None:
    assert find_references(query) == []


@pytest.mark.deep
@pytest.mark.parametrize("part", HOSTILE)
def test_repetitive_queries_do_not_make_the_pattern_backtrack_for_ever(part: str) -> None:
    # 100,000 characters: if the work grew faster than they do, the run's time limit would say so.
    for start in ("סעיף 1", "", "COBS 3.4", "Schedule 1 para 1"):
        find_references(start + part * (100_000 // len(part)) + "x")


@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_whatever_the_query_its_references_are_bounded(query: str) -> None:
    for reference in find_references(query):
        assert reference.items or reference.divisions
        assert all(len(item.sections) <= 10 for item in reference.items)


@pytest.mark.parametrize("marks", ["''", "׳׳", "’’"])
def test_gershayim_typed_as_two_marks_are_read_as_one(marks: str) -> None:
    [one] = find_references('ס"ק 5(ב) לחוק הספריות, התשפ"ד–2024')
    typed = f"ס{marks}ק 5(ב) לחוק הספריות, התשפ{marks}ד–2024"
    [two] = find_references(typed)
    assert two.items == one.items
    assert two.after == one.after
