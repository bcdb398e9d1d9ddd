"""Hebrew: how it cites, divides laws and writes dates."""

from functools import cached_property
from pathlib import Path

from law.languages.clauses import ClauseWords
from law.languages.hebrew import morphology, verbs
from law.languages.hebrew.acts import ACTS
from law.languages.hebrew.calendar import find_days, years_of
from law.languages.hebrew.citations import CITATIONS
from law.languages.hebrew.documents import DOCUMENTS
from law.languages.hebrew.morphology import TO_ASCII, VALUES, letters_order
from law.languages.hebrew.questions import QUESTIONS
from law.languages.hebrew.questions import WORDS as QUESTION_WORDS
from law.languages.hebrew.quoting import QUOTING
from law.languages.protocol import DateWords, DayMarkWords, Language, StatuteWords
from law.languages.series import read_series
from law.languages.unread import read_unread

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
    formulas=(
        r"(?:שם ה?[א-ת]+\s*[.:–—-]\s*)?ל?(?:[א-ת]+ ){0,2}[א-ת]+ (?:זה|זו|אלה|אלו)"
        r" (?:ייקרא|יקרא|תיקרא|תקרא|תקראנה|תיקראנה|ייקראו|יקראו)"
        r"|בתוקף ה?סמכות|(?:לפי|מכוח|על פי) (?:ה?סמכות[א-ת]* |סעיפים? \d)[^\n]{0,200}?"
        r"(?<![א-ת])(?:אני|אנו|הריני) (?:מתקינ|מצוו?ה|קובע|מורה|מודיע)"
    ),
    divisions="חלק|שער|פרק|סימן",
    division_number=(
        rf"(?:ה?(?:{_DIVISION_ORDINALS})(?![א-ת])|[א-ת]{{1,2}}[\"״][א-ת](?![א-ת])|[א-ת](?![א-ת])[׳']?|\d{{1,3}}|[IVX]{{1,5}}(?![\w]))"
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
    row_heads=r"מס['׳](?: סידורי)?|מספר סידורי|פרט",
    unfinished=r"\b(?:[בלשומכה]{0,3}סעיף|[בלשומכ]{1,3}סעיפים|של|את|או|על|לפי|בין)",
    joins="או|וכן|וגם|וגם כן|ו[־–-]",
    hanging=r"סעיפים|סעיף|תקנות|תקנה|פסקה|פסקאות|\bאו",
    gone="(?:בוטל|נמחק|בטל|פקע|הושמט)(?:ה|ו|ים|ות)?",
    inserts="יבוא(?:ו)?|ייקרא|יקרא|תבוא",
    amendment_note=(
        r"\[תיקו(?:ן|נים)\b[^\]\n]{1,120}\]|\(תיקו(?:ן|נים)(?::| ?ה?תש)[^)\n]{1,120}\)"
        r"|^[ \t]*תיקו(?:ן|נים):? ?ה?תש[א-ת]{0,2}[\"״'׳][^\n]{0,80}$"
    ),
)

