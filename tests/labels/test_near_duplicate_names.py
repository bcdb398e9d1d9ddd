"""When two names look like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels.near_duplicates import LikenessReason, Spelling, are_forms, are_misspelt, likeness, shortened, stems


def reason(a: str, b: str) -> LikenessReason | None:
    return likeness(Spelling.of(a), Spelling.of(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("שָׁלוֹם", "שלום"),
        ("בית משפט", "ביתמשפט"),
        ('עו"ד', "עוד"),
        ("Life-Insurance", "life insurance"),
        ("Café", "cafe"),
        ("דיני חוזים.", "(דיני) חוזימ"),
    ],
)
def test_points_finals_signs_spaces_and_case_make_no_other_name(a: str, b: str) -> None:
    assert reason(a, b) == reason(b, a) == LikenessReason.SAME_LETTERS


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("אישור", "אישורים"),
        ("תקנה", "תקנות"),
        ("חברה", "חברת"),
        ("חוזה", "חוזים"),
        ("זכות", "זכויות"),
        ("תכנית", "תכניות"),
        ("עירייה", "עיריות"),
        ("דיני עבודה", "הדינים העבודה"),
        ("ביטוח חיים", "ביטוח החיים"),
        ("המס", "מס"),
        ("לקוחות", "ולקוחות"),
        ("שצרכנים", "צרכנים"),
        ("Tax", "taxes"),
        ("lease contract", "leases contracts"),
        ("policy", "Policies"),
    ],
)
def test_plurals_constructs_and_prefixes_are_forms_of_one_name(a: str, b: str) -> None:
    assert reason(a, b) == reason(b, a) == LikenessReason.FORMS


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ביטוח", "בטוח"),
        ("ביטוח", "ביתוח"),
        ("ביטוח", "בטיוח"),
        ("ביטוח רכב חובה", "ביטוב רכב חובה"),
        ("Insurance", "Insurence"),
        ("employment law", "emplyoment law"),
    ],
)
def test_one_wrong_letter_of_a_long_word_is_a_slip(a: str, b: str) -> None:
    assert reason(a, b) == reason(b, a) == LikenessReason.SPELLING


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("מס 2023", "מס 2024"),
        ("תקנה", "תקנון"),
        ("חוק", "חיק"),
        ("ביטוח רכב", "ביטוח חיים"),
        ("ביטוח", "ביטוח חיים"),
        ("house", "mouses"),
        ("law", "war"),
        ("", "א"),
        ("?", "!"),
    ],
)
def test_other_names_stay_apart(a: str, b: str) -> None:
    assert reason(a, b) is None
    assert reason(b, a) is None


WORDS = st.text(alphabet="אבהוילמתםכשץ", min_size=1, max_size=9) | st.text(alphabet="abesiy", min_size=1, max_size=9)


@given(WORDS, WORDS)
def test_words_that_look_alike_share_a_key(a: str, b: str) -> None:
    if are_forms(a, b):
        assert stems(a) & stems(b)
    if are_misspelt(a, b):
        assert shortened(a) & shortened(b)


@given(st.text(alphabet="אבהוילמתםכש", min_size=5, max_size=9).filter(lambda word: word[-1] not in "וי"), st.data())
def test_a_word_shares_a_key_with_each_of_its_forms_and_slips(word: str, data: st.DataObject) -> None:
    ending = data.draw(st.sampled_from(["ימ", "ות", "י"]))
    assert are_forms(word, word + ending)
    assert stems(word) & stems(word + ending)
    place = data.draw(st.integers(0, len(word)))
    slip = word[:place] + "ט" + word[place:]
    assert are_misspelt(word, slip)
    assert shortened(word) & shortened(slip)
