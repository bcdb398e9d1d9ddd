"""Terms that a text defines."""

import pytest

from law.structure.definitions import defined_terms


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
    assert {term for term, _ in found} == terms
    assert all(text[start:].lstrip('"“”„״')[:2] == term[:2] or "(" in text for term, start in found)
