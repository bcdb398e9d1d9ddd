"""The vote on which way a font's brackets face."""

from collections.abc import Sequence
from typing import Any

from extraction.pdf.text.brackets import BracketVote
from extraction.text.characters import KIND


def shapes(vote: BracketVote, text: str, font: str = "f") -> Sequence[str]:
    found = [(place, font) for place, char in enumerate(text) if char in "()[]{}<>"]
    return vote.shapes(text, bytes(KIND[char] for char in text), found)


def hear(vote: Any, text: str, font: Any = "f") -> None:
    vote.count_pairs(list(text), [(place, font) for place, char in enumerate(text) if char in "()[]{}"])


def test_a_font_that_stores_shapes_is_left_alone() -> None:
    vote = BracketVote()
    hear(vote, "(א) ףיעס")
    assert shapes(vote, "(ב) ףיעס") == "(ב) ףיעס"


def test_a_font_that_stores_logical_sides_is_turned() -> None:
    vote = BracketVote()
    hear(vote, ")א( ףיעס")
    assert shapes(vote, ")ב( ףיעס") == "(ב) ףיעס"


def test_the_majority_of_the_pairs_read_so_far_decides() -> None:
    vote = BracketVote()
    for line in (")א( ףיעס", ")ב( ףיעס", "(ג) ףיעס"):
        hear(vote, line)
    assert vote.is_swapped("f")


def test_fonts_are_judged_one_by_one() -> None:
    vote = BracketVote()
    hear(vote, ")א( ףיעס", font="bold")
    hear(vote, "(א) ףיעס", font="plain")
    assert vote.is_swapped("bold")
    assert not vote.is_swapped("plain")


def test_a_latin_phrase_that_already_nests_is_not_turned() -> None:
    vote = BracketVote()
    hear(vote, ")א( ףיעס")
    assert shapes(vote, "ללכ (Basel) הז") == "ללכ (Basel) הז"


def test_a_font_not_heard_yet_does_as_the_others_do() -> None:
    vote = BracketVote()
    hear(vote, ")א( ףיעס", font="one")
    assert vote.is_swapped("another")
