"""How English names acts: `the Loans (Fees) Act 1998`, `that Act`, `the principal Act`."""

from pathlib import Path

from law.languages.acts import ActWords
from law.languages.words import read_rows

_GENRES = (
    "Acts?|Ordinance|Code|Bye?-?[Ll]aws?|Regulations?|Rules|Order|Law|Statute|Directive|Constitution|Charter|Decree"
)
_INSTRUMENTS = "Convention|Treaty|Agreement|Protocol|Covenant|Bill|Decision|Rulebook"
_HINTS = (
    *("Act", "Ordinance", "Code", "Regulation", "Rules", "Order", "Law", "Statute", "Directive"),
    *("Constitution", "Charter", "Decree", r"Bye?-?[Ll]aw"),
)
_SMALL = "over|between|within|against|respecting|through|its|their|of|and|the|for|in|on|to|by|with|from|as|a|an|at|or|&"
_YEAR = r"(?:,? (?:of )?(?:1[5-9]|20)\d\d(?!\w))"
# `Federal Rules of Civil Procedure`
_PROCEDURES = "(?:Civil|Criminal|Appellate|Administrative|Bankruptcy) Procedure"
_OF_COURTS = rf"(?: of (?:{_PROCEDURES}|Evidence|(?:Professional )?Conduct|Court))?"
# `Civil Code of Japan`, `Convention on the Law of Treaties`, `Charter of Rights and Freedoms`
_OF_WORD = (
    r"(?!(?:Part|Section|Schedule|Chapter|Article|Title|Annex)(?:s|es)?\b)"
    r"(?:(?:[A-Z]\.){2,5}|[A-Z][\w'’-]*|(?:1[5-9]|20)\d\d(?!\w))"
)
_WHOM = rf"{_OF_WORD}(?: (?:(?:of|for|in|on) (?:the )?)?{_OF_WORD}| and {_OF_WORD}(?! [A-Z])){{0,8}}"
_OF_LAND = rf"(?: of (?:the )?{_WHOM})"
_OF_WHOM = (
    "(?:(?:(?<=Code)|(?<=Constitution)|(?<=Convention)|(?<=Treaty)|(?<=Covenant)|(?<=Statute)|(?<=Law)|(?<=Charter)"
    rf"|(?<=Act)) (?:of|on|for|against|concerning|relating to) (?:the )?{_WHOM})"
)
_DATED = rf"(?:,? (?:[Nn]o\.? ?)?\d{{1,4}}(?= of )|(?=,? )){_YEAR}"  # `61 of 1973`, `No. 61 of 1973`, `1973`
_OPENING = (
    "The|In|Under|By|Bye?-?[Ll]aws?|For|To|Of|On|That|This|An?|And|Or|Any|Each|Every|No|Section|Where|If|See"
    "|Subject|Pursuant|According|Contrary|Despite|Notwithstanding|Unless|When|Upon|After|Before|As"
)
# `Part IV of the Ports Act`, `First Schedule to the Ports Act`: where the name begins behind
_ORDINAL = "First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth"
_DIVIDED = (
    r"(?:Part|Chapter|Schedule|Title|Division|Article|Annex)s? (?:[IVXLC]{1,7}|[A-Z])(?:[A-Z]|\.\d{1,2})?,?"
    r" (?:of|to|and|or) "
    rf"|[IVXLC]{{1,7}}(?:[A-Z]|\.\d{{1,2}})?,? (?:of|to|and|or) |Schedules? to |[A-Z] (?:of|to) "
    rf"|(?:{_ORDINAL})(?:(?:,| and| or| to) (?:{_ORDINAL})){{0,5}} Schedules? "
)
_LABEL = r"(?<![^\n])(?:[A-Z]|[IVXLC]{1,7})\. (?![A-Z]\.)"  # of a paragraph: `A. The Ports Act …`
_NO_START = rf"(?!(?:{_OPENING}) |{_DIVIDED}|{_LABEL})"
_CAPITAL = r"[A-Z][\w'’&.-]*+"
_BRACKETS = r"\([A-Z][^()\n]{0,60}\)"
# A name does not go on over the end of a sentence: `… the Ports Act. Harbour dues …`, `Article 5 GDPR. Annex II …`
_GOES_ON = r"(?<!Act\.)(?<!Ordinance\.)(?<!Code\.)(?<!Regulations\.)(?<!Rules\.)(?<!Order\.)(?<!Law\.)(?<![A-Z]{4}\.)"
_SMALL_WORD = rf"(?:{_SMALL})(?= (?:[A-Z(]|{_SMALL}))"
_WORD = rf"{_GOES_ON} (?:{_CAPITAL}|{_BRACKETS}|{_SMALL_WORD})(?:,(?<!Act,)(?! the )|:)?"
# `Jobs, Growth and Long-term Prosperity Act`: a list of capitals that is joined before the word for the act
_LISTED = r"(?:,(?= (?:[A-Z][\w’'-]*,? ){1,5}(?:and|or) [A-Z]))?"
_NAME = rf"{_NO_START}{_CAPITAL}{_LISTED}(?:{_WORD}){{0,20}}? (?:{_BRACKETS} )?"
_OPENS, _CLOSES = "[\"“„'‘]", "[\"”“'’]"
_ALIAS = rf"[^()\n\"“”„]{{0,60}}?(?:{_GENRES}|{_INSTRUMENTS}|[A-Z]{{2,9}})"  # what a document calls an act
_HERE = r"(?P<here>in this (?:section|Part|Chapter|regulation|Schedule))"
_CASES = "Cases?|Opinions?|Applications?|Appeals?|Petitions?|Docket|Circular|Notice|Guideline|Directive"
# Without a year, other words for acts are too common, and a comma is the sentence's.
_SURE_GENRES = "Act|Ordinance|Code|Regulations|Constitution|Charter"
_SURE = rf"{_NO_START}{_CAPITAL}{_LISTED}(?:{_GOES_ON} (?:{_CAPITAL}|{_BRACKETS}|{_SMALL_WORD})){{0,20}}? "
# `(Cap. 63)`, `(Act 7 of 1990)`, `(2020 Rev Ed)`: where the act is printed, no part of its name
_PRINTED = r"\((?i:(?:cap|chap|chapter|ch|c|act)\b\.? ?(?:no\.? ?)?(?:[A-Z]-?)?\d|no\.? ?\d{1,4} of|\d{4} rev)"
_TITLE = rf"(?:(?-i:{_NAME}))(?:{_GENRES})(?!\w)"
# `Ports Act 1998 (Fees) Order 2004` is one title
_MADE_UNDER = rf"(?:{_YEAR}(?: \([A-Z][^()\n]{{1,120}}\)){{1,3}} (?:{_GENRES}))?"
_LONE = r"\d{1,5}[A-Z]{0,2}(?![\w%]|[-–/]\d|[.,]\d| ?(?:of|/) ?(?:1[5-9]|20)\d\d)"
_NUMBERED = (
    rf"(?:{_GENRES}) (?:[Nn]o\.? ?)?\d{{1,4}}(?: of |/)(?:1[5-9]|20)\d\d(?!\w|[/-]\w)",
    rf"(?:Act|Decree) No\.? ?{_LONE}",
)
_OF = r"(?:,? of |(?:(?<=Schedule \d)|(?<=Schedule \d\d)|(?<=Annex [IVX])|(?<=Schedule)) to )"
_ABBREVIATION = "[A-Z]{3,8}|[A-Z][a-z][A-Z]{2,6}"
_ALONE = r"(?!\w|[.’'&/-]\w| \d|\(\d| [Nn]os?\.? ?\d|,? [A-Z]{2})"  # no first word of a line in capitals
_NOT_ASKED = (  # no words of a name
    "this that these those my our your his her its their any each every some no such same said which whose who whom"
    " what when where how why may might must shall should can could will would is are was were be been has have had do"
    " does did says say provides means applies if i we you he she they it relevant above old new principal parent whole"
    " act"
)
_ASKED_WORD = rf"(?!(?i:{'|'.join(_NOT_ASKED.split())})\b)[A-Za-z][\w'’&.-]*,? (?:\([^()]{{1,80}}\) ){{0,3}}"
_ASKED_TYPES = (
    "Acts?|act|Ordinances?|ordinance|Regulations?|regulations|Rules|Order|Code|Law|Statute|Proclamation|Decree"
    "|Convention|Treaty|Charter|Constitution|Agreement|Protocol|Covenant"
)
_ASKED_YEAR = r"(?:,? (?:(?:of|[Nn]o\.? ?\d{1,4} of|\d{1,4} of) )?(?:1[5-9]|20)\d\d(?![\w/]))"
_REMARK = rf"(?: (?!{_PRINTED})\([^()]{{1,80}}\))"
# What is made under an act may have its title in its own: `Hoists Act 1998 (Fees) Order 2006`.
_UNDER = rf"(?:{_ASKED_TYPES}){_ASKED_YEAR}?{_REMARK}{{1,3}} (?:[A-Z][\w'’&.-]* (?:\([^()]{{1,80}}\) )?){{0,3}}?"

