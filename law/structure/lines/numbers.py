"""Section numbers as they are printed at the start of a line."""

import enum
import re
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, either
from law.patterns import regex
from law.structure.lines.headings import HEADING_LENGTH, looks_like_heading
from law.structure.lines.number_keys import Key, key_of, step
from law.words.numerals import LATIN_ORDINAL, division_number, roman_value


class Style(enum.StrEnum):
    """How a document marks its sections."""

    WORD = "word"  # Section 5, סעיף 5, § 5
    NUMBER = "number"  # 5. and 5.2.1, also 5.—(1)
    BRACKET = "bracket"  # 5)
    SQUARE = "square"  # [5]
    BARE = "bare"  # 5 Heading


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """A section number at the start of a line."""

    number: str  # as printed, without word and closing full stop
    key: Key
    style: Style
    rest: str  # what follows on the line
    clause: str = ""  # (2) in 1.2.1.(2)
    above: tuple[str, ...] = ()  # Part 2, Chapter 1 in Part 2.Chapter 1.6.
    prefix: str = ""  # A in A1.2.3
    heading: str = ""  # from the table cell before it, or the words before it on the line
    behind: bool = False  # there are such words, which might be the end of a sentence
    word: str = ""  # the first letter of the word before it: `Section`, `Sec.` and § are one form, `Article` is another
    is_text: bool = False  # nothing but a blank stands between such a word's number and a sentence

    @property
    def is_roman(self) -> bool:
        return self.style is Style.WORD and not self.prefix and self.number[0].isalpha()

    @property
    def form(self) -> str:
        """What the numbers of a sequence have in common."""
        return self.style + self.word


