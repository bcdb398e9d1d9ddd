"""A third language in one file: made-up grammar in Ethiopic letters. To import it is to add it.

Patterns are made of all languages' words when the modules that hold them are imported, so this module comes first.
"""

import re

from law import languages
from law.languages.citations import CitationWords
from law.languages.documents import LAW, DocumentWords
from law.languages.protocol import DateWords, Language, StatuteWords

_MONTHS = ("ጃንዋሪ", "ፌብሯሪ", "ማርች", "ኤፕሪል", "ሜይ", "ጁን", "ጁላይ", "ኦገስት", "ሴፕቴምበር", "ኦክቶበር", "ኖቬምበር", "ዲሴምበር")


class Toy(Language):
    """Sections are `አንቀጽ`, chapters `ክፍል`, a law is a `ሕግ`; plurals end in `ዎች`."""

    code = "qaa"
    letters = "ሀ-ፚ"
    has_capitals = False
    function_words = "እና ነው"
    question_words = "ምን የት"
    no_evidence = "መልስ አል ነው."
    citations = CitationWords(
        hints=("አንቀጽ", "ክፍል"),
        unit=("(?<![ሀ-ፚ])አንቀጽ",),
        and_words=r"እና\s",
        division=(r"(?<![ሀ-ፚ])(?P<kind>ክፍል)\s(?P<id>\d+)",),
    )
    statutes = StatuteWords(
        section_words="አንቀጽ",
        section_initials="አ",
        title_start="[ሀ-ፚ]",
        divisions="ክፍል",
        division_number=r"\d+",
        division_initials="ክ",
    )
    dates = DateWords(
        months=_MONTHS, patterns=(rf"(?P<day>\d{{1,2}})\s(?P<month>{'|'.join(_MONTHS)})\s(?P<year>\d{{4}})",)
    )
    documents = DocumentWords(genres=((re.compile("ሕግ(?= )"), LAW),), published_label=re.compile("ወጣ: $"))

    def stem(self, token: str) -> str:
        return token.replace("'", "").removesuffix("ዎች")


languages.LANGUAGES = (*languages.LANGUAGES, Toy())
