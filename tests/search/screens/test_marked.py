"""Marked words and excerpts."""

from search.screens.marked import EXCERPT, WHOLE, excerpt, marked


def test_every_piece_of_a_marked_text_is_escaped() -> None:
    assert marked("<a> & <b>", [(0, 3), (6, 9)]) == "<mark>&lt;a&gt;</mark> &amp; <mark>&lt;b&gt;</mark>"


def test_an_excerpt_holds_the_words_that_were_found_and_cuts_none() -> None:
    words = [f"word{n}" for n in range(300)]
    text = " ".join(words)
    at = text.index("word200")
    start, end = excerpt(text, [(0, 5), (at, at + 7), (at + 8, at + 15)])
    assert start <= at
    assert at + 15 <= end
    assert end - start <= EXCERPT
    assert set(text[start:end].split()) <= set(words)
    assert excerpt("short", [(0, 5)]) == (0, 5)
    assert excerpt(text, [])[0] == 0
    unbroken = "x" * (WHOLE * 3)
    start, end = excerpt(unbroken, [(WHOLE, WHOLE + 3)])
    assert start <= WHOLE < WHOLE + 3 <= end
