"""Duties and days of statements, held against clauses of the law."""

import pytest

from law.checking.duties import contradicted_duty

LAW = """(1) The owner of a hoist must keep the book of inspections in the office of the pier.
(2) The registrar may enter the office of a harbour master at any hour of the night until 3 May 2024.
(3) A rigger must not climb a rope of the pier without a lamp, unless the keeper agrees."""
PARTS = "Whatever that Act says, a keeper may buy lamps of the pier in any shop, and sells none to others unless asked."
DENIED = "The keeper shall, as section 4 says, send the list of lamps to the master of the pier."
HEBREW = """(א) בעל המנוף חייב לשמור את ספר הבדיקות במשרדו של מנהל הרציף.
(ב) הרשם רשאי להיכנס למשרדו של מנהל הנמל בכל שעה משעות הלילה."""


@pytest.mark.parametrize(
    ("statement", "law", "begins"),
    [
        ("The owner of a hoist may keep the book of inspections in the office of the pier", LAW, "(1)"),
        ("The owner of a hoist must not keep the book of inspections in the office of the pier", LAW, "(1)"),
        ("The owner of a hoist shall keep the book of inspections in the office of the pier", LAW, ""),
        ("The registrar must enter the office of a harbour master at any hour of the night", LAW, "(2)"),
        (
            "The registrar may enter the office of a harbour master at any hour of the night until 9 May 2024",
            LAW,
            "(2)",
        ),
        ("A rigger may climb a rope of the pier without a lamp where the keeper agrees", LAW, ""),  # several negations
        (
            "A rigger may not climb a rope of the pier without a lamp, if the keeper must agree and may come",
            LAW,
            "",
        ),
        ("המבקש חייב לבקש שפרטים על הבית לא יימסרו לבנק", "המבקש רשאי לבקש שפרטים על הבית לא יימסרו לבנק.", "המב"),
        ("המבקש רשאי לבקש שפרטים על הבית לא יימסרו לבנק", "המבקש רשאי לבקש שפרטים על הבית לא יימסרו לבנק.", ""),
        ("המבקש חייב לבקש שפרטים על הבית יימסרו לבנק", "המבקש רשאי לבקש שפרטים על הבית לא יימסרו לבנק.", ""),
        ("The keeper shall not send the list of lamps to the master of the pier", DENIED, "The"),
        ("The keeper shall send the list of lamps to the master of the pier", DENIED, ""),
        ("שומר הרציף לא יגיש למנהל הנמל את רשימת המנורות", "שומר הרציף יגיש למנהל הנמל את רשימת המנורות.", "שומ"),
        ("שומר הרציף יגיש למנהל הנמל את רשימת המנורות", "שומר הרציף יגיש למנהל הנמל את רשימת המנורות.", ""),
        ("A keeper must buy lamps of the pier in any shop", PARTS, "a k"),
        ("A keeper may buy lamps of the pier in any shop", PARTS, ""),
        ("A keeper must buy lamps of the pier in any shop if asked by others", PARTS, ""),
        ("The owner may keep a book", LAW, ""),  # too few words
        # What one need not do one may do
        ("The owner of a hoist is not required to keep the book of inspections in the office of the pier", LAW, "(1)"),
        ("The owner of a hoist need not keep the book of inspections in the office of the pier", LAW, "(1)"),
        ("The registrar is not obliged to enter the office of a harbour master at any hour of the night", LAW, ""),
        ("הרשם אינו חייב להיכנס למשרדו של מנהל הנמל בכל שעה משעות הלילה", HEBREW, ""),
        ("בעל המנוף אינו חייב לשמור את ספר הבדיקות במשרדו של מנהל הרציף", HEBREW, "(א)"),
        ("The owner of a crane may sell the engine of a boat to the master of the pier", LAW, ""),
        ("בעל המנוף רשאי לשמור את ספר הבדיקות במשרדו של מנהל הרציף", HEBREW, "(א)"),
        ("הרשם רשאי להיכנס למשרדו של מנהל הנמל בכל שעה משעות הלילה", HEBREW, ""),
        ("הרשם אינו רשאי להיכנס למשרדו של מנהל הנמל בכל שעה משעות הלילה", HEBREW, "(ב)"),
    ],
)
def test_duties(statement: str, law: str, begins: str) -> None:
    found = contradicted_duty(statement, law)
    assert found in law
    assert found[:3] == begins


def test_of_two_clauses_alike_none_is_taken() -> None:
    clause = "The owner of a hoist must keep the book of inspections in the office of the pier"
    assert not contradicted_duty(clause.replace("must", "may"), f"{clause}.\n{clause}.")
