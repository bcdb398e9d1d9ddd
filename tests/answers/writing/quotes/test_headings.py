"""A quote that is a heading, a chapter's title or a line of contents says nothing."""

from dataclasses import replace

import pytest

from answers.writing.protocol import Claim
from answers.writing.quotes.verify import QuoteFault, fault_of
from tests.answers.asking.passages import passage

LAW = replace(
    passage("פרק ב: פיקדון\nהשבת הפיקדון\n7. המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים.\nסייג\nאין חובה בחג."),
    heading="השבת הפיקדון",
    path=("פרק ב: פיקדון",),
)
RULES = replace(
    passage("18.8.2 Late fees\n(1) A late fee is a crown a day.\nIt is due on:\nA bell\nA rope\nBoth are sold."),
    heading="Late fees",
)
CONTENTS = passage("Contents\n1. Name ........ 3\n2. Late fees\t5\nThe pier closes at nine")


@pytest.mark.parametrize(
    ("held", "quote"),
    [
        *(
            (LAW, quote)
            for quote in ("השבת הפיקדון", "פרק ב: פיקדון", "פרק ב: פיקדון השבת הפיקדון", "השבת הפיקדון 7.", "סייג")
        ),
        *((RULES, quote) for quote in ("18.8.2 Late fees", "Late fees")),
        *((CONTENTS, quote) for quote in ("Contents 1. Name", "1. Name ........ 3", "Late fees")),
    ],
)
def test_a_heading_alone_is_no_evidence(held: object, quote: str) -> None:
    assert fault_of(Claim(0, quote), [held]) is QuoteFault.HEADING  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("held", "quote"),
    [
        *((LAW, quote) for quote in ("השבת הפיקדון 7. המשכיר ישיב", "את הפיקדון בתוך", "סייג אין חובה")),
        *((RULES, quote) for quote in ("18.8.2 Late fees (1) A late", "late fee is a crown", "A bell", "A rope")),
        (CONTENTS, "The pier closes at nine"),
    ],
)
def test_words_of_the_text_are_evidence_with_their_heading_or_without(held: object, quote: str) -> None:
    assert fault_of(Claim(0, quote), [held]) is None  # type: ignore[list-item]
