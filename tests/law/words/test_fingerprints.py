"""Fingerprints: what print and format change does not count, what is said does."""

import pytest

from law.words.fingerprints import fingerprint, similarity
from tests.ingest.similar.texts import ENGLISH, HEBREW


@pytest.mark.parametrize("text", [HEBREW, ENGLISH], ids=["Hebrew", "English"])
def test_line_breaks_and_capitals_do_not_count_and_words_do(text: str) -> None:
    own = fingerprint(text)
    assert similarity(own, fingerprint(text.upper().replace(" ", "\n"))) == 1
    words = text.split()
    words[40:42] = ["something", "else"]
    assert 0.8 < similarity(own, fingerprint(" ".join(words))) < 1
    assert similarity(own, fingerprint(" ".join(reversed(words)))) < 0.1


def test_what_another_text_only_begins_with_counts_half() -> None:
    whole = fingerprint(ENGLISH)
    assert 0.5 < similarity(whole, fingerprint(ENGLISH[: len(ENGLISH) * 2 // 3])) < 0.75
    assert 0.45 < similarity(fingerprint(ENGLISH[:300]), whole) <= 0.5
    assert similarity(fingerprint(HEBREW), whole) == 0


def test_too_little_text_is_like_nothing() -> None:
    little = fingerprint("Page intentionally left blank.")
    assert similarity(little, little) == 0
    assert similarity(fingerprint(""), fingerprint(ENGLISH)) == 0
