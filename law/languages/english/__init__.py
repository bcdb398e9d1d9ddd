"""English: how it cites, divides laws and writes dates."""

import re
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase

import Stemmer

from law.languages.clauses import ClauseWords
from law.languages.english.acts import ACTS
from law.languages.english.citations import CITATIONS, ORDINAL
from law.languages.english.documents import DOCUMENTS
from law.languages.english.questions import QUESTIONS
from law.languages.english.quoting import QUOTING
from law.languages.protocol import DateWords, DayMarkWords, Language, StatuteWords
from law.languages.series import read_series
from law.languages.unread import read_unread

STATUTES = StatuteWords(
    section_words=r"Section|SECTION|Sec\.|SEC\.|Rule|RULE|Regulation|REGULATION|Article|ARTICLE|Art\.|ART\.",
    roman_words=r"Article|ARTICLE|Art\.|ART\.",
    section_initials="SRAPCMD",
    number_letters="[A-Z]{1,3}(?![a-z])",
    above_number=r"(?:PART|Part|CHAPTER|Chapter|SCHEDULE|Schedule|APP|ANNEX|SECTION) ?[\dIVXL]{1,5}[A-Z]?",
    marginal_headings=True,
    mentions=(
        r"(?i:sections?|articles?|rules?|regulations?|paragraphs?|schedules?|parts?|chapters?|forms?|tables?|figures?"
        r"|acts?|bills?|laws?|orders?|notes?|examples?|illustrations?|explanations?|cases?|annex(?:es)?|appendix|items?"
        r"|clauses?|steps?|group|class|level|category|column|page|volume|version|day|january|february|march|april|may"
        r"|june|july|august|september|october|november|december)"
    ),
    number_note=r"Revised|New|Amended|as amended|Repeated|\d{1,4}/\d{4}",
    number_suffix="Guidance",
    formulas=(
        r"(?:this|these|the)(?: [\w-]+){1,4} (?:may|shall|can|is to|are to)(?: \w+)? be (?:cited|called|known)\b"
        r"|(?:short title|citation)\s*[.:–—-]"
        r"|(?:now,? therefore,? )?be it (?:\w+ )?enacted\b|(?:\w+ ){0,6}enacts as follows\b"
        r"|(?:[^.;:]{1,160}, )?in (?:the )?exercise of (?:the|his|her|its|their|all) (?:\w+ ){0,2}powers?\b"
        r"|(?:has|have|hereby) (?:adopted?|makes?|made) (?:this|these|the following)\b"
    ),
    divisions=(
        "PART|Part|CHAPTER|Chapter|TITLE|Title|DIVISION|Division|SUBPART|Subpart|BOOK|Book"
        "|SUBTITLE|Subtitle|SUBCHAPTER|Subchapter|SUBDIVISION|Subdivision"
    ),
    division_number=(  # PART 5.1 — Services, where PART 5.1 Services may be section 5.1 of a rulebook
        r"(?:(?:\d{1,3}[A-Z]?|[IVXLC]+)\.(?:\d{1,3}(?=\s*(?:[–—:]|$))|\d{2,3}(?=\s[A-Z]{2}))"
        r"|\d{1,2}-[\dA-Z]{1,2}(?=\s*[–—]|\s|$)"  # Part 3-5, Subdivision 40-B
        r"|\d{1,3}[A-Z]?|[IVXLC]+[A-Z]?|[A-Z])(?![a-z\d])"
    ),
    annexes="(?i:schedules?|appendix|annex(?:ure)?|attachment|exhibit|app)",
    before_annex=rf"(?:THE |The )?(?:(?P<ordinal>(?i:{ORDINAL}))\s)?",
    units={
        **{"part": "part", "chapter": "chp", "title": "title", "division": "dvs", "subpart": "subpart", "book": "book"},
        **{"subtitle": "subpart", "subchapter": "subchp", "subdivision": "subdvs"},
        **{"schedule": "sched", "appendix": "app", "app": "app", "annex": "annex", "exhibit": "annex"},
        **{"schedules": "sched", "annexure": "annex", "attachment": "annex"},
    },
    annex_gap=r"\s?",
    division_title='[A-Z“"(]|\\[[A-Z]',
    division_initials="PCTDSBAEpcstdbaeFNf",
    unnumbered_annexes=frozenset({"SCHEDULE"}),
    division_mention=r"of\b|to\b",
    contents=(
        "(?:table of )?contents|table of (?:provisions|sections|articles)|index"
        "|sections|arrangement of (?:sections|regulations|rules|articles|provisions|clauses|law|order|by-?laws)|sec\\."
    ),
    defines=r"\s*(?:,[^,]{1,80},)?\s*(?:means?|includes?|has the (?:same )?meaning)\b|\s*[–—-]",
    # Not: the notice includes in its first line, this means that, reports include
    defines_bare=r"\s+(?:means?(?! that\b)|includes(?! in\b)|has the (?:same )?meaning)\b",
    sentence_start="A|All|An|Any|Each|Every|For|If|In|It|No|Nothing|On|Subject|The|There|This|Unless|Upon|When|Where|Whoever",
    row_heads=r"(?:S(?:erial|r|l)?\.? ?)?No\.?|Item(?: [Nn]o\.?)?|Row|#",
    verbs=(
        r"\b(?:must|shall|may|is|are|was|were|has|have|had|will|would|can|cannot|do|does|apply|applies|means|includes?"
        r"|lasts|requires|enters|comes|takes|governs|regulates|establishes|ensures|provides|constitutes|remains"
        r"|consists|determines|prescribes|ceases|commits)\b"
    ),
    unfinished=r"\b(?:of|the|and|or|to|in|by|for|a|an|sections?|rule|(?<!to make )rules)",
    joins="and(?:/or)?|or|nor|but",
    hanging=r"\b(?:sections?|rules?|articles?|paragraphs?|and|or|to)",
    footnote=(
        r"(?:Subs|Ins|Rep|Omitted|Added|Amended|Extended)(?:\. by | by |, vide )|Ibid"
        r"|(?:The|For|Certain) (?:\w+ )?(?:words?|provisos?|letters?|figures?|brackets)\b.{1,200}?"
        r"\b(?:omitted|ins|subs|rep)\b"
        r"|\d{1,2}(?:st|nd|rd|th)[\s-]\w+, \d{4}, (?:vide|see)"
    ),
    gone=(
        r"(?:repealed|revoked|rescinded|omitted|deleted|reserved|spent|expired|lapsed|vacant|not used)"
        r"(?=\W*$|[\]),.;:]| \(|[ ,]+(?:by|on|effective|eff\.|\d))|rep\. by"
    ),
    leads_in=r"\bfollowing\b[^:]{0,80}",
    inserts="inserted?|substituted?|added",
    amendment_note=(
        r"\[\d{1,4} of \d{4}\]\.?"
        r"|\[(?:Am(?:ended\b|\.)|Subs(?:tituted\b|t?\.)|Ins(?:erted\b|\.))[^\]\n]{0,60}\d[^\]\n]{0,60}\]"
        r"|^[ \t]*(?:[Aa]mended )?(?:R\.S\.(?:C\.)?,? ?)?\d{4}, c\. ?[\w.-]{1,12}(?: \([^)\n]{1,20}\))?, ss?\. ?\d"
        r"[^\n]{0,200}$"
        r"|^[ \t]*(?:Ratified|Adopted|Approved|Passed|Promulgated) on [^\n.;:]{1,40}\b\d{4}$"
        r"|^[ \t]*(?:Enacted|(?:Renumbered and )?Amended|Repealed and Re-enacted) by Chapter \d[^\n]{1,60} Session$"
    ),
)