_AMENDED = r"(?:further |hereby )?(?:amended|replaced|repealed|deleted|substituted|inserted|added|omitted)\b"

ACTS = ActWords(
    hints=_HINTS,
    before=(
        rf"(?<![\w'’])(?:{_NO_START}{_CAPITAL}{_LISTED}(?:{_WORD}){{0,20}} "
        r"|[Tt]h(?:e|at|ose) (?:[a-z]{2,12} |\d{4} )?)$"
    ),
    prefix="(?:[Tt]he )?",
    inserted_by=r" \((?:as )?(?:inserted|amended|substituted|added)(?: [^()\n]{0,150}|\([^()\n]{0,60}\)){1,4}\)",
    link=r"(?:,? (?:of|to|in|under|from),? (?:(?:the )?said (?=[A-Z][\w'’]* [A-Z]))?|, (?!th)| )",
    # `Ports Act (Northern Ireland) 2022`
    dated=rf"(?:[Tt]he )?(?P<title>(?P<name>{_TITLE}(?: (?!{_PRINTED}){_BRACKETS})?{_MADE_UNDER}){_DATED})",
    # `Bay Islands Final Agreement Act`: the agreement is not the whole name.
    short=(
        rf"(?:[Tt]he )?(?P<title>(?-i:{_NAME})(?:{_GENRES}|{_INSTRUMENTS})(?!\w)"
        rf"(?! (?:Act|Ordinance|Code|Rules)(?!\w)){_OF_COURTS}{_OF_WHOM}?)"
    ),
    numbered=rf"(?=[A-Z\d])(?<![\w/])(?:{'|'.join(_NUMBERED)})",
    sure=rf"(?:[Tt]he )?(?P<title>{_SURE}(?:{_BRACKETS} )?(?:{_SURE_GENRES})(?!\w){_OF_LAND}?)",
    explained=r"(?:[Tt]he )?(?P<title>[A-Z][^;.\n]{3,120})(?=[;.\n]|$)",
    own=rf"(?:(?:[Tt]his|[Tt]hese)(?: present)?|[Tt]he present) (?P<genre>{_GENRES}|{_INSTRUMENTS})(?!\w)",
    anaphor=(
        r"(?:[Tt]hat|[Tt]hose|[Ss]uch|[Tt]he same|(?:[Tt]he )?(?:afore)?said"
        r"|[Tt]he (?:latter|former|aforementioned|above-?mentioned))"
        rf" (?P<genre>{_GENRES}|{_INSTRUMENTS}|(?<=said )(?:act|ordinance|code|regulations|rules|order|law))(?!\w)"
    ),
    thereof=r",? thereof(?!\w)",
    led=(
        r"(?:[Tt]he )?(?P<title>"
        rf"(?:(?:Code|Constitution|Charter|Statute|Rules|Law|Regulations|{_INSTRUMENTS}) (?:of|on|for)|Act respecting)"
        r"(?> (?:[A-Z][\w'’&-]*+|(?:of|the|for|on|to|and)(?= (?:[A-Z]|(?:of|the) [A-Z])))){1,12}+"
        rf"(?! (?:Act|Ordinance|Order|Rules)(?!\w)){_YEAR}?)"
    ),
    bare=rf"(?P<definite>[Tt]he )(?P<genre>{_GENRES}|{_INSTRUMENTS})(?!\w)",
    abridged=(
        rf"[Tt]he (?:(?P<genre>{_GENRES}) of (?P<year>(?:1[5-9]|20)\d\d)(?!\w)"
        rf"|(?P<year_2>(?:1[5-9]|20)\d\d) (?P<genre_2>{_GENRES})(?!\w))"
    ),
    abbreviated=(
        rf"(?:{_OF}(?:the )?(?P<alias>{_ABBREVIATION}|[A-Z]{{2}})| (?P<alias_2>{_ABBREVIATION}))"
        rf"(?: (?:1[5-9]|20)\d\d)?{_ALONE}"
        r"|,? (?P<alias_3>(?:[A-Z][a-z]?\.){3,5})(?! ?\d)"
    ),
    foreign_unit=r"§|[Aa]rt|ART",
    foreign="|".join(read_rows(Path(__file__).with_name("foreign.toml"))["foreign"]),
    defined_after=(
        rf",? ?\((?:(?:[^()\n\"“”„]{{0,20}}{_HERE})?[^()\n\"“”„]{{0,60}}?"
        rf"{_OPENS} ?(?:[Tt]he )?(?P<alias>{_ALIAS}) ?{_CLOSES}"
        rf"(?:,? (?:or|and)(?: simply)? {_OPENS}(?:[Tt]he )?(?P<alias_2>{_ALIAS}){_CLOSES})?"
        rf"|(?:here(?:in)?after,? )?(?:(?:called|referred to as|as) )?[Tt]he (?P<alias_3>{_GENRES}|{_INSTRUMENTS})"
        r"|(?P<alias_4>[A-Z]{2,9}))\)"
    ),
    joined=r",? (?:and|or) (?:of )?(?:the )?(?=[A-Z])",
    called=(
        r"(?: \([^()\n]{1,40}\))?,? (?:(?:which|that) )?(?:(?:is|are|will be|shall be) )?(?:here(?:in)?(?:after)? )?"
        r"(?:referred to|cited|known|called|abbreviated)(?: here(?:in)?(?:after)?| in this [a-z]+)?(?: as)? (?:the )?"
    ),
    defined_before=(
        rf"(?:{_HERE},? )?[\"“](?:[Tt]he )?(?P<alias>[^\"”\n]{{0,60}}?(?:{_GENRES}))[\"”]"
        r" (?:means|is|refers to) (?:the )?$"
    ),
    same_before=r"(?<!\w)(?:[Ii]bid\.?|[Ii]d\.|[Ii]dem),? (?:at )?$",
    same_behind=r",? \(?ibid(?!\w)",
    of_work=r"(?<!\w)(?:op|loc)\.? ?cit\.?,? (?:at )?$",
    before_sections=r",? (?:except|other than|including) | ?, | \[|,? at ",
    name_before=(
        rf"(?<![\w.])(?P<title>{_NO_START}(?:[A-Z][\w&.’']{{0,12}} (?:\(\w+\) )?(?:of )?){{0,6}}?"
        rf"(?:(?:Code|Law|Stat|Ann|Reg|Const)s?\.?|{_INSTRUMENTS}|Torts|Contracts|(?:[A-Z]\.){{3,5}}"
        r"|(?!THE|AND|SEE|ANY|[IVXLC]+,? $)[A-Z]{3,8})),? $"
    ),
    short_unit=r"§|(?:ss?|rr?|[Aa]rts?)\.? ",
    foreign_units=(
        (r".*Regulations", "(?i:s)"),
        (r"(?!.*Regulations).*(?:Act|Code)", "(?i:reg)"),
        (r"C?ETS|T\.?I\.?A\.?S|COM\(", r"(?i:sec|s\.|reg)|§"),  # treaties and proposals have articles
    ),
    secondary=(rf"(?:The )?(?P<subject>{_NAME}?)(?:\([^()]*\) )*(?:Regulations?|Rules|Order|Directions?)(?:{_YEAR})?$"),
    parents={"Act": "{} Act", "Ordinance": "{} Ordinance", "Code": "{} Code", "Law": "{} Law"},
    types={
        **{"act": "Act", "ordinance": "Ordinance", "code": "Code", "regulations": "Regulations", "rules": "Rules"},
        **{"order": "Order", "law": "Law"},
    },
    number_behind=r" ?[(\[] ?(?:[A-Z][a-z]+ (?=Act)){0,2}|, (?=Cap|CAP|Chapter \d)",
    amends="amended|substitut|insert|omit|repeal|delet",
    leads_new_law=(
        rf"(?:\b(?:is|are) {_AMENDED}[^\n:]{{0,300}}\s?:|\b(?:is|are) amended[^\n:]{{0,60}}\s?[–—-]"
        r"|\b(?i:insert|substitute|add)\s?[:–—-])\n\s*"
    ),
    amends_line=rf"(?m)^(?!\s*[“\"])[^\n]{{0,400}}\b(?:is|are) {_AMENDED}",
    amendment_lead=r"(?:[A-Z][A-Za-z ]{2,40}\.— ?)?(?:In )?(?:[Tt]he )?",
    opens_amendment=r"(?: \([^()\n]{1,60}\))?(?: is| are|,| ?[–—:-])",
    of_this=r",? \(?(?:above|below|herein|hereof|supra|infra|of this (?:judgment|decision|ruling|opinion|award))(?!\w)",
    identifier_before=(rf"(?<!\w)(?P<identifier>(?:{_CASES})(?: [Nn]os?\.?)? (?:[A-Z]{{1,3}}[-‑–])?|C[-‑–])$"),
    to_case=" (?:of|to|in) (?:the )?",
    to_paragraph=r"(?: [A-Z][^,.;:()\n]{1,60})?(?: ?\([^()\n]{0,40}\))?(?:, (?:at )?| at |(?P<near> \(?))",
    pinpoint=r",? (?:at )?\[(?P<number>\d{1,3})\]",
    asked=(
        rf"(?:[Tt]he )?(?P<name>(?:{_ASKED_WORD}){{1,12}}?(?:"
        rf"(?:{_UNDER}){{1,2}}(?P<under_type>(?:{_ASKED_TYPES}|order|rules)\b)"
        rf"|(?:[Bb]y-)?(?P<type>{_ASKED_TYPES}|(?:(?<=[Bb]y-)|[Bb]y)laws?)\b)"
        rf"{_REMARK}?{_ASKED_YEAR}?)"
    ),
    editorial_words=frozenset({"amendment", "amended", "consolidated", "revised", "no"}),
    amending_words=frozenset({"amendment"}),
)
