"""How English names acts: `the Loans (Fees) Act 1998`, `that Act`, `the principal Act`."""

from law.languages.protocol import ActWords

_GENRES = "Acts?|Ordinance|Code|Regulations?|Rules|Order|Law|Statute|Directive|Constitution|Charter|Decree"
_HINTS = (
    *("Act", "Ordinance", "Code", "Regulation", "Rules", "Order", "Law", "Statute", "Directive"),
    *("Constitution", "Charter", "Decree"),
)
_SMALL = "over|between|within|against|respecting|through|its|their|of|and|the|for|in|on|to|by|with|from|as|a|an|at|or"
_YEAR = r"(?:,? (?:of )?(?:1[5-9]|20)\d\d(?!\w))"
_OPENING = "The|In|Under|By|For|To|Of|On|That|This|An?|And|Or|Any|Each|Every|No|Section|Where|If|See"
_CAPITAL = r"[A-Z][\w'’&.-]*+"
_BRACKETS = r"\([A-Z][^()\n]{0,60}\)"
_WORD = rf" (?:{_CAPITAL}|{_BRACKETS}|(?:{_SMALL})(?= (?:[A-Z(]|{_SMALL})))(?:,(?<!Act,)(?! the ))?"
_NAME = rf"(?!(?:{_OPENING}) ){_CAPITAL}(?:{_WORD}){{0,20}}? (?:{_BRACKETS} )?"
_HERE = r"(?P<here>in this (?:section|Part|Chapter|regulation|Schedule))"
_CASES = "Cases?|Application|Appeal|Petition|Docket|Circular|Notice|Guideline|Directive"
# Without a year, other words for acts are too common, and a comma is the sentence's.
_SURE_GENRES = "Act|Ordinance|Code|Regulations|Constitution|Charter"
_SURE = rf"(?!(?:{_OPENING}) ){_CAPITAL}(?: (?:{_CAPITAL}|{_BRACKETS}|(?:{_SMALL})(?= (?:[A-Z(]|{_SMALL})))){{0,20}}? "
_TITLE = rf"(?:(?-i:{_NAME}))(?:{_GENRES})(?!\w)"
_NOT_ASKED = (  # no words of a name
    "this that these those my our your his her its their any each every some no such same said which whose who whom"
    " what when where how why may might must shall should can could will would is are was were be been has have had do"
    " does did says say provides means applies if i we you he she they it relevant above old new principal parent whole"
    " act"
)
_ASKED_WORD = rf"(?!(?i:{'|'.join(_NOT_ASKED.split())})\b)[A-Za-z][\w'’&.-]*,? (?:\([^()]{{1,80}}\) ){{0,3}}"
_ASKED_TYPES = (
    "Acts?|act|Ordinance|ordinance|Regulations?|regulations|Rules|Order|Code|Law|Statute|Proclamation|Decree"
    "|Convention|Treaty|Charter|Constitution"
)
_ASKED_YEAR = r"(?:,? (?:(?:of|[Nn]o\.? ?\d{1,4} of|\d{1,4} of) )?(?:1[5-9]|20)\d\d(?![\w/]))"
# `(Cap. 63)`, `(Act 7 of 1990)`, `(2020 Rev Ed)`: where the act is printed, no part of its name
_PRINTED = r"\((?i:(?:cap|chap|chapter|ch|c|act)\b\.? ?(?:no\.? ?)?(?:[A-Z]-?)?\d|no\.? ?\d{1,4} of|\d{4} rev)"
_REMARK = rf"(?: (?!{_PRINTED})\([^()]{{1,80}}\))"
# What is made under an act may have its title in its own: `Hoists Act 1998 (Fees) Order 2006`.
_UNDER = rf"(?:{_ASKED_TYPES}){_ASKED_YEAR}?{_REMARK}{{1,3}} (?:[A-Z][\w'’&.-]* (?:\([^()]{{1,80}}\) )?){{0,3}}?"

ACTS = ActWords(
    hints=_HINTS,
    before=(
        rf"(?<![\w'’])(?:(?!(?:{_OPENING}) ){_CAPITAL}(?:{_WORD}){{0,20}} "
        r"|[Tt]h(?:e|at|ose) (?:[a-z]{2,12} |\d{4} )?)$"
    ),
    prefix="(?:[Tt]he )?",
    link=r"(?:,? (?:of|to|in|under|from) |, | )",
    dated=rf"(?:[Tt]he )?(?P<title>(?P<name>{_TITLE}){_YEAR})",
    short=rf"(?:[Tt]he )?(?P<title>{_TITLE})",
    sure=rf"(?:[Tt]he )?(?P<title>{_SURE}(?:{_BRACKETS} )?(?:{_SURE_GENRES})(?!\w))",
    explained=r"(?:[Tt]he )?(?P<title>[A-Z][^;.\n]{3,120})(?=[;.\n]|$)",
    own=rf"(?:[Tt]his|[Tt]hese) (?P<genre>{_GENRES})(?!\w)",
    said=rf"(?:[Tt]hat|[Tt]hose|[Tt]he said) (?P<genre>{_GENRES})(?!\w)",
    bare=rf"(?P<definite>[Tt]he )(?P<genre>{_GENRES})(?!\w)",
    defined_after=(
        rf",? ?\((?:[^()\n\"“”]{{0,20}}{_HERE})?[^()\n\"“”]{{0,60}}[\"“]"
        rf"(?:[Tt]he )?(?P<alias>[^()\n\"”]{{0,60}}?(?:{_GENRES}|[A-Z]{{2,9}}))[\"”]\)"
    ),
    defined_before=(
        rf"(?:{_HERE},? )?[\"“](?:[Tt]he )?(?P<alias>[^\"”\n]{{0,60}}?(?:{_GENRES}))[\"”]"
        r" (?:means|is|refers to) (?:the )?$"
    ),
    before_sections=r",? (?:except|other than|including) |, ",
    foreign_units=((r".*Regulations", "(?i:s)"), (r".*(?:Act|Code)", "(?i:reg)")),
    secondary=(rf"(?:The )?(?P<subject>{_NAME}?)(?:\([^()]*\) )*(?:Regulations?|Rules|Order|Directions?)(?:{_YEAR})?$"),
    parents={"Act": "{} Act", "Ordinance": "{} Ordinance", "Code": "{} Code", "Law": "{} Law"},
    amends="amended|substitut|insert|omit|repeal|delet",
    amendment_lead="(?:In )?(?:[Tt]he )?",
    opens_amendment=r"(?: is| are|,| ?[–—:-])",
    identifier_before=(rf"(?<!\w)(?P<identifier>(?:{_CASES})(?: [Nn]os?\.?)? (?:[A-Z]{{1,3}}[-‑–])?|C[-‑–])$"),
    neutral=r"\[\d{4}\] [A-Z]{2,6}(?: [A-Z][a-z]{1,4})? \d{1,5}(?: \([A-Z][a-z]{1,5}\))?",
    asked=(
        rf"(?:[Tt]he )?(?P<name>(?:{_ASKED_WORD}){{1,12}}?(?:"
        rf"(?:{_UNDER}){{1,2}}(?P<under_type>(?:{_ASKED_TYPES}|order|rules)\b)"
        rf"|(?:[Bb]y-)?(?P<type>{_ASKED_TYPES}|(?:(?<=[Bb]y-)|[Bb]y)laws?)\b)"
        rf"{_REMARK}?{_ASKED_YEAR}?)"
    ),
    editorial_words=frozenset({"amendment", "amended", "consolidated", "revised", "no"}),
    amending_words=frozenset({"amendment"}),
)