_WORDS = [language.statutes for language in LANGUAGES]
_LETTERS = either(words.number_letters for words in _WORDS)
# Up to 1899: the numbers after it, at the start of a line, are years.
_INSERTED = rf"(?:{_LETTERS}\d{{0,2}}){{0,2}}(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-]))?"
_PLAIN = rf"(?:1[0-8]\d\d|\d{{1,3}}){_INSERTED}"
_DECIMAL = r"[A-Z]?\d{1,4}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2})+"
_COLONED = r"\d{1,4}(?:-?[A-Z])?:\d{1,4}[a-z]?(?:-\d{1,4})?(?:\.\d{1,3})?"  # 1:2, 2C:11-3
# Of codes in the United States: 12-99-103.5, 12.1-16-01, 12-1,101
_CODED = (
    rf"(?:\d{{1,4}}[A-Z]?(?:\.\d{{1,3}})?(?:-(?:\d,\d{{3}}|\d{{1,5}})[A-Z]{{0,2}}){{1,2}}(?:\.\d{{1,3}})?|{_COLONED})"
)
# 73-18-1 Title. Not a day, as 12-05-2031
_CODED_BARE = r"\d{1,3}[A-Z]?-\d{1,3}[a-z]?-(?!(?:19|20)\d\d\b)\d{1,4}(?:\.\d{1,2})?"
_GONE = either(words.gone for words in _WORDS)
IS_GONE = regex(rf"[\[(]{_GONE}.*[\])]\.?$", re.I)
_NUMBER_NOTE = either(words.number_note for words in _WORDS)
_SUFFIX = either(words.number_suffix for words in _WORDS)
_NUMBERED = regex(
    rf"(?:(?P<decimal>{_DECIMAL})\.?(?=[\s(]|$|\.?[A-Z(][\w(])"
    rf"|(?P<coded>{_CODED})(?:\.(?=[\s—–]|$)|(?<=[A-Z]:\d)(?= [A-Z])|(?<=[A-Z]:\d\d)(?= [A-Z]))"
    rf"|(?P<plain>{_PLAIN})(?:(?P<delimiter>[.)])(?=[\s({CASELESS}\[—–“\"]|-[\s(]|[A-Z][a-z]|$)(?:-(?=\s))?|—(?=[A-Z][a-z])))"
    rf"(?P<clause>\.?\([^()\s]{{1,4}}\)|\.?{_SUFFIX}\b[\w.]*)*[\t ]*(?P<rest>.*)",
    re.S,
)
_BARE = regex(
    rf"(?:(?P<plain>{_PLAIN})(?P<space>[ \t\xa0]{{1,12}}|(?=\(1\)\s))|(?P<coded>{_CODED_BARE}) (?=[A-Z“\"]))"
    rf"(?P<rest>(?:\(\w{{1,3}}\)|[“\"‘']?[^\W\d_]|[\[(](?i:{_GONE})).*)",
    re.S,
)
# `2[4A. Powers`: a bracket around what an amendment brought, with the number of its footnote.
_AMENDED = regex(rf"(?:\d{{1,3}}|\*{{1,3}}|F\d{{1,4}})? ?\[(?={_PLAIN}\.[\s—–(])")
_GLUED = regex(r"\[F(?P<digits>\d{2,7})[A-Z]{0,3}(?= [A-Z])")
_WIDE = 4  # blanks that set a number off as a full stop does
_SQUARE = regex(r"\[(?P<number>\d{1,4}(?:\.\d{1,3})?)\][ \t]*(?P<rest>.*)", re.S)
_HYPHENATED = r"\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,2})?(?:[–-]\d{1,5}[A-Za-z]{0,2}){1,2}(?:\.\d{1,3}[a-z]?)?"
_RANGE = regex(r"(?P<prefix>(?:\d{1,4}[.-]){1,2})\d+[–-](?P=prefix)\d+")  # §§ 12.4-12.9
_OF_TAXES = r"\d{1,3}\.\d{1,4}[A-Z]?\([a-z]{1,2}\)(?:\(\d{1,2}\))?-\d{1,3}[A-Z]{0,2}"  # 1.401(a)-1
_RAISED_DIGITS = "¹²³⁴⁵⁶⁷⁸⁹⁰"
_CODE = r"[LRDA]\.? ?\d{1,4}(?:-\d{1,4}){0,4}"  # of a code in France: L. 121-1
_ONE_LETTERS = rf"(?:{_LETTERS}\d{{0,2}}|[a-z]{{1,2}}(?![^\W{_RAISED_DIGITS}]|[’'])){{0,2}}"
_SPELLED = either(word for language in LANGUAGES for word in language.citations.spelled_numbers)
# `Section 3.¹` and `§ 2¹.` are numbers. Elsewhere it is the mark of a footnote: `Art. 4a³`.
_RAISED = str.maketrans(_RAISED_DIGITS, "1234567890")
_WORD = regex(
    rf"(?:(?:{either(words.section_words for words in _WORDS)}|(?P<sign>§{{1,2}}))\s*(?P<open>\((?=\d{{1,3}}\)))?"
    rf"(?P<number>{_OF_TAXES}|{_COLONED}|{_HYPHENATED}|{_DECIMAL}|{_CODE}"
    rf"|\d{{1,4}}{_ONE_LETTERS}(?P<ordinal>[º°])?(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-]))?"
    rf"(?:(?P<point>\.)?(?P<raised>[{_RAISED_DIGITS}]{{1,2}})(?(point)|(?P<pointed>(?=\.))?))?"
    rf"|(?P<spelled>(?i:{_SPELLED})(?![\w-])))(?(open)\))"
    rf"|{either(words.roman_words for words in _WORDS)}\s?"
    rf"(?P<roman>(?P<roman_number>[IVXLC]{{1,7}})(?:{LATIN_ORDINAL})?)(?!\w))"
    rf"(?: ?\((?:{_NUMBER_NOTE})\))?"
    rf"(?P<separator>\s*[.:](?:\s?-)?(?=\s|[—–]|$)|\s*[–—]|\s*-(?=\s)|\s*$|\s)\s*(?P<rest>.*)",
    re.S,
)
_ABOVE = regex(rf"({either(words.above_number for words in _WORDS)}) ?\.")
_CELL_BEFORE = regex(rf"(?P<heading>[^\t]{{2,90}})\t(?={_PLAIN}\.\s)")
# `הגדרות 36ט. בפרק זה –`: what was printed in the margin, drawn into the line.
_MARGINAL = "".join(language.letters for language in LANGUAGES if language.statutes.marginal_headings)
_MARGIN_BEFORE = regex(
    rf"(?P<heading>[{_MARGINAL}][^\d.;:,\t]{{2,60}})\.? (?={_PLAIN}\.(?: |[—–-](?=\())?[{_MARGINAL}(])"
)
VERB = regex(either(words.verbs for words in _WORDS))
_MENTIONS = regex(rf"(?:^|\s){either(words.mentions for words in _WORDS)}$")
# A line of a table of contents, or of a form to be filled in
_LEADER = regex(r"(?:\.{4,}|…|\t)\s*\d{1,4}$|[^\W\d][ :]*(?:\.{5,}|_{4,})$")
_STARTS = frozenset("0123456789§[" + "".join(words.section_initials for words in _WORDS))
_FIRST_CLAUSE = regex(r"\((?:1\)\s+[“\"‘']?[A-Z]|[A-Z][^()\d]{2,100}\))")  # or a heading in brackets
_TITLE_START = regex(either(words.title_start for words in _WORDS))


