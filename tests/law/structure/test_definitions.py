"""Terms that a text defines."""

import pytest

from law.structure.definitions import defined_terms, statute_terms, term_opening


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("בחוק זה –\n”פסק־חוץ“ – פסק דין שניתן במדינה זרה", {"פסק־חוץ"}),
        ('"תקופה", לענין זה, – שנה', {"תקופה"}),
        ("1. מהות המישכון\n(א) מישכון הוא שעבוד נכס; הוא מזכה את הנושה", {"מישכון"}),
        ("“Controller” means a person who holds shares", {"Controller"}),
        (
            "Term\tDefinition\nShell Bank (SB)\tA bank without an office",
            {"Term", "Shell Bank (SB)", "Shell Bank", "SB"},
        ),
        ("The text. A stablecoin is a token. It is traded", {"stablecoin"}),
        ("The keeper shall ring the bell.", set()),
    ],
)
def test_the_forms_in_which_texts_define(text: str, terms: set[str]) -> None:
    found = list(defined_terms(text))
    assert {form for one in found for form in one.forms} == terms
    assert all(text[one.start : one.end] == one.written for one in found)


def test_statutes_define_in_quotation_marks_or_bare() -> None:
    text = (
        'In this Act—\n“boat” means a thing that floats;\nharbour means a place for boats, and "mole" means its wall;'
    )
    assert [one.term for one in statute_terms(text)] == ["boat", "harbour", "mole"]


def test_a_line_begins_with_the_term_it_defines() -> None:
    opening = term_opening("  “boat” means a thing", 2)
    assert opening
    assert (opening.term, opening.start, opening.end) == ("boat", 2, 8)
    assert term_opening("A “boat” means a thing") is None


@pytest.mark.parametrize(
    "text",
    [
        "This information may include: (a) a list;",
        "Where a keeper includes in the list a boat",
        "This means that a boat is moored.",
        "The list does not include boats.",
    ],
)
def test_what_only_speaks_of_meaning_or_including_defines_nothing(text: str) -> None:
    assert list(statute_terms(text)) == []
