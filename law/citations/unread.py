"""Names and numbers of instruments beside a citation that no form reads: what it is of is not known.

Whoever took it for a provision of this document, or of the act named before, would link it to another law's.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from law.citations.numbers import UNIT
from law.languages import LANGUAGES
from law.languages.protocol import Language
from law.languages.scripts import CASELESS, PREFIX_LETTERS, either
from law.patterns import regex

_YEAR = r"(?:1[5-9]|20)\d\d"
_CAPITAL = r"[A-Z][\w.&'’/–-]*"
_ENDS_SENTENCE = r"[a-z]{4}\. "  # no abbreviation
_SHORT = r"(?:(?:[A-Z]\.){1,5}[A-Z]?|[A-Z]{2,8})"
_NO = r"(?:[Nn](?:os?\.?|[°º]) ?)?"
# With what it goes on: `1180(I)/2021`, `02-6-02-SC`, `39/2016/ND-CP`, `12/2017-Central`, `197-Law/2010`
_NUMBER = (
    r"(?:\d{1,6}[A-Z]{0,2}(?:\([A-Z]{1,3}\)(?=/))?|\(\d{1,6}\)|[IVXLC]{1,7}(?= of \d)|[A-Z]{1,3}(?=[-/]\d))"
    r"(?:[-–/:]\d{1,5}|(?:\.\d|(?<=\d{3})\.)\d{1,2}(?!\d)|[-–/][A-Z][A-Za-z-]{0,8}(?![a-z])){0,4}"
    rf"(?: of {_YEAR})?(?![\w%])"
)
_INSTRUMENTS = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.instruments)
# `Executive Order`, `P.D.`, but not `Category`: what may have a number without a year
_KIND = rf"(?:{_CAPITAL} ){{0,3}}(?=[A-Z])(?:(?i:{_INSTRUMENTS})|[\w.&]{{1,8}}\.)"
# `S.I. 2020/351`, `R.A. 10863`, `SOR/2018-108`, `S.R. & O. 1949/330`, `Circular 3/2011`, `Proclamation 15 of 1919`
_NUMBERED = (
    rf"(?:(?:(?:[A-Z][a-z]{{0,5}}\.){{1,4}} (?:& )?){{0,2}}{_SHORT}[ /]?(?:\([A-Z]{{1,2}}\) ?)?{_NO}"
    rf"{_NUMBER}"
    rf"|(?:{_CAPITAL} ){{1,4}}{_NO}"
    rf"(?:(?=\d{{1,6}}[-–/]\d){_NUMBER}|{_NUMBER}(?<= of \d{{4}}))"
    rf"|{_KIND} {_NO}(?=[A-Z]{{1,2}}[-–/:]\d){_NUMBER})"
)
_DAY = rf"(?:(?:\d{{1,2}}\.? )?(?:[^\W\d_]{{3,10}} (?:[a-z]{{2,3}} )?)?{_YEAR}|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{4}})"
# What is reported: `(2007) 12 NWLR (Pt. 1049) 499`, `PLD 2012 SC 923`
_REPORTED = (
    rf"(?:[(\[]{_YEAR}[)\]](?: (?:{_CAPITAL}|\([^()\n]{{1,12}}\)|\d{{1,5}}(?!\w))){{1,8}} \d{{1,5}}"
    rf"|(?:[A-Z]{{2,8}} )?{_YEAR} (?:\(\d{{1,3}}\) )?[A-Z]{{2,8}} \d{{1,5}})(?!\w)"
)
# Letters without capitals: `ה"ח 817`, `ק"ת התשע"ט 2511`, and behind a word for what it is `נוהל 5.2.0012`
_LETTERS = rf"[{CASELESS}]{{1,4}}[\"״”][{CASELESS}]{{1,3}}"
_PREFIXED = f"[{PREFIX_LETTERS}]{{0,3}}"
_CASELESS_INSTRUMENTS = either(word for one in LANGUAGES if not one.has_capitals for word in one.unread.instruments)
_NUMBERED_SERIES = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.series)
_PLANS = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.plans)
_INSIDE = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.inside)
_CASELESS_NUMBERED = either(word for one in LANGUAGES if not one.has_capitals for word in one.unread.numbered)
_COUNTED = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.counted)
_DATED = either(word for one in LANGUAGES if one.has_capitals for word in one.unread.dated)
_ABBREVIATED = r"[A-Z][a-z]{0,5}\.(?: ?\(?[A-Z][a-z]{0,5}\.\)?){0,4}"
# `צו הנמלים, סעיף 3 שבו`: in a language without capitals only these words say that the name is no part of the sentence
_CASELESS_PLACES = either(word for one in LANGUAGES if not one.has_capitals for word in one.unread.places)
_CASELESS_UNNUMBERED = either(word for one in LANGUAGES if not one.has_capitals for word in one.unread.unnumbered)
_CASELESS_WORD = rf"(?: (?!{_CASELESS_PLACES}|{_CASELESS_UNNUMBERED}(?!\w))[{CASELESS}]+(?:[\"״'׳־-][{CASELESS}]+)*)"
_CASELESS_NAME = rf"{_PREFIXED}{_CASELESS_INSTRUMENTS}{_CASELESS_WORD}{{0,4}}"
# `מס' 1.1555`, `תשע"ה/8(א)`, `507/מק/2204`, `ח-06-2580`
_CASELESS_NUMBER = (
    rf"(?:(?![{PREFIX_LETTERS}]-)[{CASELESS}]{{1,4}}(?:[\"״][{CASELESS}])?[/-](?=\d))?"
    rf"\d+(?:[./-](?:\d+|[{CASELESS}]{{1,3}}(?=/)))*(?:\([{CASELESS}\d]{{1,3}}\))?"
)
# A word for what it is with a number that has a sign or a word before it, or letters with any. `5.5`, `5-7` and days
# are numbers of anything.
_SIGNED = (
    rf"(?!\d{{1,3}}[./-]\d{{1,2}}(?![\w./-])|\d{{1,2}}[./]\d{{1,2}}[./]{_YEAR})"
    r"(?=[^\s,]*\d[./-]|[^\s,]*[/-]\d)"
)
_CASELESS_LETTERED = rf"{_LETTERS}(?: {_LETTERS})?(?: {_CASELESS_NUMBERED})? {_CASELESS_NUMBER}"
_CASELESS_INSTRUMENT = (
    rf"{_CASELESS_INSTRUMENTS}(?! {_LETTERS} [\w.]*\d)(?:{_CASELESS_WORD}{{0,5}} (?:{_CASELESS_NUMBERED} ?|{_SIGNED})"
    rf"|(?:(?! [{PREFIX_LETTERS}]){_CASELESS_WORD})? ){_CASELESS_NUMBER}"
)
_OF_WHOM = either(word for one in LANGUAGES if not one.has_capitals for word in one.unread.of_whom)
_CASELESS_MARK = (
    rf"(?<![\"״]){_PREFIXED}(?:{_CASELESS_LETTERED}|{_CASELESS_INSTRUMENT})"
    rf"(?: \([^()\n]{{1,40}}\)| {_OF_WHOM}{_CASELESS_WORD}{{1,4}})?"
)
_CASELESS_BEFORE = regex(rf"(?<![{CASELESS}]){_CASELESS_NAME},? $")
_IN_IT = regex(rf" {either(word for one in LANGUAGES for word in one.unread.in_it)}(?!\w)")
# Right before the sign of a section: `SSI 2019/123, reg. 4`, `W.S. 1977, § 5`, `1902, No. 66 , § 1`, `Supp., § 3`
_BRACKETS = r"(?: [(\[][^()\[\]\n]{1,40}[)\]])?"
# `No. 24 of 2019`, `Regs. tit. 23`, `2003, n. 196`
_COUNTED_NUMBER = (
    rf"(?:(?:{_KIND} |{_YEAR},? )(?i:{_COUNTED})\.? ?"
    rf"|(?:No\.? ?|(?:{_CAPITAL} ){{1,4}}(?i:{_COUNTED})\.? ?)(?=\S{{1,8}}[-–/]\w|\S{{1,8}} of \d)){_NUMBER}"
)
# `Stb. 2018, 144`, `BGBl. I`, `Law No. 6698 dated 24 March 2016`
_MONTHS = either(month for one in LANGUAGES for month in one.dates.months)
_GAZETTE = (
    rf"(?:(?!{_MONTHS}\.){_ABBREVIATED} {_YEAR}, \d{{1,5}}"
    r"|(?=[A-Z]+[a-z])[A-Z]\w{0,3}[A-Z]\w{0,3}\. [IVX]{1,4})"
)
_DATED_NUMBER = rf"{_KIND} {_NO}{_NUMBER} {_DATED} {_DAY}"
_ANY_NUMBER = (
    rf"(?:{_NUMBERED}(?:(?: {_CAPITAL}){{1,3}}(?=,? ?[,([]))?|{_REPORTED}|{_SHORT}\({_YEAR}\) {_NUMBER}"
    rf"|{_COUNTED_NUMBER}|{_GAZETTE}|{_DATED_NUMBER})"
)
_NUMBER_MARK = regex(rf"(?<![\w.])(?:{_ANY_NUMBER}{_BRACKETS}|{_CASELESS_MARK}),? ?(?:(?<=[, ])|[(\[])(?:at )?$")
# `FORM A-1, section 5`, `Table 5-1 (section 3)`: parts of any document, and no year
_LISTED = either(
    word for one in LANGUAGES if one.has_capitals for word in (*one.unread.places, one.statutes.other_words)
)
_LISTED_NUMBER = regex(
    rf"(?<![\w.])(?i:{_LISTED})\.? (?i:{_COUNTED}\.? ?)?(?![^\s,(]*(?<!\d){_YEAR}(?!\d))"
    r"(?:[A-Z]{1,3}[-–/:.]?\d[^\s,]{0,8}(?:,? |,? ?[(\[])|[IVX]{1,4},? [(\[]?|\d[^\s,]{0,8} ?[(\[])$"
)
# Only what has one of these is an instrument that a section in brackets is of: `S.I. 2031/351 (section 5)`
_TELLS_NUMBER = regex(
    rf"(?<!\d){_YEAR}(?!\d)|[A-Z]\.|(?<!\w)(?i:{_INSTRUMENTS}) |{_LETTERS}|{_CASELESS_NUMBERED}|[{CASELESS}] .*[./-]"
)
_ABROAD = either(word for one in LANGUAGES for word in one.unread.abroad)
_SHORT_MARK = regex(
    rf"(?<![\w.])(?:(?:{_ABBREVIATED}|[A-Z]{{2,8}}(?=,? \d))(?:,? {_YEAR}|,? \d{{1,3}})?(?: Supp\.)?"
    rf"|{_YEAR},? ?(?:[A-Z][a-z]{{0,5}}\.|[a-z]{{1,4}}\.?|No\.?) ?(?:\d{{1,4}} ?)?(?:\([^()\n]{{1,20}}\) ?)?"
    rf"|c\.? ?(?:[A-Z]{{1,2}}[.-])?\d{{1,4}}|{_ABROAD})"
    r" ?,? ?(?:at )?$"
)
# Behind `the Act`, of which it is no more than the beginning: ` of 1995`, ` No. 5`, ` of August 13, 1946`, ` B.E. 2554`
_GOES_ON = regex(
    rf"(?:,? (?:of )?(?P<year>{_YEAR})(?!\w)|,? of (?:[A-Z][a-z]+ )?\d[\w/-]*|,? [Nn]o\.? ?\d[\w/-]*| \d[\w/-]*"
    rf"|,? (?:[A-Z]\.){{2}} ?\d{{3,4}}(?!\w)| {_CASELESS_NUMBERED} ?\d[\d/.-]*(?<=\d))"
)
_BESIDE = regex(
    r" ?[(\[](?P<inside>[A-Z\d][^()\[\]\n]{1,40})[)\]]| (?P<era>(?:[A-Z]\.){2} ?\d{4})(?!\w)"
    rf"|, (?P<open>(?:[A-Z][\w.]{{0,8}},? ){{1,4}}(?:{_YEAR},? )?(?:c\.? )?(?:[A-Z]{{1,2}}[.-]?)?\d[\w:.-]*(?<=\w))"
)
# `Under the Ports Law section 4`
_INSTRUMENT_BEFORE = regex(
    rf"(?<![\w.])(?!(?:The|This|These|That) )(?:{_CAPITAL} (?:{_INSIDE} ){{0,2}}){{0,5}}"
    rf"{_CAPITAL} (?:(?!the ){_INSIDE} ){{0,2}}(?=[A-Z])(?i:{_INSTRUMENTS},?|{_PLANS}) $"
    rf"|(?<![\w.])(?:{_CAPITAL} ){{0,5}}(?=[A-Z])(?i:{_NUMBERED_SERIES}) "
    rf"{_NO}(?!{_YEAR}(?![\w/:–-])){_NUMBER}{_BRACKETS},? $"
)
_ABBREVIATED_SERIES = regex(r"(?:[A-Z]\.){2}|(?<!\w)(?:(?i:c|ch|cap)\.?|(?i:chap)\.) ?[A-Z]{0,2}[.-]?\d")
_MAX_MARK_LENGTH = 70  # characters
_MAX_PLACES = 3  # parts of a document around one another


class UnreadName(NamedTuple):
    """Where such a name ends, and what says that it is one. `word` is that for what it is, '' for a number."""

    end: int
    words: str
    word: str = ""


def _before_comma(words: Iterable[str]) -> str:
    """Words with a comma behind them or none: `regulation 3 of, and Schedule 2 to, the …`."""
    return either(word[:-1] + ",? " if word.endswith(" ") else word for word in words)


class _Behind:
    """What one language says behind a citation, as compiled patterns."""

    def __init__(self, language: Language) -> None:
        said = language.unread
        self._has_capitals = language.has_capitals
        inside, numbered, instruments = either(said.inside), either(said.numbered), either(said.instruments)
        instrument = rf"(?P<word>{instruments})(?![\w\"״]|['׳]\w)"
        links = zip(("sure", "joined", "loose"), (said.surely_of, said.joining, said.loosely), strict=True)
        link = "|".join(f"(?P<{name}>{_before_comma(words)})" for name, words in links)
        article = rf"(?P<article>{either(said.articles)})?"
        self.link = regex(rf"(?:,? (?:{link})|(?P<listed>,? ))(?!{either(said.own)}){article}", re.IGNORECASE)
        # Without capitals nothing but its number shows where a name ends.
        word = rf"(?!\S{{0,3}}(?:{instruments}(?!\w)|{either(said.places)}))[^\W\d]+(?:[\"״'׳־-][^\W\d]+)*['׳]?"
        number = rf"(?:{numbered} ?)?{_CASELESS_NUMBER}"
        named = rf"{instrument}(?! {either(said.own)}(?!\w))(?:(?: {word}){{0,4}} {number})?"
        latin = rf"{_CAPITAL}(?: (?:{_CAPITAL}|{_NO}\d[\w./-]*)){{0,5}}"
        counted = rf"(?!{either(said.unnumbered)}(?!\w)){word}"
        phrase = rf"{counted}(?: {counted}){{0,4}} {numbered} ?\d[\d/.-]*(?<=\d)"
        name = rf"[־–-]?(?P<words>{named}|{_LETTERS} {number}|{phrase}|{latin})"
        self.glued = regex(rf" {either(said.joining)}{name}")
        self.loosely_glued = regex(rf" {either((*said.joining, *said.loosely))}{name}")
        self.place = regex(rf"{either(said.places)}(?: (?:no\.? ?)?(?-i:[\dIVXLC][\w.]{{0,7}}))?(?!\w)", re.IGNORECASE)
        of_chapter = rf"(?i:{numbered})\.? ?(?:[A-Z]{{1,2}}[.-]?(?=\d))?{_NUMBER}"
        self.printed_in = regex(either(said.printed_in))
        year = rf"{_YEAR},? {numbered}\.? ?\d{{1,4}}"
        self.numbered = regex(rf"(?:{_REPORTED}|{_NUMBERED}|{year}|{of_chapter}|{self.printed_in.pattern})")
        self.number = regex(_NUMBER)
        self.run = regex(rf"{_CAPITAL}(?:,? (?:{inside} ){{0,3}}(?:(?<!{_ENDS_SENTENCE})\()?[A-Z\d][^\s,;:]*){{0,12}}")
        capitals = rf"(?:{_CAPITAL} (?:{inside} ){{0,2}}){{0,8}}?"
        self.named = regex(rf"{capitals}(?=[A-Z])(?i:{instrument})")
        plain = either((*said.inside, *said.plain))
        lower = rf"(?:(?!{plain}(?!\w))[a-z][\w'’-]* ){{0,3}}"
        self.lower = regex(rf"{lower}(?i:{instrument})")
        self.plan = regex(rf"(?:{capitals}|{lower})(?i:(?P<word>{either(said.plans)}))(?!\w)")

    def name(self, text: str, place: int, *, of_section: bool, is_listed: bool) -> UnreadName | None:
        """As `unread_behind`."""
        if not self._has_capitals:
            glued = (self.loosely_glued if of_section else self.glued).match(text, place)
            return UnreadName(glued.end(), glued["words"], glued["word"] or "") if glued else None
        link = self.link.match(text, place)
        hops = 0
        while link and (inner := self.place.match(text, link.end())):  # `Part 2 of the Schedule to the lease`
            link, hops = (self.link.match(text, inner.end()) if hops < _MAX_PLACES else None), hops + 1
        if link is None or (link["listed"] is not None and not is_listed):
            return None
        patterns = [self.printed_in if link["listed"] is not None and hops else self.numbered]
        if link["sure"]:
            patterns += [self.named, self.lower, self.plan, self.run, self.number]
        elif link["listed"] is None and (of_section or hops):
            patterns += [self.named, *([self.lower] if link["joined"] and link["article"] else ())]
        found = next(filter(None, (pattern.match(text, link.end()) for pattern in patterns)), None)
        if found is None:
            return None
        word = found.groupdict().get("word") if link["article"] else ""
        return UnreadName(found.end(), found[0], word or "")


_SHORT_UNIT = regex(either(language.acts.short_unit for language in LANGUAGES))
_SERIES_WORD = either((_PREFIXED if one.prefixes else "") + either(one.unread.series) for one in LANGUAGES)
_SERIES = regex(rf"(?<![\w.])(?:{_NUMBERED})|(?<!\w){_SERIES_WORD}(?: [^\W\d][^\s\d]*){{0,4}}? \d[\d./-]*(?<=\d)")
# By letters or a word. `Case`, `Appeal` and courts say of no series which one it is.
_TELLS_SERIES = regex(rf"[A-Z]{{2}}|[A-Z]\.|^[A-Z][ /]|(?<!\w)(?i:{_SERIES_WORD})(?!\w)")
_BEHIND = [_Behind(language) for language in LANGUAGES]
_OF_THIS = [
    regex(rf",? {either((*said.surely_of, *said.joining))}{either(said.own)}")
    for said in (language.unread for language in LANGUAGES)
]


def unread_behind(text: str, place: int, *, of_section: bool, is_listed: bool) -> UnreadName | None:
    """What a citation that ends here goes on with: one of a section, or of clauses alone.

    Without `is_listed` not behind a comma.
    """
    names = (one.name(text, place, of_section=of_section, is_listed=is_listed) for one in _BEHIND)
    return next(filter(None, names), None)


def _is_of_instrument(mark: re.Match[str]) -> bool:
    if UNIT.match(mark[0], 0) or _LISTED_NUMBER.search(mark.string):  # `תקנות 5.1, סעיף 3`
        return False
    return not mark[0].endswith(("(", "[")) or _TELLS_NUMBER.search(mark[0]) is not None


def unread_before(text: str, place: int, end: int) -> str:
    """What stands right before a citation between these places, or ''."""
    lead = text[max(0, place - _MAX_MARK_LENGTH) : place].rpartition("\n")[2]
    patterns = [_NUMBER_MARK, _INSTRUMENT_BEFORE]
    patterns += [_SHORT_MARK] if _SHORT_UNIT.match(text, place) else []
    patterns += [_CASELESS_BEFORE] if _IN_IT.match(text, end) else []
    marks = filter(None, (pattern.search(lead) for pattern in patterns))
    mark = next(filter(_is_of_instrument, marks), None)
    return mark[0].strip(" ,([") if mark else ""


def is_of_this(text: str, place: int) -> bool:
    """Whether a citation that ends here goes on with `of this title`."""
    return any(pattern.match(text, place) for pattern in _OF_THIS)


def more_of_name(text: str, place: int, title: str) -> re.Match[str] | None:
    """What makes a name that ends here another one: a number, a day, or as the group `year` one that it has not."""
    more = _GOES_ON.match(text, place)
    return None if more is None or (more["year"] and more["year"] in title) else more


def number_beside(text: str, place: int) -> str:
    """A number of an act whose name ends here, or '': `(Cap. 57)`, `, R.S.O. 1990, c. H.19`."""
    found = _BESIDE.match(text, place)
    if found is None or not re.search(r"\d", found[0]) or (found["open"] and UNIT.match(text, found.start("open"))):
        return ""  # `Ports Act, Sec. 36`
    return found["inside"] or found["era"] or found["open"]


def is_number_of_act(beside: str) -> bool:
    """Whether what stands in brackets behind `the Act` says which one that is: `R.S.A. c. H50`, not `Part 2`."""
    return _ABBREVIATED_SERIES.search(beside) is not None


def numbers_of_series(text: str) -> list[str]:
    """The numbers in a text, each with the words or letters that say of which series it is: `L.N. 63/2014`."""
    return [name[0] for name in _SERIES.finditer(text) if _TELLS_SERIES.search(name[0])]
