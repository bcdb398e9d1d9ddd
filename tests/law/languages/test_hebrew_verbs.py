"""Forms of Hebrew verbs, made from the infinitive."""

import pytest

from law.languages.hebrew.verbs import verb_forms


@pytest.mark.parametrize(
    ("infinitive", "forms"),
    [
        ("להגיש", "יגיש תגיש יוגש תוגש הוגש הגשה הגשת מגיש"),
        ("להודיע", "יודיע הודיע הודעה הודעת"),
        ("להירשם", "יירשמ תירשמ הירשמ"),
        ("להתנגד", "יתנגד התנגדות"),
        ("לשלם", "ישלמ ישולמ תשולמ"),
        ("למסור", "ימסור תימסר יימסר נמסר מסירה"),
        ("לבטל", "יבוטל ביטול"),
        ("לדחות", "ידחה נדחה תידחה דחייה"),
        ("למנות", "ימנה ימונה מינוי"),
        ("לערער", "יערער ערעור"),
    ],
)
def test_statutes_have_another_form_of_what_is_asked_in_the_infinitive(infinitive: str, forms: str) -> None:
    assert set(forms.split()) <= verb_forms(infinitive)


@pytest.mark.parametrize("word", ["שלום", "לו", "", "boat"])
def test_other_words_have_none(word: str) -> None:
    assert verb_forms(word) == set()
