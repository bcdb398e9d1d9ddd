"""The title that a document is proposed."""

import pytest

from law.metadata.aliases import find_identifier
from law.metadata.head import FieldValue, HeadPage
from law.metadata.kind import find_case, find_subject
from law.metadata.lines import HeadLine, lines_of
from law.metadata.title import find_title


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Lighthouses Act¹", "Lighthouses Act"),
        ("Lighthouses Act¹ 2031", "Lighthouses Act 2031"),
        ("Lighthouses (Keepers’ Dues) Regulations 2031¹,²", "Lighthouses (Keepers’ Dues) Regulations 2031"),
        ("Lighthouses Regulations*", "Lighthouses Regulations"),
        ("Lighthouses Regulations†‡", "Lighthouses Regulations"),
        ("Lighthouses Act[1]", "Lighthouses Act"),
        ("Lighthouses Act ⁽¹⁾", "Lighthouses Act"),
        ("חוק המגדלורים*", "חוק המגדלורים"),
        ('חוק המגדלורים¹, התשצ"א–2031', 'חוק המגדלורים, התשצ"א–2031'),
        ('תקנות המגדלורים, התש"ף¹', 'תקנות המגדלורים, התש"ף'),
        ("צו המגדלורים** (אגרות)", "צו המגדלורים (אגרות)"),
    ],
)
def test_title_has_no_marks_of_notes_and_its_quote_does(line: str, title: str) -> None:
    found = find_title(lines_of([HeadPage(1, f"{line}\n1. A lighthouse is lit at dusk.")]))
    assert found
    assert found.value == title
    assert found.quote in line


@pytest.mark.parametrize(
    "title",
    ["Plots under 500 m² (Levy) Act", "Limits of 10⁶ Tonnes Rules", "L*STAR Act", 'צו השטח (500 מ"ר²)', "חוק 5 מ²"],
)
def test_powers_and_stars_of_a_name_stay(title: str) -> None:
    found = find_title(lines_of([HeadPage(1, f"{title}\n1. It is lit at dusk.")]))
    assert found
    assert found.value == title


def test_parties_of_a_judgment_have_no_marks_of_notes() -> None:
    text = "In the High Court of Justice\nCase No. 14/31\nLamplighters Ltd* v Keeper¹\nJudgment"
    found = find_case(lines_of([HeadPage(1, text)]))
    assert found
    assert found.title
    assert found.title.value == "Lamplighters Ltd v Keeper"


@pytest.mark.parametrize(
    ("title", "subject"),
    [
        ("פקודת המעגנים [נוסח חדש]", "המעגנים"),
        ("חוזר מנעולים [מעודכן]", "מנעולים"),
    ],
)
def test_a_subject_has_no_brackets_of_an_edition_behind_it(title: str, subject: str) -> None:
    found = find_subject(FieldValue(title, title, None))
    assert found
    assert found.value == subject


HEADS = {
    "Kites Act, 1950": ["Print View", "Kites Act, 1950", "( ACT NO. XVIII OF 1950 )", "[ 18th May, 1950 ]"],
    "Gliders Act of 2012": [
        "Fifteenth Congress",
        "Second Regular Session",
        "REPUBLIC ACT NO. 99173",
        "AN ACT PROTECTING GLIDERS, AND FOR OTHER PURPOSES",
        "Section 1. Short Title. This Act shall be known as the “Gliders Act of 2012”.",
    ],
    "BUREAU OF KITES ACT, No. 2 OF 2023": [
        "PARLIAMENT OF THE DEMOCRATIC",
        "SOCIALIST REPUBLIC OF",
        "THE ISLAND",
        "BUREAU OF KITES",
        "ACT, No. 2 OF 2023",
        "Printed on the Order of Government",
    ],
    "Public Wells Act 1990": ["Amended by Act of 3 May 1996 concerning Wells", "Public Wells Act 1990", "1 x"],
    "Public Kites Act 1990": ["Official Gazette No. 5 of 3 May 1996 on Acts", "Public Kites Act 1990", "1 x"],
    "KITE CONTROL LAW": ["CHAPTER 3-B OF THE CONSOLIDATED LAWS", "KITE CONTROL LAW", "ARTICLE 1"],
    "Resolution 9373 (2001)": [
        "28 September 2001",
        "01-55743 (E)",
        "*0155743*",
        "Resolution 9373 (2001)",
        "The Council,",
    ],
    "החלטה": ["החלטה", "בעניין תחרות בשוק העפיפונים", "הממונה מחליטה בזאת כי המיזוג מאושר."],
    "פסק דין": ["פסק דין", "כהן נ' לוי", "התובע טען כי שילם את כל החוב."],
    "Kite Driving Act": [
        "An Act respecting the driving of kites",
        "Short title",
        "1 This Act may be cited as the Kite Driving Act.",
    ],
    "Explanatory memorandum to the Kites Regulations 2022": [
        "Explanatory memorandum to",
        "the Kites Regulations 2022",
        "2022 No. 503",
    ],
    "An Act to amend the Kites Act": [
        "An Act to amend the Kites Act",
        "[Assented to 2nd May 2021]",
        "Kites Act",
        "1 x",
    ],
    None: [
        "CHAPTER 64-01 General Units of Weights",
        "64-01-01. Dry measure.",
        "The bushel is the unit of dry measure.",
    ],
}


@pytest.mark.parametrize(("title", "head"), HEADS.items(), ids=map(str, HEADS))
def test_title_is_neither_of_the_sheet_nor_of_who_issues_it(title: str | None, head: list[str]) -> None:
    found = find_title([HeadLine(text, None) for text in head])
    assert (found.value if found else None) == title


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("REPUBLIC ACT NO. 10173", "REPUBLIC ACT NO. 10173"),
        ("Federal Decree-Law No. (20) of 2018", "Federal Decree-Law No. (20) of 2018"),
        ("Entered into force 1 June 2009. Amended by Act No. 126/2011.", None),
        ("Act No. 126/2011", None),
    ],
)
def test_number_ends_where_its_digits_end(line: str, number: str | None) -> None:
    found = find_identifier([HeadLine(line, None)], None)
    assert (found.value if found else None) == number
