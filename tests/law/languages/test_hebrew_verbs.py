"""Forms of Hebrew verbs, made from the infinitive, and from the forms in which people ask."""

import pytest

from law.languages.hebrew.morphology import spoken_forms, verb_forms


@pytest.mark.parametrize(
    ("verb", "forms"),
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
        ("להראות", "יראה מראה"),
        ("מציגים", "יציג הצגה"),
        ("נמסרה", "יימסר תימסר מסירה"),
        ("נערכו", "תיערכ עריכה"),
        ("תבוטל", "יבטל בוטל ביטול"),
        ("ימומן", "ממומנ מימונ"),
    ],
)
def test_statutes_have_another_form_of_what_is_asked_otherwise(verb: str, forms: str) -> None:
    assert set(forms.split()) <= verb_forms(verb)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("מוסר", "ימסור יימסר מסירה"),
        ("בוחרים", "יבחר נבחר בחירה"),
        ("מעגלים", "יעגל יעוגל עיגול"),
        ("מאמת", "יאמת אימות"),
        ("מערערת", "יערער ערעור"),
        ("מעניק", "יעניק הוענק הענקה"),
        ("מציבים", "יציב תוצב הצבה"),
        ("boats", ""),
    ],
)
def test_behind_a_question_word_the_present_is_no_noun(verb: str, forms: str) -> None:
    assert set(forms.split()) <= verb_forms(verb, is_verb=True)


@pytest.mark.parametrize(("verb", "other"), [("נבדקה", "בידוק"), ("ישולם", "שלומ"), ("תחולק", "חלקה")])
def test_a_form_of_one_pattern_is_of_no_other(verb: str, other: str) -> None:
    assert other not in verb_forms(verb)


@pytest.mark.parametrize(
    "words",
    [
        "שלום לו מדינה נכסים תאריך תפקיד תקופה תמונת תשובתו נספח נבחרת משותף תלוש ישוב boat",
        "תוקף בוררות מגרשים מסמכים חודש נושא תקין ימים",
    ],
)
def test_nouns_and_other_words_have_none(words: str) -> None:
    assert not any(map(verb_forms, ["", *words.split()]))


@pytest.mark.parametrize(
    ("infinitive", "forms", "others"),
    [
        ("להחזיר", "מחזירימ החזירו תחזיר מחזיר מחזירה", "חזיר חזירימ החזר"),
        ("לשלם", "משלמימ שילמו ישלמ שילמתי", "תשלומ שלומ"),
        ("לפטר", "מפטרימ פיטרו", "נפטר פטור"),
        ("לתבוע", "תובעימ תבעו תבע", "נתבע"),
        ("להצביע", "הצביעו מצביעימ", "הצבע"),
        ("לירושה", "", "ירושה תירושה"),
        ("לתת", "", "תת"),
    ],
)
def test_people_tell_and_ask_in_the_active_forms_of_an_infinitive(infinitive: str, forms: str, others: str) -> None:
    found = spoken_forms(infinitive)
    assert set(forms.split()) <= found
    assert not found & set(others.split())
