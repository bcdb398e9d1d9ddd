"""PDFium's mirroring of brackets and quotes, undone."""

import pytest

from extraction.pdf.glyphs.text_layer import codes_as_stored
from extraction.pdf.text.page_text import PageText


def stored_text(emitted: str, pieces: list[tuple[int, int]], *, right_to_left: bool) -> str:
    codes = codes_as_stored(PageText(emitted), pieces, right_to_left=right_to_left)
    return "".join(map(chr, codes.tolist()))


@pytest.mark.parametrize(
    ("emitted", "right_to_left", "stored"),
    [
        ("שלום (א) and (b)", False, "שלום )א( and (b)"),  # it runs as the letters before it do
        ("(א) שלום", False, ")א( שלום"),  # before the first letter it runs as most runs of the line do
        ("(a) and ב", False, "(a) and ב"),
        ("[12]", False, "[12]"),  # no letters: it runs as the file does
        ("[12]", True, "]12["),
        ("שלום “ב”", False, "שלום ”ב“"),
        ("שלום (() a (()", False, "שלום ))( a (()"),  # without a letter between them, as it ran at the sign before
    ],
)
def test_a_sign_is_mirrored_back_where_the_text_runs_from_right_to_left(
    emitted: str, right_to_left: bool, stored: str
) -> None:
    assert stored_text(emitted, [(0, len(emitted))], right_to_left=right_to_left) == stored


def test_only_pieces_of_text_change_and_what_is_between_stays() -> None:
    assert stored_text("א(\r\n(b)", [(0, 2), (4, 7)], right_to_left=False) == "א)\r\n(b)"
