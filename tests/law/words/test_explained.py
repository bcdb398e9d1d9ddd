"""Abbreviations that a text explains, with the words that their letters stand for."""

import pytest

from law.words.abbreviations import explained_abbreviations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A Harbour Safety Board (HSB) is set up.", [("hsb", "Harbour Safety Board")]),
        ("All Harbour Safety Boards (HSBs) report.", [("hsb", "Harbour Safety Boards")]),
        ("the Register of Licensed Pilots (the “RLP”)", [("rlp", "Register of Licensed Pilots")]),
        ('הרשות לבטיחות נמלים (להלן – "רב"ן")', [("רבנ", "הרשות לבטיחות נמלים")]),
        ('המועצה לבטיחות נמלים (להלן – "המב"ן")', [("מבנ", "המועצה לבטיחות נמלים")]),
        ("fees are due (HSB) to the board", []),
        ("Safety first. (HSB)", []),
    ],
)
def test_letters_are_explained_by_the_words_before_them(text: str, found: list[tuple[str, str]]) -> None:
    assert list(explained_abbreviations(text)) == found
