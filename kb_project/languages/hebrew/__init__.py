"""Hebrew: how it cites, divides laws and writes dates."""

from kb_project.languages.hebrew import morphology
from kb_project.languages.hebrew.calendar import find_days
from kb_project.languages.hebrew.documents import DOCUMENTS
from kb_project.languages.hebrew.morphology import TO_ASCII, VALUES, letters_order
from kb_project.languages.protocol import CitationWords, DateWords, Language, StatuteWords

_PREFIXES = "[ושהכבלמ]"
_UNITS = ("ראשון ראשונה", "שני שנייה שניה", "שלישי שלישית", "רביעי רביעית", "חמישי חמישית", "שישי שישית ששי ששית")
_MORE_UNITS = ("שביעי שביעית", "שמיני שמינית", "תשיעי תשיעית", "עשירי עשירית")
_ORDINALS = {word: place for place, words in enumerate((*_UNITS, *_MORE_UNITS), 1) for word in words.split()}
_DIVISIONS = ("חלק", "שער", "פרק", "סימן", "תוספת", "נספח", "לוח")
_DIVISION_ID = (
    rf"(?:ה?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?![א-ת])"
    r"|(?:ט[\"״]?[וז]|[יכלמנ][\"״]?[א-ט])(?![א-ת])|[א-ת](?![א-ת\"״])|\d{1,3}(?![\w.%/-]))[׳']?(?:\s?\d{1,2}(?![\w.%/]))?"
)

CITATIONS = CitationWords(
    unit=(
        rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?:סעיפים|סעיפי|סעיף|סע['׳.]|ס[\"״]ס|ס(?=\s\d)|תקנת[\s־-]משנה|תקנה|תקנות(?=\s\d)"
        r"|תק['׳]|(?<!מ)ס['׳]|פרט|פרטים(?=\s\d)|כלל|כללים(?=\s\d)|פריט|פריטים(?=\s\d)|פי?סקה(?=\s\d)|פי?סקאות(?=\s\d))"
    ),
    number_word=r"מספר|מס['׳.]?",
    number_letters=r"(?!ו[־-]\d)[א-ת]{1,3}",
    later_letters=r"(?!ו[־-]\d)[א-ת]{1,2}(?![א-ת])",
    conjunction=r"ו[־-]\d",
    glued_and="ו",
    and_words=r"ו(?:גם|כן)\s|ו[־–-]?|או\s",
    to_words=r"ו?עד\s",
    of_words="של",
    clause_units=r"סעיפים\sקטנים|סעיף\sקטן|פי?סקאות|פי?סקה|פי?סקת[\s־-]משנה",
    spacing=(
        # The letters of a number set off from its digits: `13-א`, `13"א`, `34כ"ד`; `סעיף 13 א לחוק`.
        (
            r"(?<=\d)(?:[\"״]|[־-](?!ו))(?=[א-ת]{1,2}\d?(?![א-ת\"״]))|(?<=\d[א-ת])[\"״](?=[א-ת](?![א-ת]))",
            "",
        ),
        (r"(?P<unit>(?:סעיף|תקנה|ס['׳]) ?\d{1,4}) (?=[א-הז-ט](?: [לבש]|\(|$))", r"\g<unit>"),
    ),
    section_ends="רי?ש[אה]|סי?פ[אה]|ואילך|והלאה",
    more_clauses=("וב?(?:פי?סקאות|פי?סקה|סעיפים קטנים|סעיף קטן)", "ו[־–-]?"),
    link_words=r"של|לפי|על[ \-־]פי|מתוך",
    # A prefix letter of a name is part of its first word, unless it is set off (`ל־חוק`).
    link_articles="[לבמש]{1,2}[־-]",
    linked=r"של\s|[לבמש]{1,2}[־-]?[א-ת]",
    list_prefix="[ובל]{1,2}[־–-]",
    act_words="(?:ל|של )(?:חוק|פקודת|תקנות|צו|כללי)",
    division=rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?P<kind>{'|'.join(_DIVISIONS)})(?:\s(?P<id>{_DIVISION_ID}))",
    unnumbered_annex=rf"{_PREFIXES}{{1,4}}?(?P<kind>תוספת|נספח)(?![א-ת])",
    annex_label="ה?(?P<kind>תוספת|נספח|לוח)(?![א-ת])",
    division_hints=_DIVISIONS,
    annexes=frozenset({"תוספת", "נספח", "לוח"}),
    ordinals=_ORDINALS | {f"ה{word}": place for word, place in _ORDINALS.items()},
    names={"section": "סעיף", "regulation": "תקנה", "item": "פרט", "paragraph": "פסקה"},
    cited_in="{place} ל{title}",
    calendar_year=r"ה?תש[א-ת\"״'׳]{1,5}",
    identifier_forms=(
        (r"(?<=[א-ת])\.(?=[א-ת])", ""),  # ע.א.
        (r"(?<=[א-ת])-?(?=\d{1,9}-\d)", " "),  # עא1234/05
    ),
    number_nouns=frozenset({"מס", "מספר"}),
)


