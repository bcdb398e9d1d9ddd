"""Hebrew: how it cites, divides laws and writes dates."""

from functools import cached_property
from pathlib import Path

from law.languages.acts import ActWords
from law.languages.amending import read_amending
from law.languages.citations import CitationWords
from law.languages.clauses import ClauseWords
from law.languages.documents import DocumentWords
from law.languages.hebrew import morphology, verbs
from law.languages.hebrew.calendar import find_days, years_of
from law.languages.hebrew.morphology import TO_ASCII, VALUES, letters_order
from law.languages.hebrew.questions import NUMBER_WORDS, QUESTIONS
from law.languages.hebrew.questions import WORDS as QUESTION_WORDS
from law.languages.hebrew.quoting import QUOTING
from law.languages.protocol import DateWords, DayMarkWords, Language, StatuteWords
from law.languages.series import read_series
from law.languages.unread import UnreadWords
from law.languages.words import read_divisions, read_words

_FOLDER = Path(__file__).parent
_DIVISIONS = read_divisions(_FOLDER / "divisions.toml")


class Hebrew(Language):
    """Hebrew, with or without vowel points, in full or defective spelling."""

    code = "he"
    alpha_3 = "heb"
    country = "il"
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
    acronym = r"[א-ת]{1,7}[\"״”][א-ת]"
    question_words = QUESTION_WORDS
    number_words = NUMBER_WORDS
    meta_words = (
        "מסמך מסמכים מסמכי קטע קטעים מקור מקורות מאגר תשובה תשובות שאלה שאלות מידע אינו אינה אינם אינן עונה עונים עונות"
        " מציין מציינים מציינות אומר אומרים כולל כוללים נותן נותנים נותנות נמצא נמצאה נמצאו בהתאם להלן הבא הבאים סיכום"
        " בקצרה שלום תודה אשמח לעזור"
    )
    no_evidence = "המסמכים שבמאגר אינם נותנים תשובה לשאלה."
    synonyms = (_FOLDER / "synonyms.txt").read_text(encoding="utf-8")
    divisions = _DIVISIONS
    citations = read_words(_FOLDER / "citations.toml", CitationWords, divisions=_DIVISIONS)
    title_genres = r"חוק[־ -]יסוד|חוק|פקודת|תקנות|צו|תקנון|כללי"
    acts = read_words(_FOLDER / "acts.toml", ActWords)
    unread = read_words(_FOLDER / "unread.toml", UnreadWords)
    amending = read_amending(_FOLDER)
    series = read_series(_FOLDER)
    statutes = read_words(_FOLDER / "statutes.toml", StatuteWords, divisions=_DIVISIONS)
    day_marks = read_words(_FOLDER / "days.toml", DayMarkWords, table="marks")
    questions = QUESTIONS
    quoting = QUOTING
    dates = read_words(_FOLDER / "days.toml", DateWords, table="dates")
    documents = read_words(_FOLDER / "documents.toml", DocumentWords)

    @cached_property
    def clauses(self) -> ClauseWords:
        from law.languages.hebrew.clauses import CLAUSES

        return CLAUSES

    def stem(self, token: str) -> str:
        return morphology.stem(token.replace("'", ""))

    other_spellings = staticmethod(morphology.other_spellings)
    full_or_short = staticmethod(morphology.full_or_short)
    are_spellings = staticmethod(morphology.are_spellings)
    are_forms = staticmethod(morphology.are_forms)
    is_form_of = staticmethod(morphology.is_form_of)
    is_shown_for = staticmethod(morphology.is_shown_for)
    form_keys = staticmethod(morphology.form_keys)
    verb_forms = staticmethod(verbs.verb_forms)
    spoken_forms = staticmethod(verbs.spoken_forms)
    letters_order = staticmethod(letters_order)
    calendar_days = staticmethod(find_days)
    calendar_years = staticmethod(years_of)
