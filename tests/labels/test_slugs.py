"""Slugs of label names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.slugs import HEBREW_TO_ASCII, clean_name, slugify


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("ביטוח חיים", "bytvch-chyym"),
        ("Life insurance", "life-insurance"),
        ("מס הכנסה 2024", "ms-hknsh-2024"),
        ('תשלומי הורים – עמ"ל', "thshlvmy-hvrym-eml"),
        ("Café & Bar", "cafe-bar"),
        ("שָׁלוֹם", "shlvm"),
    ],
)
def test_a_name_becomes_an_ascii_slug(name: str, slug: str) -> None:
    assert slugify(name) == slug


def test_every_hebrew_letter_is_in_the_map_and_finals_are_their_letters() -> None:
    assert set(HEBREW_TO_ASCII) == {chr(code) for code in range(0x5D0, 0x5EB)}
    finals = {"ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ"}
    assert all(HEBREW_TO_ASCII[final] == HEBREW_TO_ASCII[letter] for final, letter in finals.items())
    assert len(set(HEBREW_TO_ASCII.values())) == 22


@given(st.text(min_size=1, max_size=300))
def test_a_slug_is_never_empty_and_always_plain(name: str) -> None:
    slug = slugify(name)
    assert slug
    assert len(slug) <= 200
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert slugify(name) == slug


def test_names_without_ascii_keep_apart() -> None:
    assert slugify("水") != slugify("火")
    assert slugify("水").startswith("label-")


def test_a_name_is_cleaned_of_control_characters_and_double_spaces() -> None:
    assert clean_name("  ביטוח\x00 \u202e חיים ") == "ביטוח חיים"