def read_label(text: str) -> SectionNumber | None:
    """The section number that the line begins with. Whether it is one here, its neighbours decide."""
    if text[:1] not in _STARTS and "\t" not in text and _WORD.match(text) is None:
        return _behind_margin(text)
    if _LEADER.search(text):
        return None
    heading, whole = "", text
    if "\t" in text and (cell := _CELL_BEFORE.match(text)):
        heading = cell["heading"].strip()
        text = text[cell.end() :]
    if mark := _AMENDED.match(text):
        text = text[mark.end() :]
    above: list[str] = []
    while found := _ABOVE.match(text):
        above.append(found.group(1))
        text = text[found.end() :].lstrip()
    if not above and (word := _WORD.match(text)):
        return _word_label(word)
    numbered = _NUMBERED.match(text)
    if numbered is None and above:  # `SECTION 1. SHORT TITLE`: no division with a number inside
        word = _WORD.match(whole)
        return _word_label(word) if word else None
    if numbered is None:
        return (_behind_margin(text) or _unpointed(text)) if not heading else None
    number = numbered["decimal"] or numbered["coded"] or numbered["plain"]
    prefix = number[0] if number[0].isalpha() else ""
    return SectionNumber(
        number=number,
        key=key_of(number[len(prefix) :]),
        style=Style.BRACKET if numbered["delimiter"] == ")" else Style.NUMBER,
        rest=numbered["rest"].strip(),
        clause=numbered["clause"] or "",
        above=tuple(above),
        prefix=prefix,
        heading=heading,
    )


def without_mark(text: str, last: Key) -> str:
    """`2A Renewal` of `[F22A Renewal` behind section 2: the mark of the footnote is glued to the number."""
    if text[:2] != "[F" or (found := _GLUED.match(text)) is None:
        return text
    for at in range(found.start("digits") + 1, found.end("digits")):
        if step(last, key_of(text[at : found.end()])) == 1:
            return text[at:]
    return text


def _behind_margin(text: str) -> SectionNumber | None:
    """The number behind a heading of a few words on the same line."""
    margin = None if text[:1].islower() else _MARGIN_BEFORE.match(text)
    numbered = _NUMBERED.match(text, margin.end()) if margin else None
    if margin is None or numbered is None or not numbered["plain"]:
        return None
    number, rest, heading = numbered["plain"], numbered["rest"].strip(), margin["heading"].strip()
    if not looks_like_heading(heading) or _MENTIONS.search(heading) or VERB.search(heading) or rest[:1].islower():
        return None
    return SectionNumber(number=number, key=key_of(number), style=Style.NUMBER, rest=rest, heading=heading, behind=True)


def _unpointed(text: str) -> SectionNumber | None:
    """`[12] The claimant` and `5 Interpretation`: whether they are sections, only the others like them can tell."""
    found, style = _SQUARE.match(text), Style.SQUARE
    if found is None:
        found, style = _BARE.match(text), Style.BARE
    if found is None or found["rest"][:1].islower():
        return None
    number = found[1] or found["coded"]
    if style is Style.BARE and len((found["space"] or "").expandtabs(_WIDE)) >= _WIDE:
        style = Style.NUMBER
    return SectionNumber(number=number, key=key_of(number), style=style, rest=found["rest"].strip())


def _word_label(word: re.Match[str]) -> SectionNumber | None:
    if _RANGE.fullmatch(word["number"] or ""):
        return None
    rest = word["rest"].strip()
    separated = bool(word["separator"].strip() or word["ordinal"] or word["open"]) or not rest
    is_text = False
    if not separated and not _may_be_title(rest.rstrip(".") if word["sign"] else rest):
        is_text = _may_be_text(rest)
        if not is_text:
            return None  # "Section 5 applies to", "סעיף 5 לחוק": a reference
    if rest and (rest[0] in ",;)" or (rest[0].islower() and not _in_small_letters(word))):
        return None
    number, prefix, digits = _printed_number(word)
    return SectionNumber(
        number=number,
        key=key_of(digits),
        style=Style.WORD,
        rest=rest,
        prefix=prefix,
        word="s" if word["sign"] else word[0][0].lower(),
        is_text=is_text,
    )


def _printed_number(word: re.Match[str]) -> tuple[str, str, str]:
    """The number as printed, the letter before it, and what is left of it in digits."""
    if roman := word["roman_number"]:
        return word["roman"], "", f"{roman_value(roman.lower())}{word['roman'][len(roman) :]}"
    if word["spelled"]:
        return (number := division_number(word["spelled"])), "", number
    number = word["number"].replace("º", "").replace("°", "")
    if raised := word["raised"]:
        number = number.removesuffix(raised).rstrip(".")
        if (word["point"] or word["pointed"] is not None) and number[-1].isdigit():
            number = f"{number}-{raised.translate(_RAISED)}"
    prefix = number[0] if number[0].isalpha() else ""
    return number, prefix, number[len(prefix) :].lstrip(". ")


def _may_be_text(rest: str) -> bool:
    """`Article 1 This Law applies to …`: whether that is a section, only the others can tell."""
    return rest.lstrip('“"')[:1].isupper() or _FIRST_CLAUSE.match(rest) is not None or IS_GONE.match(rest) is not None


def _in_small_letters(word: re.Match[str]) -> bool:
    """`Sec. 202. custody of disposal site`: a heading that was printed in small capitals."""
    rest = word["rest"].strip()
    return word["separator"].strip() == "." and len(rest) <= HEADING_LENGTH and rest[-1] not in ".;:,"


def _may_be_title(rest: str) -> bool:
    if len(rest) > 100 or rest[-1] in ".;:,–":
        return False
    return rest.lstrip('“"')[:1].isupper() or _TITLE_START.match(rest) is not None
