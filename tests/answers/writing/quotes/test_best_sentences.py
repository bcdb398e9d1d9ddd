"""Pieces of a passage: they cover it, and each says something."""

import pytest

from answers.writing.quotes.pieces import sentences

TEXTS = [
    "",
    "   \n\n",
    "No full stop at the end",
    "The harbour master keeps a register.  It is open to the public! Is it free? It is.",
    "הספרן ינהל יומן השאלות. היומן יהיה פתוח לעיון הציבור; העיון בו אינו כרוך בתשלום.",
    "3. המאחר בהחזרת ספר ישלם אחד מאלה:\n(א) דמי איחור של שקל ליום;\n(ב) דמי אובדן, אם לא החזיר.",
    'He said: "Close the pier." Then everybody left the pier at once.',
    "A fee of 1.50 a day is due under Rule 18.8.2 for each berth that is taken.",
]


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize("text", TEXTS)
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_sentences_end_at_stops_in_both_languages() -> None:
    assert pieces(TEXTS[3])[:2] == ["The harbour master keeps a register.  ", "It is open to the public! "]
    assert pieces(TEXTS[4]) == [
        "הספרן ינהל יומן השאלות. היומן יהיה פתוח לעיון הציבור; ",
        "העיון בו אינו כרוך בתשלום.",
    ]


def test_a_number_stays_with_its_clause() -> None:
    found = pieces(TEXTS[5])
    assert found[0].startswith("3. המאחר")
    assert found[1] == "(א) דמי איחור של שקל ליום;\n"


def test_the_last_item_of_a_list_is_no_part_of_what_follows() -> None:
    assert pieces("(b) a rope of forty fathoms;\n(c) a bell.\nThe lamps along the promenade are green.") == [
        "(b) a rope of forty fathoms;\n",
        "(c) a bell.\n",
        "The lamps along the promenade are green.",
    ]


def test_a_heading_goes_with_what_follows() -> None:
    assert pieces("Fees\nThe fine is forty crowns.") == ["Fees\nThe fine is forty crowns."]


def test_a_point_inside_a_number_ends_nothing() -> None:
    assert pieces(TEXTS[7]) == [TEXTS[7]]


def test_a_closing_quotation_mark_stays_with_what_it_closes() -> None:
    assert pieces('The keeper said "close the whole pier." Then everybody left the pier.')[0].endswith('pier." ')
