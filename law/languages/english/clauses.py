"""How English documents say when they begin and end: `This Act comes into force on…`, `This circular replaces…`."""

import re

from law.languages.clauses import DAY, OWN, PUBLICATION, ClauseWords
from law.languages.english.quoting import QUOTING
from law.patterns import regex

_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"] + [
    f"{number}th" for number in (10, 14, 15, 20, 28, 30, 45, 60, 90, 120, 180)
]
_UNITS = {f"{unit}{end}": unit for unit in ("day", "week", "month", "year") for end in ("", "s")}

_NUMBER_WORDS = "|".join(sorted(("a", *QUOTING.numbers), key=len, reverse=True))
_PERIOD = (
    rf"(?P<number>\d{{1,3}}[ -]|(?:(?:{_NUMBER_WORDS})[ -](?:and )?){{1,5}})(?:\(\d{{1,3}}\) )?(?:calendar[ -])?"
    rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})\b(?P<half>(?!))?"
)
_GENRE = (
    "Act|Law|Ordinance|Code|Statute|Directive|Decree|Rules?|Regulations?|Rulebook|Order|By-?laws?|Circular|Guidance|"
    "Guidelines?|Guidance Note|Principles|Notice|Policy|Manual|Memorandum|Bulletin|Letter|Instrument|Instructions?|"
    "Directions?|Procedure|Standard|Determination|Proclamation"
)
_HEADING = (
    r"(?:(?:short title|citation|commencement|entry into force|coming into force|effective date|expiry|repeals?"
    r"|revocation|replacement|duration)"
    r"(?:(?:,| and|, and) (?:commencement|application|expiry|repeals?|revocation|interpretation))*"
    r"\s*[.:–—-]+\s*)?"
)
_LEAVING = r"(?:,? (?:other than|except(?: for)?|with the exception of) [^;]{1,140}?,)?"
_SUBJECT_TO = r"(?:(?:subject|without prejudice) to [^;]{1,120}?, )?"
_CITED = r"(?: (?:may|shall|is to|are to) be cited as [^;]{1,220}?,? and)?"
_TO_THE_DAY = r"(?:(?:with effect |effective )?(?:on|from|as of|as from|on and from|on and after)(?: the)? )?"
_WHEN = (
    rf"(?:{_TO_THE_DAY}{DAY}"
    rf"|(?:at the end of |on the expiry of |after )?(?:the period of |a period of )?{_PERIOD}"
    rf" (?:after|from|following|beginning (?:with|on)) {PUBLICATION}"
    rf"|on the (?P<ordinal>{'|'.join(_ORDINALS)}) day (?:after|following) {PUBLICATION}"
    rf"|on the first day of the (?:calendar )?month (?:after|following) (?P<month_after>{PUBLICATION})"
    rf"|(?:on|upon|from|with effect from) (?P<publication>{PUBLICATION}))(?![\w])"
)
_VERB = (
    r"(?:(?:shall|will|is to|are to|is deemed to|are deemed to) )?(?:(?:be|is|are|becomes?|have|has) )?"
    r"(?:(?:hereby )?(?:deemed to )?(?:comes?|came|enters?|entered|be brought|brought)"
    r" (?:in)?to (?:force|operation|effect)"
    r"|takes? effect|have effect|has effect|effective|in force)"
)
_COMES = (
    rf"(?:(?:the provisions of )?{OWN}(?: \([^()]{{1,60}}\))?{_CITED}{_LEAVING} (?:also )?{_VERB}"
    rf"|(?:(?:the )?(?:effective|commencement|start) date(?: of {OWN})?|(?:date of )?(?:commencement|entry into force"
    rf"|coming into force)(?: of {OWN})?|effective|in force)(?: is)?(?=\s?:| is| from| as of| on| \ue000))"
)
_LAST = rf"(?:(?:until|up to|through)(?: and including)?|at the (?:end|close) of)(?: the)? {DAY.replace('day', 'last')}"
_FOR = (
    rf"(?:for )?(?:the period of |a period of )?{_PERIOD} (?:after|from|following|beginning (?:with|on)) "
    r"(?:(?P<begun>(?:the (?:date|day) (?:of|on which) )?"
    r"(?:(?:its|their|the) (?:commencement|coming into force|entry into force)"
    rf"|(?:it|they) comes? into force|that date|that day))|(?P<published>{PUBLICATION}))"
)
_GOES_ON = (
    r"(?:(?:(?:shall|will) )?(?:remains?|continues?|stays?|is|are|be|has|have|continues? to have)(?: to be)?"
    r" (?:in force|in effect|effective|valid|effect)|valid|in force)"
)
_NO_MORE = (
    r"(?:(?:shall|will) )?(?:(?:expires?|lapses?)|(?:ceases? to (?:have effect|be in force|apply|be effective))"
    r"|(?:is|are|be|stands?)(?: hereby)? (?:repealed|revoked))"
)
_TITLE_WORD = r"(?:[A-Z\d][\w'’&./-]*|\([^()]{1,80}\)|of|and|the|for|in|on|to|by|with|from|a|an|at|[-–—])"
_TITLE_GENRE = rf"(?:{_GENRE})(?:s|es)?"
_OTHER = (
    rf"(?-i:(?:[Tt]he )?(?!If |For |Where |When |Any |An? |Repeal |No )(?=[^;]{{0,200}}?\b{_TITLE_GENRE}\b)"
    rf"(?P<named>{_TITLE_WORD}(?:,? {_TITLE_WORD}){{1,40}}?))"
)
_NAME_ENDS = (
    r"(?=[.;](?!\s?\d)|$|,? (?:with effect|effective|which|and comes?|dated|issued|(?:on|about|for|concerning|regarding"
    r"|relating to|from) (?:[a-z]|\ue000)))"
)
_REPEALED = r"(?:repealed|revoked|rescinded|withdrawn|cancelled|annulled)"
_ON = rf"(?:,? (?:(?:with effect|effective) )?(?:on|from|as of|as from)(?: the)? {DAY})?"
_IN_ITS_PLACE = rf"(?P<replaces>(?:superseded|replaced)(?: in (?:its|their) entirety)? by {OWN})"
# What follows the last word of `publication` in the name of a law: `The Publication of Laws Act`
_IN_A_NAME = (
    r"(?<=(?-i:P)ublication)(?:s\b|\)"
    rf"|(?-i: (?:(?:of|and|for) (?:the )?)?(?!This|These)[A-Z][a-z])| (?:{_GENRE})\b)"
)

