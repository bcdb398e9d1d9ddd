"""How English cites sections, parts and schedules."""

from law.languages.protocol import CitationWords

_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = (
    *_DIGITS,
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *(ten + (f"-{digit}" if digit else "") for ten in _TENS for digit in ("", *_DIGITS)),
)
"""From one to ninety-nine."""
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)
ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_LONGEST_FIRST = tuple(sorted(NUMBERS, key=len, reverse=True))
_DIVISION_ID = (
    r"(?:\d{1,3}(?-i:[A-Z]{1,2})?(?:\.\d{1,3}(?-i:[A-Z])?)?(?:(?<=part \d)-\d{1,2}|-(?-i:[A-Z]{1,2}))?"
    rf"|(?-i:[IVXLC]{{1,7}}(?:\.\d{{1,2}}|[A-Z])?|[A-Z])|(?:{'|'.join(_LONGEST_FIRST)}))"
)
_NO_YEAR = r"(?! (?:19|20)\d\d(?!\d))"  # `Hoists Regulations 2020` is a title
_NO_GENRE_BEHIND = r"(?!.*\b(?:Act|Code|Law|Order|Ordinance|Regulations|Rules)\b)"  # `Rules (Amendment) Order`
_USC = r"U\.? ?S\.? ?(?:C\.?|Code)(?: ?A\.?)?"
_CFR = r"C\.? ?F\.? ?R\.?"
_DC = r"(?<!\w)D\.? ?C\.? (?:Official )?Code"
_HINTS = (
    *("that ", "those ", "the said ", "the above", "the Sched", "The Sched"),
    *(r"bye?-?law",),
    *("sec", "subsec", "subs", "sub-", "subpara", "rule", "art", "reg", "par", "clause", "point", "item"),
    *(
        "recital",
        "part",
        "chapter",
        "sch",
        "annex",
        "appendix",
        "title",
        "division",
        "subtitle",
        "subdivision",
        "app.",
        "ch.",
        "pt.",
    ),
    *(f"{ordinal} sched" for ordinal in _ORDINALS),
)

