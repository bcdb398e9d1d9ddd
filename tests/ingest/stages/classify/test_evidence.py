"""Evidence counts only when its words stand on a page."""

import pytest

from ingest.stages.classify.suggestions import verified
from law.metadata.head import HeadPage, RawEvidence

PAGES = (
    HeadPage(1, 'חוק הספנים, התשפ"ד–2024\n1.  הגדרות'),
    HeadPage(2, "The harbour\n  master keeps\tthe register."),
    HeadPage(3, "The register is open. 1. הגדרות"),
)


def held(quote: str, page: int | None) -> dict[str, int | str | None] | None:
    return verified(RawEvidence("title", page, quote), PAGES)


def test_a_quote_is_kept_as_it_stands_on_the_page() -> None:
    assert held("harbour master keeps the register", 2) == {
        "page": 2,
        "quote": "harbour\n  master keeps\tthe register",
    }


def test_white_space_round_the_quote_does_not_matter() -> None:
    assert held('\n חוק הספנים,  התשפ"ד–2024 ', 1) == {"page": 1, "quote": 'חוק הספנים, התשפ"ד–2024'}


def test_wrong_page_is_put_right_when_one_other_page_has_words() -> None:
    assert held("harbour master", 1) == {"page": 2, "quote": "harbour\n  master"}
    assert held("harbour master", 9) == {"page": 2, "quote": "harbour\n  master"}
    assert held("harbour master", None) == {"page": 2, "quote": "harbour\n  master"}


def test_words_that_stand_on_two_other_pages_are_no_evidence() -> None:
    assert held("1. הגדרות", 2) is None
    assert held("1. הגדרות", 3) == {"page": 3, "quote": "1. הגדרות"}


@pytest.mark.parametrize("quote", ["The harbor master", "the Register", "", "  ", "T", "x" * 700])
def test_words_that_stand_nowhere_are_no_evidence(quote: str) -> None:
    assert held(quote, 2) is None


def test_a_document_without_pages_gives_evidence_without_a_page() -> None:
    pages = (HeadPage(None, "Notice No. 7"),)
    assert verified(RawEvidence("identifier", 1, "Notice No. 7"), pages) == {"page": None, "quote": "Notice No. 7"}
