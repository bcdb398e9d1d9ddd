"""Slugs of label names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.languages.hebrew.morphology import TO_ASCII
from law.words.slugs import clean_name, slugify


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("ביטוח חיים", "byttvch-chyym"),
        ("Life insurance", "life-insurance"),
        ("מס הכנסה 2024", "mss-hknssh-2024"),
        ('תשלומי הורים – עמ"ל', "thshlvmy-hvrym-eml"),
        ("Café & Bar", "cafe-bar"),
        ("שָׁלוֹם", "shlvm"),
        ("Straße", "strasse"),
    ],
)
def test_a_name_becomes_an_ascii_slug(name: str, slug: str) -> None:
    assert slugify(name) == slug


def test_every_hebrew_letter_is_in_the_map_and_finals_are_their_letters() -> None:
    assert set(TO_ASCII) == {chr(code) for code in range(0x5D0, 0x5EB)}
    finals = {"ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ"}
    assert all(TO_ASCII[final] == TO_ASCII[letter] for final, letter in finals.items())
    codes = set(TO_ASCII.values())
    assert len(codes) == 22
    assert not [(a, b) for a in codes for b in codes if a != b and b.startswith(a)], "a slug could be read in two ways"


@given(st.text(alphabet="אבגדהוזחטיכלמנסעפצקרשת", min_size=1, max_size=60), st.data())
def test_words_of_different_letters_have_different_slugs(word: str, data: st.DataObject) -> None:
    other = data.draw(st.text(alphabet="טהתסשצח", min_size=1, max_size=len(word)))
    assert (slugify(word) == slugify(other)) == (word == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("מטה", "מת"),
        ("עקד", "اعقد 2024"),
        ("عقد 2024", "قرض 2024"),
        ("Договор A", "Доход A"),
        ("ת" * 118 + "א", "ת" * 118 + "ב"),
        ("水", "火"),
    ],
)
def test_what_a_slug_cannot_hold_keeps_names_apart(one: str, other: str) -> None:
    assert slugify(one) != slugify(other)
    assert max(len(slugify(one)), len(slugify(other))) <= 200


@given(st.text(min_size=1, max_size=300))
def test_a_slug_is_never_empty_and_always_plain(name: str) -> None:
    slug = slugify(name)
    assert slug
    assert len(slug) <= 200
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert slugify(name) == slug


def test_a_name_without_ascii_has_a_slug_all_the_same() -> None:
    assert slugify("水").startswith("label-")
    assert slugify("₪ %").startswith("label-")


def test_a_name_is_cleaned_of_control_characters_and_double_spaces() -> None:
    assert clean_name("  ביטוח\x00 \u202e חיים ") == "ביטוח חיים"