_FROM = r"(?: ?(?:from|on|as of|as from|beginning|with effect from|on and after|commencing on))*"
_TEXT = r"(?:(?:this |text of |version of )*(?:section|version|provision|text|rule|regulation|article|act)s?(?: is)? )?"
DAY_MARKS = DayMarkWords(
    hints=(
        r"effective\b|in (?:force|effect)\b|operative\b|inoperative\b|commenc|from\b|until\b|till\b|through\b|before\b"
        r"|(?:to be )?(?:repeal|revok|expir)|temporary\b|applies\b|this\b|text of|version\b|section\b"
        r"|takes effect|with effect"
    ),
    temporary=r"temporary provision[,:]?",
    applies=r"(?:this )?applies to [^#]{1,120}?",
    begins=(
        rf"{_TEXT}(?:(?:effective|in force|in effect|operative|takes effect|commenc(?:es|ing|ement)|applies)"
        rf"(?: date)?:?{_FROM} #|(?:from|with effect from|as of|on and after) #)"
    ),
    # `until` may mean the day itself or not: one day too many, on which the next text is in force, loses nothing.
    ends_with=(
        rf"(?:{_TEXT}(?:effective|in force|in effect|operative) )?(?:and |but )?(?:only )?"
        r"(?:until|till|through|to|up to and including|expir(?:es|ed|ing)(?: on)?) #"
    ),
    ends_before=rf"(?:{_TEXT}(?:effective|in force|in effect|operative) )?before #",
    ended=(
        rf"{_TEXT}(?:to be |is |will be )?(?:repealed|revoked|inoperative)"
        r"(?: ?(?:effective|from|on|as of|with effect from))* #"
    ),
    tail=r"[.;,] ?.*",
)

