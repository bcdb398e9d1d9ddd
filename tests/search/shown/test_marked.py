"""Marked words and excerpts."""

from search.shown.marked import EXCERPT, WHOLE, excerpt, marked, sentence


def test_every_piece_of_a_marked_text_is_escaped() -> None:
    assert marked("<a> & <b>", [(0, 3), (6, 9)]) == "<mark>&lt;a&gt;</mark> &amp; <mark>&lt;b&gt;</mark>"


def test_excerpt_holds_the_words_that_were_found_and_cuts_none() -> None:
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


def test_excerpt_begins_and_ends_with_a_sentence_where_it_can() -> None:
    text = " ".join(f"Sentence number {n} tells of ferries, piers and ropes." for n in range(40))
    at = text.index("number 20")
    start, end = excerpt(text, [(at, at + 6)])
    assert text[start:end].startswith("Sentence number")
    assert text[start:end].endswith("ropes.")
    assert start <= at < at + 6 <= end


def test_a_sentence_is_not_ended_by_an_abbreviation_or_a_number() -> None:
    text = "Of ferries. The master of No. 5 acts under s. 3 of the Act of 1999. Others do not.\n5. Fees"
    at = text.index("s. 3")
    assert text[slice(*sentence(text, at, at + 4))] == "The master of No. 5 acts under s. 3 of the Act of 1999."
    at = text.index("Fees")
    assert text[slice(*sentence(text, at, at + 4))] == "5. Fees"