_DIVISION_ORDINALS = (
    "ראשו(?:ן|נה)|שני(?:י?ה)?|שלישית?|רביעית?|חמישית?|שי?שית?|שביעית?|שמינית?|תשיעית?|עשירית?"
    "|(?:אח[דת]|שני[םי]|שתי[םי]|שלושה?|ארבעה?|חמי?שה?|שי?שה?|שבעה?|שמונה|תשעה?)[־ -]עשרה?"
)

STATUTES = StatuteWords(
    section_words="סעיף|תקנה|כלל",
    section_initials="סתכ",
    number_letters=r"[א-ת]{1,3}(?:[\"״'׳][א-ת]?)?",
    marginal_headings=True,
    mentions=r"[בלשמכ]{1,2}(?:סעיף|תקנה|תקנת|פסקה|פרט|כלל|צו|פרק|תוספת)|מס['׳]|עמ['׳]|עמוד|יום|שנת",
    title_start="(?![לבושכה])[א-ת]",
    numbered_clauses_are_paragraphs=True,
    clause_letters=r"[א-ת]{1,3}\d?",
    divisions="חלק|שער|פרק|סימן",
    division_number=(
        rf"(?:ה?(?:{_DIVISION_ORDINALS})(?![א-ת])|[א-ת]{{1,2}}[\"״][א-ת](?![א-ת])|[א-ת](?![א-ת])[׳']?|\d{{1,3}})"
        r"(?:\s?\d{1,2}(?:[א-ת](?![א-ת]))?[׳']?|[א-ת](?![א-ת])[׳']?)?"
    ),
    annexes="ה?תוספת|נספח|טופס|לוח",
    units={
        **{"חלק": "part", "שער": "title", "פרק": "chp", "סימן": "subchp"},
        **{"תוספת": "sched", "התוספת": "sched", "נספח": "app", "טופס": "form", "לוח": "table"},
    },
    division_initials="חשפסתהנטל",
    unnumbered_annexes=frozenset({"תוספת", "התוספת"}),
    division_mention="(?:ל|ש[לב])(?:חוק|פקוד|תקנו|תוספת|צו)|לחוק",
    contents=r"תוכן(?:\s+ה?עניינים)?",
    defines=r"\s*(?:,[^,]{1,80},)?\s*[–—-]",
    unfinished=r"\b(?:[בלשומכה]{0,3}סעיף|[בלשומכ]{1,3}סעיפים|של|את|או|על|לפי|בין)",
    hanging=r"סעיפים|סעיף|תקנות|תקנה|פסקה|פסקאות|\bאו",
    inserts="יבוא(?:ו)?|ייקרא|יקרא|תבוא",
)


_MONTHS = (
    "ינואר", "פברואר", "מרץ|מרס|מארס", "אפריל", "מאי", "יוני", "יולי",
    "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר",
)  # fmt: skip

DATES = DateWords(
    months=_MONTHS,
    patterns=(rf"(?P<day>\d{{1,2}})\s+(?:ב|ל)?(?P<month>{'|'.join(_MONTHS)})\s*,?\s+(?P<year>\d{{4}})",),
    day_first=True,
)


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

    other_spellings = staticmethod(morphology.other_spellings)
    are_spellings = staticmethod(morphology.are_spellings)
    are_forms = staticmethod(morphology.are_forms)
    form_keys = staticmethod(morphology.form_keys)
    letters_order = staticmethod(letters_order)
    calendar_days = staticmethod(find_days)