_YEARS = {
    "שנה": 1, "שנה אחת": 1, "שנתיים": 2, "שלוש שנים": 3, "ארבע שנים": 4, "חמש שנים": 5, "שש שנים": 6, "שבע שנים": 7,
    "שמונה שנים": 8, "תשע שנים": 9, "עשר שנים": 10,
}  # fmt: skip
DAY_MARKS = DayMarkWords(
    hints=(
        "החל|הנוסח החל|בתקופת|עד|מיום|מתאריך|בתוקף|תוקפ|תקפ?[הו]?|תחיל|הוראת שעה|הוראה זמנית|יחולו?|תחול"
        "|ייכנס|תיכנס|נכנס|ה(?:חוק|סעיף|תקנה|תקנות|פרק|תוספת|צו) |בטל|בוטל|[ית]בוטל|נמחק|[ית]ימחק|פקע|יפקע|תפקע"
    ),
    temporary=r"(?:הוראת שעה|הוראה זמנית)[,:]?(?: [–—-])?|בתקופת הוראת השעה(?: של [^#]{1,200}?)?,?",
    applies=r"(?:הנוסח החל|יחולו?|תחול(?:נה)?) על [^#]{1,120}?",
    begins=(
        r"ו?(?:החל |בתוקף |תוקפ\S+ |תקפ?[הו]? )*(?:מ־?(?:ה?יום|ה?תאריך)? ?|ביום )#"
        r"|החל מה(?:יום|מועד) הקובע ל[^#]{1,120} ביום #"
        r"|תחיל(?:ה|ת|תו|תה|תם|תן)(?: של [^#]{1,30})?:? (?:ביום |ב־?|יום )?#"
        r"|(?:נכנס(?:ה|ו)?|ייכנסו?|תיכנס) לתוקף ב־?(?:יום )?#"
    ),
    ends_with=r"(?:ו?(?:בתוקף )?)עד (?:ל?יום |ל?תאריך |ל־?|ה־)?#",
    ended=(
        r"(?:ה(?:חוק|סעיף|תקנה|תקנות|פרק|תוספת|צו) )?(?:בטלה?|בטלים|בוטל[הו]?|[ית]בוטלו?|נמחק[הו]?|[ית]ימחק|פקע[הו]?"
        r"|יפקעו?|תפקע)(?: החל)? (?:מ|ב)(?:יום|תאריך)? ?#"
    ),
    lasts=rf"ל(?:משך |תקופה של )?(?P<years>{'|'.join(sorted(_YEARS, reverse=True))})",
    years=_YEARS,
    tail=r"[;,] ?.*|או עד .*",
)

_MONTHS = (
    "ינואר|ינו׳|ינו'", "פברואר|פבר׳|פבר'", "מרץ|מרס|מארס", "אפריל|אפר׳|אפר'", "מאי", "יוני", "יולי",
    "אוגוסט|אוג׳|אוג'", "ספטמבר|ספט׳|ספט'", "אוקטובר|אוק׳|אוק'", "נובמבר|נוב׳|נוב'", "דצמבר|דצמ׳|דצמ'",
)  # fmt: skip
_NAMES = "|".join(_MONTHS)

DATES = DateWords(
    months=_MONTHS,
    patterns=(
        rf"(?P<day>\d{{1,2}})(?:\s+|-)(?:ב|ל)?(?P<month>{_NAMES})(?:\s*,?\s+(?:שנת\s+)?|-)(?P<year>\d{{4}})",
        rf"(?<![א-ת])(?P<month>{_NAMES})\s+(?P<day>\d{{1,2}}),\s*(?P<year>\d{{4}})",
    ),
    day_first=True,
)


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
    number_words = (
        "שני שתי שניים שתיים שלוש שלושה שלושת ארבע ארבעה ארבעת חמש חמישה חמשה חמשת שש שישה ששה ששת שבע שבעה שבעת שמונה"
        " שמונת תשע תשעה תשעת עשר עשרה עשרת עשרים שלושים ארבעים חמישים שישים ששים שבעים שמונים תשעים מאה מאתיים מאות"
        " אלף אלפיים אלפים אלפי מיליון מיליארד מחצית חצי שליש רבע כפל פעמיים"
    )
    meta_words = (
        "מסמך מסמכים מסמכי קטע קטעים מקור מקורות מאגר תשובה תשובות שאלה שאלות מידע אינו אינה אינם אינן עונה עונים עונות"
        " מציין מציינים מציינות אומר אומרים כולל כוללים נותן נותנים נותנות נמצא נמצאה נמצאו בהתאם להלן הבא הבאים סיכום"
        " בקצרה שלום תודה אשמח לעזור"
    )
    no_evidence = "המסמכים שבמאגר אינם נותנים תשובה לשאלה."
    synonyms = Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8")
    citations = CITATIONS
    title_genres = r"חוק[־ -]יסוד|חוק|פקודת|תקנות|צו|תקנון|כללי"
    acts = ACTS
    unread = read_unread(Path(__file__).parent)
    series = read_series(Path(__file__).parent)
    statutes = STATUTES
    day_marks = DAY_MARKS
    questions = QUESTIONS
    quoting = QUOTING
    dates = DATES
    documents = DOCUMENTS

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
    letters_order = staticmethod(letters_order)
    calendar_days = staticmethod(find_days)
    calendar_years = staticmethod(years_of)
