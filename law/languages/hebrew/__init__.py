"""Hebrew: how it cites, divides laws and writes dates."""

from pathlib import Path

from law.languages.folder import read_language
from law.languages.hebrew import morphology
from law.languages.hebrew.calendar import find_days, years_of
from law.languages.protocol import Language


class Hebrew(Language, rows=read_language(Path(__file__).parent)):
    """Hebrew, with or without vowel points, in full or defective spelling."""

    code = "he"
    alpha_3 = "heb"
    country = "il"
    letters = "א-ת"
    has_capitals = False
    alphabet = "".join(morphology.VALUES)
    letter_values = morphology.VALUES
    numbering = "א-ת"
    marks = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # 05BE, 05C0 and 05C3 separate words
    quotes = "\u05f3\u05f4"  # geresh and gershayim: צה״ל
    prefixes = morphology.PREFIX_LETTERS
    folding = morphology.FINAL_LETTERS
    ascii_letters = morphology.TO_ASCII
    joins_unrelated_words = True
    acronym = r"[א-ת]{1,7}[\"״”][א-ת]"
    no_evidence = "המסמכים שבמאגר אינם נותנים תשובה לשאלה."
    title_genres = r"חוק[־ -]יסוד|חוק|פקודת|תקנות|צו|תקנון|כללי"

    def stem(self, token: str) -> str:
        return morphology.stem(token.replace("'", ""))

    other_spellings = staticmethod(morphology.other_spellings)
    full_or_short = staticmethod(morphology.full_or_short)
    are_spellings = staticmethod(morphology.are_spellings)
    are_forms = staticmethod(morphology.are_forms)
    is_form_of = staticmethod(morphology.is_form_of)
    is_shown_for = staticmethod(morphology.is_shown_for)
    form_keys = staticmethod(morphology.form_keys)
    verb_forms = staticmethod(morphology.verb_forms)
    roots = staticmethod(morphology.roots)
    spoken_forms = staticmethod(morphology.spoken_forms)
    letters_order = staticmethod(morphology.letters_order)
    calendar_days = staticmethod(find_days)
    calendar_years = staticmethod(years_of)
