"""Ranges of sections and of clauses, however their ends are written."""

import pytest

from tests.law.references.mentioned import ACT, sections, shown


@pytest.mark.parametrize(
    "between",
    [
        "4–900", "4-900", "4 to 900", "4 up to and including 900", "4 through and including 900", "4 to 900 inclusive",
        "4 to 900, inclusive,", "4 to 900 (both inclusive)", "4 up to 900, both included,",
    ],
)  # fmt: skip
def test_both_ends_are_of_the_act_that_is_named(between: str) -> None:
    for unit in ("ss.", "sections", "ss", "§§", "Articles", "arts."):
        found = [one.split(" → ")[1] for one in shown(f"{unit} {between} of the Pier Act 1974")]
        assert found == ["Pier Act 1974 4 up to 900", "Pier Act 1974 900"]


@pytest.mark.parametrize(
    "between", ["4 עד 9 ועד בכלל", "4 עד 9 (ועד בכלל)", "4 עד 9, ועד בכלל,", "4–9, כולל,", "4 עד וכולל 9"]
)
def test_both_ends_of_a_hebrew_range_are_of_its_act(between: str) -> None:
    found = [one.split(" → ")[1] for one in shown(f"סעיפים {between} ל{ACT}")]
    assert found == [f"{ACT} 4 up to 9", f"{ACT} 9"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("§ 28-4604 and section 2-1002", ["28-4604", "2-1002"]),
        ("sections 28-3803, 28-3814 and 28-3901", ["28-3803", "28-3814", "28-3901"]),
        ("sections 2-1002 and 3-104", ["2-1002", "3-104"]),
        ("sections 5-100, 120-200", ["5 up to 100", "100", "120 up to 200", "200"]),
        ("Art. 112-1", ["112-1"]),
        ("articles 112-1 and 112-4", ["112-1", "112-4"]),
        ("articles 112-1 à 112-9", ["112-1 up to 112-9", "112-9"]),
        ("sections 4-6", ["4 up to 6", "6"]),
    ],
)
def test_a_hyphen_in_a_number_makes_no_range(text: str, found: list[str]) -> None:
    assert [one.split(" → here ")[1] for one in shown(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 4(1), (3) to (5) and (7)", ["4(1)", "4(3) up to 4", "4(5)", "4(7)"]),
        ("section 4(1)(a)–(c)", ["4(1)(a) up to 4", "4(1)(c)"]),
        ("section 4(a) – (1) so", ["4(a)", "4(1)"]),
        ("subsections (1) to (3) of section 5", ["5(1) up to 5", "5(3)"]),
        ("subsections (1), (2) and (4) to (6) of section 5", ["5(1)", "5(2)", "5(4) up to 5", "5(6)"]),
        ("סעיף 4(א) עד (ג)", ["4(א) up to 4", "4(ג)"]),
        ("סעיפים קטנים (א) עד (ג) של סעיף 4", ["4(א) up to 4", "4(ג)"]),
    ],
)
def test_of_a_range_of_clauses_both_ends_are_cited(text: str, found: list[str]) -> None:
    assert [one.split(" → here ")[1] for one in shown(text)] == found


def test_clauses_of_the_section_around_them_are_a_range() -> None:
    whole, placed = sections("(1) One.\n(2) As subsections (1) to (3) say.\n(3) Three.")
    assert shown(whole, placed) == ["subsections (1) to → here 1(1) up to 1", "(3) → here 1(3)"]


def test_a_paragraph_that_is_only_counted_ends_no_citation() -> None:
    text = "Article 267, third paragraph, TFEU and Article 5(1), second subparagraph, of the Pier Code"
    assert [one.split(" → ")[1] for one in shown(text)] == ["TFEU 267", "Pier Code 5(1)"]
