"""What looks like an operator of a query, and what does not."""

import pytest

from law.citations.parsing import ParsedQuery
from law.questions.phrases import find_operators


@pytest.mark.parametrize(
    ("query", "signs", "words"),
    [
        ("tenant NOT landlord", ("NOT",), "tenant     landlord"),
        ("שוכר NOT משכיר", ("NOT",), "שוכר     משכיר"),
        ("VAT NOT (excise)", ("NOT",), "VAT     (excise)"),
        ("deposit -interest", ("-",), "deposit  interest"),
        ('פיקדון -"ריבית פיגורים"', ("-",), 'פיקדון  "ריבית פיגורים"'),
        ("licen* -shop NOT bar", ("*", "-", "NOT"), "licen   shop     bar"),
        ("*שכירות", ("*",), " שכירות"),
        ("*", ("*",), " "),
        ("tenant AND landlord OR guest", ("AND", "OR"), "tenant     landlord    guest"),
        ("deposit NEAR/3 interest", ("NEAR",), "deposit        interest"),
        ("tenant || landlord | guest && agent", ("|", "&"), "tenant    landlord   guest    agent"),
        ("+deposit +(interest)", ("+",), " deposit  (interest)"),
        ("title:lease שוכר OR משכיר", (":", "OR"), "      lease שוכר    משכיר"),
    ],
)
def test_operators_are_named_and_blanked(query: str, signs: tuple[str, ...], words: str) -> None:
    found = find_operators(query)
    assert (found.signs, found.words) == (signs, words)


@pytest.mark.parametrize(
    "query",
    [
        "must not enter",
        "Not later than May",
        "THE TENANT SHALL NOT ENTER",
        '"shall NOT -enter*"',
        "co-owner of 2023-05-01",
        "sections 4 - 9, § 28-4604(b)",
        "minus -5 degrees",
        "אי־תשלום, בית-משפט",
        'חוק המכר -התשל"ג',
        "5*3 and **7**",
        "pre- and post-contract",
        "NOT",
        "terms and conditions or notice",
        "HEALTH AND SAFETY AT WORK ACT",
        "OR",
        "https://example.org/title:x, s:5, art:12, 10:30",
        "A & B Ltd",
        "C++ and 2 + 2",
    ],
)
def test_words_numbers_hyphens_and_dashes_are_no_operators(query: str) -> None:
    found = find_operators(query)
    assert (found.signs, found.words) == ((), query)


def test_an_operator_is_no_word_of_the_query() -> None:
    assert ParsedQuery("tenant NOT -landlord").terms == ParsedQuery("tenant landlord").terms