_MONTHS = (
    "January|Jan", "February|Feb", "March|Mar", "April|Apr", "May", "June|Jun", "July|Jul",
    "August|Aug", "September|Sept|Sep", "October|Oct", "November|Nov", "December|Dec",
)  # fmt: skip
_NAMES = "|".join(_MONTHS)

DATES = DateWords(
    months=_MONTHS,
    patterns=(
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s+day)?(?:\s+of)?\s+(?P<month>{_NAMES})\b\.?,?\s+(?P<year>\d{{4}})",
        rf"(?P<day>\d{{1,2}})[-/.](?P<month>{_NAMES})[-/.](?P<year>\d{{4}})",
        rf"\b(?P<month>{_NAMES})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
    ),
)


_stemmer = Stemmer.Stemmer("english", 0)  # who asks for stems keeps them


def _without_inflection(word: str) -> str:
    """The word without the endings of number and tense, where a stem goes further: `regulator` is no `regulation`."""
    word = re.sub("(?<=..)i(?:es|ed)$", "y", word)
    word = re.sub("(?<=[a-z]{3})(?:s|ed|ing)$", "", word)
    return re.sub(r"([b-df-hj-np-rtv-z])\1$", r"\1", word.removesuffix("e"))


class English(Language):
    """English. Its stemmer is asked for the words of every language that has none."""

    code = "en"
    alpha_3 = "eng"
    letters = "A-Za-z"
    alphabet = ascii_uppercase
    numbering = "A-Z"
    function_words = (
        "a an and are as at be by for from how in is it of on or that the this to was what when which who will with"
    )
    acronym = r"[A-Z][A-Za-z]{0,6}[A-Z]"
    joined_prefixes = "anti co multi non self semi sub"  # without those of other words, as in `present`
    elisions = "d l"  # of names and terms from French: `l'Abbé`
    question_words = (
        "who whom whose where why do does did can could would should may might must shall there any some these those"
        " such so than then i we you he she they my our your their his her its me us them has have had were been being"
        " many much not no if but also into about between under over through within during out up down upon per"
        " via more most other same own"
    )
    number_words = (
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half"
        " quarter double twice triple"
    )
    meta_words = (
        "document documents passage passages source sources text texts answer answers question questions information"
        " according based say says mention mentions contain contains provide provided find found following follows"
        " summary short conclusion here hello thank thanks glad happy help hope"
    )
    abbreviations = (
        "mr mrs ms dr prof st art arts sec secs reg regs para paras nos ltd inc vs cf approx lit abs nr subs ch sch cl"
    )
    small_title_words = frozenset(
        {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "under", "with"}
    )
    no_evidence = "The documents here do not answer this question."
    synonyms = Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8")
    citations = CITATIONS
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
        from law.languages.english.clauses import CLAUSES

        return CLAUSES

    def stem(self, token: str) -> str:
        return _stemmer.stemWord(token).replace("'", "")

    def are_forms(self, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        return long in (f"{short}s", f"{short}es") or (short[-1:] == "y" and long == f"{short[:-1]}ies")

    def is_shown_for(self, word: str, asked: str) -> bool:
        return _without_inflection(word) == _without_inflection(asked)

    def form_keys(self, word: str) -> set[str]:
        return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