CITATIONS = CitationWords(
    hints=(
        *(word for small in _HINTS for word in (small, small.capitalize(), small.upper())),
        *("U.S", "USC", "C.F", "CFR", "D.C", "DC ", "ILCS"),
        *(f"{ordinal.capitalize()}{more}" for ordinal in _ORDINALS for more in (" Sched", " and ", ", ")),
        *("Order ", r"O\.? \d", r"O\.? [IVX]"),
        *(rf"{letters}\.? ?\d" for letters in ("s", "S", "ss", "SS", "Ss", "r", "R", "rr", "cl", "Cl")),
    ),
    unit=(
        rf"(?<![\w'’])(?<![A-Za-z]\.)(?<!\bU\. )(?:sections?|sect?s?\.?|ss?\.?|rules?{_NO_YEAR}|rr?\."
        rf"|articles?|arts?\.?|regulations?{_NO_YEAR}|(?:(?<=\d ){_USC}|(?<=\d ){_CFR}|{_DC}(?: §§?)?)(?= \d)|regs?\.?"
        rf"|(?<=\d )ILCS \d{{1,4}}/|bye?-?laws?(?= \d{{1,3}}(?![\w/-])){_NO_YEAR}(?! \d{{1,4}} of (?:19|20)\d\d)"
        r"|(?-i:rr?|cl)(?= \d)|paragraphs?|paras?\.?|pars?\.|clauses?|cl\."
        r"|sub-?(?:sections?|ss?\.|paragraphs?)(?= \d[\w.]{0,9} ?\())"
    ),
    lettered_unit=(
        r"(?:Articles?|ARTICLES?|Arts?\.)(?! ?[IVXLC]{1,7},? (?:§|[Ss]ec))|(?:Sections?|SECTIONS?)(?= [IVX]{1,7}\b)"
    ),
    bracketed_unit=r"(?:Articles?|ARTICLES?|Arts?\.)",
    letters_number=r"[IVXLC]{1,7}(?!\.? ?\d|\.[A-Z])",
    inner_units=r"(?:Abs|Nr|Satz|lit|Ziff|al|subd|cl)\.?(?= ?[\d(]| [a-z](?!\w))|S\.",
    number_word=r"number|no\.",
    number_letters="(?:(?-i:[A-Z]{1,6})|[A-Za-z]{1,2})(?![A-Za-z])",
    and_words=r"and |or |&|et |und |r/w ?|(?:as )?read (?:together )?with |(?:together|in conjunction|along) with ",
    several=r"(?<=[a-z])[sr]\.?",
    to_words=r"(?:up )?to (?:and including )?|through (?:and including )?|à ",
    of_words="of|to|in|under",
    articles="the",
    clause_units=(
        r"(?<![\w'’-])(?:sub-? ?(?:sections?|secs?\.?|ss?\.?)(?=[ (])|(?:sub-? ?)?(?:paragraphs?|clauses?|items?)"
        r"|paras?\.?|points?)"
    ),
    again=" aforesaid",
    said=r"(?:that|the said|those|the above-?mentioned) "
    r"(?:sections?|articles?|(?-i:regulation|[Rr]ule|Part|Chapter|Schedule))(?!\w| \d)",
    subsections=r"sub-? ?s(?:ec|\b)",
    term_of=(
        'of the definition of ["“][^"”\n]{1,60}["”]'
        r"|(?:of|in|to) (?:the )?(?:(?:first|second|third|fourth) )?(?:proviso|explanation|illustration|exception)"
        r"(?: (?:\d{1,2}|[IVX]{1,4})(?!\w))?(?= (?:of|to|in))"
    ),
    counted=(
        r" (?:(?:working|business|calendar|clear) )?"
        r"(?-i:days?|weeks?|months?|years?|hours?|copies|per ?cent|metres)(?!\w)"
        rf"| {_CFR} ?\d| {_USC} ?[§\d]|(?-i: (?:[A-Z][a-z]{{0,4}}\. ?){{1,3}}(?:§§? ?)?\d)"  # volumes: `62 Stat. 673`
    ),
    section_ends=(
        r"(?:ff?\.?|et seq\.?|\(?(?:both |all )?inclusive\)?|(?:\(?(?:and )?both (?:included|inclusive)\)?)"
        rf"|(?:{ORDINAL}) (?:(?:sub)?paragraph|sentence|indent|alternative))(?:,(?= (?:of|to) | [A-Z]))?"
    ),
    link_words="of|to|in|under|from",
    link_articles=r"the ",
    linked=r"(?:of|to|in|under|from) ",
    division=(
        r"(?<!\w)(?<!\d\.)(?P<kind>(?:parts?|chapters?|schedules?|annex(?:es)?|appendi(?:x|ces)|(?:sub)?(?:titles?|divisions?))(?!\w)"
        r"|(?:sched|sch|app|ch|pt)\.|sch(?= \d)"
        # with sections that count anew: Article II, Section 1
        r"|(?-i:Article|[Aa]rt\.)(?= [IVXLC]{1,7},? (?:§|[Ss]ec))"
        r"|(?-i:Order|O\.?)(?= (?:\d{1,3}[A-Z]?|[IVXLC]{1,7}),? (?:[Rr]ules?|[Rr]{1,2}\.?) ?\d))"  # and with rules
        rf" ?(?P<id>{_DIVISION_ID})(?![\w%])(?!\.[\d(])"
        r"|(?<!\w)(?P<recital_kind>recitals?) "
        r"(?P<recital_id>\d{1,3}(?![\w%]|[.,]\d)|(?-i:[A-Z])(?!\w)|\((?:\d{1,3}|[A-Z])\))"
        rf"|(?<!\w)(?P<ordinal_id>{ORDINAL}) (?P<ordinal_kind>schedule)s?(?!\w)"
        rf"|(?<!\w)(?P<list_id>{ORDINAL})(?=(?:,? (?:and |or |to )?(?:{ORDINAL})){{1,5}} (?P<list_kind>schedule)s)"
    ),
    division_number=rf"({_DIVISION_ID}|\(\d{{1,3}}\))(?![\w%])(?!\.[\d(])",
    divisions_listed="recitals|parts|chapters|schedules|annexes|appendices|titles|divisions|subdivisions",
    unnumbered_annex=r"(?:the )?(?P<kind>schedule)(?!\w)",
    annex_alone=r"(?-i:[Tt]he (?P<kind>Schedule))(?! ?(?:\d|[IVX]))",
    annex_label=r"(?P<kind>schedule|annex|appendix|article(?= [IVXLC]))(?!\w)(?:(?<=article) (?P<id>[IVXLC]{1,7}))?",
    division_kinds={
        **{"art": "article", "o": "order"},
        **{"sch": "schedule", "sched": "schedule", "app": "appendix", "ch": "chapter", "pt": "part"},
        **{"recitals": "recital", "parts": "part", "chapters": "chapter", "schedules": "schedule", "annexes": "annex"},
        **{"appendices": "appendix", "titles": "title", "divisions": "division", "subtitles": "subtitle"},
        **{"subdivisions": "subdivision"},
    },
    annexes=frozenset({"schedule", "annex", "appendix"}),
    ordinals={word: place for words in (NUMBERS, _ORDINALS) for place, word in enumerate(words, 1)},
    spelled_numbers=_LONGEST_FIRST,
    names={"section": "section", "regulation": "regulation", "item": "item", "paragraph": "paragraph"},
    counted_in=(
        (rf".*\b(?:Rules|Rulebook)\b{_NO_GENRE_BEHIND}", "rule"),
        (rf".*\b(?:Regulation|Directive|Constitution|Convention|Charter|Treaty)\b{_NO_GENRE_BEHIND}", "article"),
    ),
    cited_in="{place}, {title}",
    bill=r"\bBill\b(?!\s+of\s+(?:Rights|Exchange|Lading))",
    identifier_forms=(
        (r"(?<=\b[a-z])\. ?(?=[a-z]\b(?!-))", ""),  # U.S., U. S.
        (r"(?<=\b[a-z])\. ?(?=\d(?:d|th)\b)", ""),  # F.3d, F. 3d
        (r"(?<=[a-z]{2})\.(?=[a-z\d])|(?<=[a-z])\.(?=[a-z]{2})", " "),  # Cal.App.4th, S.Ct.
        (r"\b([a-z])(?: ?- ?| )(?=\d{1,6}-\d)", r"\1-"),  # C 131/12
        (r"(?<=\d{4})(,?) ch(?:apter)?(?=\.? ?\d)", r"\1 c"),  # 2023 CHAPTER 26
        (
            r"\b(act|law|ordinance|decree|proclamation)(?: no\.?| number)? ?\(?(\d{1,4})\)? of (?=\d{4}\b)",
            r"\1 no \2 of ",
        ),
    ),
    holding="(?:articles?|arts?\\.?|rules?)(?!\\w)",
    held="(?:sections?|sect?\\.|ss?\\.|§)",
    printed_number=r"(?:,? no\.?)? \d{1,4} of",
    year_lead="of ",
    number_nouns=frozenset({"no", "number"}),
)