CLAUSES = ClauseWords(
    hint=regex(
        r"force|operation|effect|commenc|expir|repeal|revo[ck]|replac|supersed|ceas|valid|withdraw|rescind|cancel|laps",
        re.IGNORECASE,
    ),
    own=regex(
        rf"\bth(?:is|ese) (?:[a-z]+ ){{0,3}}?(?:{_GENRE})(?: (?:{_GENRE}|Note|Operating Procedure))*\b", re.IGNORECASE
    ),
    publication=regex(
        r"\b(?:(?:[Tt]he )?(?:date|day) (?:of|on which) )?(?:(?:its|their|the)(?: official)? publication"
        rf"|it is published|they are published|publication)(?!{_IN_A_NAME})(?: of (?:{OWN}|th(?:is|ese) [a-z]+))?"
        r"(?: in the [A-Za-z ]{3,30}?(?:Gazette|Register|Journal))?",
        re.IGNORECASE,
    ),
    commencement=regex(rf"{_HEADING}{_SUBJECT_TO}{_COMES}\s?:?{_LEAVING} ?{_WHEN}", re.IGNORECASE),
    pronoun=regex(rf"(?:it|they) {_VERB} {_WHEN}", re.IGNORECASE),
    own_subject=regex(
        rf"{_HEADING}{_SUBJECT_TO}(?:{_COMES}|(?:the provisions of )?{OWN}"
        r"|(?:valid until|expires?|expiry(?: date)?)\s?:?)",
        re.IGNORECASE,
    ),
    expiry=regex(
        rf"(?:(?:{_GOES_ON}|{_NO_MORE})\s?:? ?(?:at the (?:end|expiry) of )?{_FOR}"
        rf"|{_GOES_ON}\s?:? ?{_LAST}"
        rf"|{_NO_MORE} (?:on|at midnight on|at the end of|at the close of|after)(?: the)?"
        rf" {DAY.replace('day', 'last_2')}"
        rf"|{_NO_MORE} (?:with effect )?(?:from|as of|as from)(?: the)? {DAY.replace('day', 'first')}"
        rf"|(?:expiry(?: date)?|expires?|valid until)\s?: ?{DAY.replace('day', 'last_3')})(?!\w)",
        re.IGNORECASE,
    ),
    uncertain=regex(
        r"\b(?:or (?:on|from|until|if|such|at)|whichever|unless|provided that|fixed by|appointed|if\b|sooner)\b",
        re.IGNORECASE,
    ),
    ends=(
        regex(
            rf"{_HEADING}{_OTHER},? (?:is|are|shall be|stands?|has been|have been)(?: hereby)? (?:{_REPEALED}(?: and"
            rf" {_IN_ITS_PLACE})?|{_IN_ITS_PLACE.replace('replaces', 'replaces_too')}){_ON}(?=[.,;](?!\s?\d)|$| and)",
            re.IGNORECASE,
        ),
        regex(
            rf"{_HEADING}{OWN}(?: \([^()]{{1,60}}\))?,? (?:shall |will )?(?:hereby )?"
            rf"(?:(?P<replaces>(?:(?:repeals?|revokes?|cancels?|withdraws?) and )?(?:replaces?|supersedes?))"
            rf"|repeals?|revokes?|rescinds?|withdraws?|cancels?)(?: and (?:replaces?|cancels?|withdraws?))?"
            rf"(?: in (?:its|their) entirety)? {_OTHER}{_NAME_ENDS}",
            re.IGNORECASE,
        ),
        regex(
            rf"(?:the following|the)? ?(?:\w+ )?(?:is|are) (?:hereby )?{_REPEALED}\s?: {_OTHER}(?=[.;](?!\s?\d)|$)",
            re.IGNORECASE,
        ),
    ),
    list_heading=regex(
        rf"{_HEADING}the following (?:[a-z]+ ){{0,4}}(?:is|are)(?: hereby)? {_REPEALED}\s?[:–—-]", re.IGNORECASE
    ),
    listed=regex(rf"{_OTHER}(?:[.;,]| and|; and)*", re.IGNORECASE),
    part=regex(
        r"^(?:Sub-?)?(?:Sections?|Parts?|Paragraphs?|Schedules?|Articles?|Chapters?|Clauses?|Rules? \d|Regulations? \d)"
        r"|\b(?:section|paragraph|schedule|article|clause|part)s? (?:\d|[A-Z]\b)"
    ),
    ordinals={word: int(word[:-2]) if word[0].isdigit() else place for place, word in enumerate(_ORDINALS, 1)},
    units=_UNITS,
)
