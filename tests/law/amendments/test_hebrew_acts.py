"""Hebrew amending acts whole, each carried out on an act."""

import datetime as dt

from law.amendments.consolidating import consolidate
from law.amendments.finding import Failure
from tests.law.amendments.acts import DAY, GARDENS, section


def test_a_hebrew_amendment_with_its_own_list_and_commencement() -> None:
    text = GARDENS.strip()
    amending = """\
חוק הגינות הקהילתיות (תיקון מס' 3), התשפ"ה–2025
1. תיקון סעיף 1
בסעיף 1 לחוק הגינות הקהילתיות, התש"ף–2020 (להלן – החוק העיקרי), אחרי ההגדרה "גינה" יבוא:
""גנן" – מי שעובד בגינה;".
2. תיקון סעיף 2
בסעיף 2 לחוק העיקרי –
(1) בסעיף קטן (א), במקום "30 ימים" יבוא "45 ימים";
(2) סעיף קטן (ב) – יימחק;
(3) בסעיף קטן (ג), אחרי "לערור" יבוא "לפני ועדת ערר" ובמקום "15 ימים" יבוא "20 ימים";
(4) אחרי סעיף קטן (ג) יבוא:
"(ד) ועדת הערר תחליט בתוך 60 ימים.".
3. תיקון סעיף 3
בסעיף 3 לחוק העיקרי, האמור בו יסומן "(א)" ואחריו יבוא:
"(ב) הרשות רשאית לגבות פיקדון.".
4. הוספת סעיף 4א
אחרי סעיף 4 לחוק העיקרי יבוא:
"4א. אסיפה
הוועד יכנס אסיפה אחת לשנה.".
5. החלפת סעיף 5
במקום סעיף 5 לחוק העיקרי יבוא:
"5. עיצום כספי
המפר הוראה לפי חוק זה, ישלם עיצום כספי.".
6. ביטול סעיף 6
סעיף 6 לחוק העיקרי – בטל.
7. תיקון סעיף 4
בסעיף 4(א) לחוק העיקרי, פסקה (2) – תימחק ובסופו יבוא "ובלבד שהסכימו".
8. תחילה
תחילתו של חוק זה ביום ח' בטבת התשפ"ו (28 בדצמבר 2025).
"""
    act = consolidate(text=text, titles=['חוק הגינות הקהילתיות, התש"ף–2020'], amending=amending, on=DAY)
    assert [one.failure for one in act.outcomes] == [None] * len(act.outcomes)
    assert (
        act.text
        == """\
חוק הגינות הקהילתיות, התש"ף–2020
1. הגדרות
בחוק זה –
"גינה" – שטח ציבורי שהוקצה לגידול צמחים;
"גנן" – מי שעובד בגינה;
"ועד" – ועד הגינה שנבחר לפי סעיף 4;
"השר" – שר הפנים.
2. הקצאת שטח
(א) רשות מקומית תקצה שטח לגינה בתוך 45 ימים מיום הבקשה.
(ב) (בוטל).
(ג) על החלטה לפי סעיף זה ניתן לערור לפני ועדת ערר בתוך 20 ימים.
(ד) ועדת הערר תחליט בתוך 60 ימים.
3. דמי שימוש
(א) השימוש בגינה יהיה בלא תשלום.
(ב) הרשות רשאית לגבות פיקדון.
4. ועד הגינה
(א) לכל גינה ייבחר ועד שבו –
(1) יושב ראש;
(2) (בוטל).
(3) נציג הרשות המקומית ובלבד שהסכימו.
(ב) הוועד ייבחר לשנה.
4א. אסיפה
הוועד יכנס אסיפה אחת לשנה.
5. עיצום כספי
המפר הוראה לפי חוק זה, ישלם עיצום כספי.
6.
(בוטל)."""
    )
    assert {one.instruction.day for one in act.outcomes} == {dt.date(2025, 12, 28)}
    early = consolidate(
        text=text,
        titles=['חוק הגינות הקהילתיות, התש"ף–2020'],
        amending=amending,
        on=dt.date(2025, 12, 27),
    )
    assert {one.failure for one in early.outcomes} == {Failure.NOT_YET}
    assert early.text == text


def test_an_act_that_is_amended_beside_others_is_named_first() -> None:
    amending = """\
חוק התכנון (תיקון), התשפ"ה–2025
1. תיקון חוק הגינות
בחוק הגינות הקהילתיות, התש"ף–2020 –
(1) בסעיף 1, בהגדרה "ועד", במקום "הגינה" יבוא "הגינה הקהילתית";
(2) בסעיף 2(א), המילים "מיום הבקשה" – יימחקו;
(3) בסעיף 2, בסעיף קטן (ב), הסיפה החל במילים "שלא תעלה" – תימחק;
(4) בתוספת הראשונה, פרט 3 – יימחק.
2. תיקון חוק אחר
בסעיף 4(א) לחוק הגנת הצרכן, התשמ"א–1981, במקום "א" יבוא "ב".
3. תיקון נוסף
בחוק הגינות הקהילתיות, התש"ף–2020, בסעיף 4(ב), במקום "לשנה" יבוא "לשנתיים".
"""
    act = consolidate(
        text=GARDENS.strip(),
        titles=['חוק הגינות הקהילתיות, התש"ף–2020'],
        amending=amending,
        on=DAY,
        days=dict.fromkeys("123", DAY),
    )
    assert [one.failure for one in act.outcomes] == [
        *[None] * 3,
        Failure.NOT_UNDERSTOOD,
        Failure.TARGET_UNKNOWN,
        None,
    ]
    assert '"ועד" – ועד הגינה הקהילתית שנבחר לפי סעיף 4;' in act.text
    assert section(act, "2")[1:3] == [
        "(א) רשות מקומית תקצה שטח לגינה בתוך 30 ימים.",
        "(ב) ההקצאה תהיה לתקופה.",
    ]
    assert section(act, "4")[-1] == "(ב) הוועד ייבחר לשנתיים."


def test_words_behind_three_letters_of_prefix_are_replaced() -> None:
    title = 'חוק המגדלור, התשע"א-2011'
    act = f"{title}\n1. דיון\nהרשות תדון בו כשהרשות מוסמכת ומהרשות יינתן רישיון."
    amending = f'1. בסעיף 1 ל{title}, בכל מקום, במקום "רשות" יבוא "מועצה".'
    made = consolidate(text=act, titles=[title], amending=amending, on=DAY, days={"1": DAY})
    assert [one.failure for one in made.outcomes] == [None]
    assert made.text.endswith("\nהמועצה תדון בו כשהמועצה מוסמכת ומהמועצה יינתן רישיון.")
