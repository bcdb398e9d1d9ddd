"""Hebrew."""

from __future__ import annotations

from collections.abc import Iterator

from kb_project.languages.hebrew import morphology
from kb_project.languages.hebrew.calendar import find_days
from kb_project.languages.hebrew.citations import CITATIONS
from kb_project.languages.hebrew.dates import DATES
from kb_project.languages.hebrew.documents import DOCUMENTS
from kb_project.languages.hebrew.letters import TO_ASCII, VALUES, letters_order
from kb_project.languages.hebrew.statutes import STATUTES
from kb_project.languages.protocol import CalendarDay, Language


class Hebrew(Language):
    """Hebrew, with or without vowel points, in full or defective spelling."""

    code = "he"
    letters = "א-ת"
    has_capitals = False
    alphabet = "".join(VALUES)
    letter_values = VALUES
    numbering = "א-ת"
    marks = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # 05BE, 05C0 and 05C3 separate words
    quotes = "\u05f3\u05f4"  # geresh and gershayim: צה״ל
    prefixes = morphology.PREFIX_LETTERS
    folding = morphology.FINAL_LETTERS
    ascii_letters = TO_ASCII
    joins_unrelated_words = True
    function_words = "של על את עם או אם כי לא הוא היא הם הן זה זו זאת אלה כל גם מה מי אל בין לפי יש אין"
    question_words = (
        "מי מה מתי כמה איפה היכן איך כיצד למה מדוע איזה איזו אילו אלו האם מהו מהי מהם מהן מיהו מיהי מיהם לאן מאין"
        " באיזה באיזו באילו לאיזה לאיזו לאילו מאיזה מאיזו עבור אחרי לפני אשר היה היתה הייתה היו"
        " יהיה תהיה ניתן אפשר יכול"
    )
    no_evidence = "המסמכים שבמאגר אינם נותנים תשובה לשאלה."
    citations = CITATIONS
    statutes = STATUTES
    dates = DATES
    documents = DOCUMENTS

    def stem(self, token: str) -> str:
        return morphology.stem(token.replace("'", ""))

    def other_spellings(self, stem: str) -> list[str]:
        return morphology.other_spellings(stem)

    def are_spellings(self, one: str, other: str) -> bool:
        return morphology.are_spellings(one, other)

    def are_forms(self, one: str, other: str) -> bool:
        return morphology.are_forms(one, other)

    def form_keys(self, word: str) -> set[str]:
        return morphology.form_keys(word)

    def letters_order(self, letters: str) -> tuple[int, int]:
        return letters_order(letters)

    def calendar_days(self, text: str) -> Iterator[CalendarDay]:
        return find_days(text)
