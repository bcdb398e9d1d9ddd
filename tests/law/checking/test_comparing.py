"""Whether a text has the words of a quotation."""

import pytest

from law.checking.comparing import ComparedText, QuotedWords, Wording
from law.checking.quantities import is_grave

LAW = ComparedText(
    "7. (a) The owner shall not lend the hoist within 14 days of its repair.\n(b) A rigger may object; (c) it stops."
)
HEBREW = ComparedText("ולא ישאיל הבעלים את המנוף בתוך 14 ימים מיום התיקון.")


@pytest.mark.parametrize(
    "quotation",
    [
        "The owner shall not lend the hoist",
        "[t]he owner … the hoist within 14 days",
        "the owner (...) lend the hoist[s] within 14 days,",
        "[he] shall not lend the hoist",
        "A rigger may object; it stops",
        "THE  OWNER shall not\nlend",
    ],
)
def test_quotations_may_leave_out_and_alter(quotation: str) -> None:
    assert LAW.compare(QuotedWords(quotation)).wording is Wording.VERBATIM


@pytest.mark.parametrize(
    ("quotation", "differs", "severe"),
    [
        ("The owner shall lend the hoist within 14 days of its repair", ["shall lend"], True),
        ("The owner shall not lend the hoist within 21 days of its repair", ["21"], True),
        ("The owner may not lend the hoist within 14 days of its repair", ["may"], True),
        ("The owner shall not lend the crane within 14 days of its repair", ["crane"], False),
    ],
)
def test_words_that_differ(quotation: str, differs: list[str], severe: bool) -> None:
    found = LAW.compare(QuotedWords(quotation))
    assert found.wording is Wording.DIFFERS
    assert ([quotation[start:end] for start, end in found.differs], found.severe) == (differs, severe)


def test_hebrew_prefixes_are_left_out() -> None:
    assert HEBREW.compare(QuotedWords("לא ישאיל הבעלים את המנוף")).wording is Wording.VERBATIM
    lost = HEBREW.compare(QuotedWords("ישאיל הבעלים את המנוף בתוך 15 ימים"))
    assert (lost.wording, lost.severe) == (Wording.DIFFERS, True)


def test_what_is_elsewhere_or_too_short() -> None:
    assert LAW.compare(QuotedWords("Whoever paints a wall blue is fined")).wording is Wording.ELSEWHERE
    assert LAW.compare(QuotedWords("the wall")).wording is Wording.TOO_SHORT
    assert LAW.compare(QuotedWords("the hoist")).wording is Wording.VERBATIM


def test_marks_of_clauses_in_a_row_are_no_words() -> None:
    law = ComparedText("He may ask for—\n(a) the rope,\n(b) the book, or\n(c) the fee of the hoist.")
    assert (
        law.compare(QuotedWords("He may ask for— (a) the rope, (b) the book, or (c) the fee")).wording
        is Wording.VERBATIM
    )


@pytest.mark.parametrize(("quoted", "there"), [("weeks", "months"), ("באפריל", "בינואר"), ("ימים", "חודשים")])
def test_another_unit_or_month_is_grave(quoted: str, there: str) -> None:
    assert is_grave([quoted], [there])
    assert not is_grave([quoted], [quoted])


@pytest.mark.parametrize(
    ("quoted", "wording"),
    [
        ("owner aged 18 years", Wording.DIFFERS),
        ("owner aged 16 years", Wording.VERBATIM),
        ("aged 18 years", Wording.DIFFERS),
        ("aged sixteen years", Wording.TOO_SHORT),  # the same number
        ("אגרה של 200 שקלים", Wording.TOO_SHORT),
        ("aged 16 months", Wording.TOO_SHORT),  # three words tell by their number alone
        ("aged 18 … years old", Wording.TOO_SHORT),
        ("keeper aged 18 years", Wording.TOO_SHORT),
        ("בעל שמלאו לו 18 שנים", Wording.DIFFERS),
        ("הרישיון תקף שנתיים לפחות", Wording.DIFFERS),
    ],
)
def test_a_short_quotation_with_another_number_differs(quoted: str, wording: Wording) -> None:
    law = ComparedText(
        "An owner has 18 years. An owner aged 16 years or more may light it. בעל שמלאו לו 16 שנים רשאי להדליקו."
        " הרישיון תקף שנה לפחות. אגרה של מאתיים שקלים."
    )
    compared = law.compare(QuotedWords(quoted))
    assert (compared.wording, compared.severe) == (wording, wording is Wording.DIFFERS)


@pytest.mark.parametrize(
    ("quoted", "wording"),
    [
        ("דינו – מאסר שלוש שנים", Wording.DIFFERS),
        ("דינו – מאסר שתי שנים", Wording.TOO_SHORT),  # as long
        ("דינו – קנס שלוש שנים", Wording.TOO_SHORT),
        ("דינו – מאסר שלושה שקלים", Wording.TOO_SHORT),  # of another measure
        ("תוך שבועיים מן היום", Wording.DIFFERS),
    ],
)
def test_a_short_quotation_with_another_quantity_in_more_words_or_fewer(quoted: str, wording: Wording) -> None:
    law = ComparedText("המחזיק בו, דינו – מאסר שנתיים. הודעה תינתן תוך שלושה ימים מן היום.")
    compared = law.compare(QuotedWords(quoted))
    assert (compared.wording, compared.severe) == (wording, wording is Wording.DIFFERS)


def test_a_short_quotation_with_another_word_differs_less() -> None:
    compared = LAW.compare(QuotedWords("lend the crane within"))
    assert (compared.wording, compared.severe) == (Wording.DIFFERS, False)
