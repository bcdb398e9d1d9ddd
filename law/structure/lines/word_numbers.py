"""Section numbers behind a word or a sign: `Section 5`, `סעיף 5`, `§ 12-99-103`, `Article (16) bis`, `NRS 41.1395`."""

import re
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.headings import HEADING_LENGTH, spelled_number
from law.structure.lines.number_keys import SectionNumber, Style, key_of
from law.words.numerals import LATIN_ORDINAL, division_number, roman_value

_WORDS = [language.statutes for language in LANGUAGES]
LETTERS = either(words.number_letters for words in _WORDS)
COLONED = r"\d{1,4}(?:-?[A-Z])?:\d{1,4}[a-z]?(?:-\d{1,4})?(?:\.\d{1,3})?"  # 1:2, 2C:11-3
DECIMAL = r"[A-Z]?\d{1,4}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2})+"
_RAISED_DIGITS = "¹²³⁴⁵⁶⁷⁸⁹⁰"
# `Section 3.¹` and `§ 2¹.` are numbers. Elsewhere it is the mark of a footnote: `Art. 4a³`.
_RAISED = str.maketrans(_RAISED_DIGITS, "1234567890")
_SMALL = rf"[a-z]{{1,2}}(?=\d{{0,2}}(?:[{_RAISED_DIGITS}]|[^\w’']|$))"
_INSERTED = rf"(?i:{LATIN_ORDINAL})|-[A-Z]{{1,2}}(?![\w-])| [a-z](?=\.?$| \(\d|\.\s?[A-Z])"
# The number in each of the forms that it may have, the most special first
_FORMS = [
    regex(form)
    for form in (
        *(form for words in _WORDS for form in words.coded),
        COLONED,
        r"\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,2})?(?:[–-]\d{1,5}[A-Za-z]{0,2}){1,2}(?:\.\d{1,3}[a-z]?)?",
        DECIMAL,
        rf"\d{{1,4}}(?:{LETTERS}\d{{0,2}}|{_SMALL}){{0,2}}(?P<ordinal>\.?[º°])?(?:{_INSERTED})?",
    )
]
_SECTION = regex(rf"(?:{either(words.section_words for words in _WORDS)}|(?P<sign>§{{1,2}}))\s*")
# The short name of a code, which it has before each of its sections
_CODE = regex(
    r"(?:[A-Z]{2,5}|(?:[A-Z]\.){2,5})(?: §)? "
    r"(?=\d{3,4}[A-Z]?\.\d|\d{1,2}[A-Z][.:-]\d|\d{1,3}(?:\.\d+)?-\d+-\d|\d{1,4}(?:-[A-Z])?:\d)"
)
_ORDINAL = regex(r"\.?[º°]|(?<=^1)er$")  # `Artigo 4.º-A`, `Art. 1er`
_OPEN = regex(rf"\((?=\d{{1,3}}(?i:{LATIN_ORDINAL})?\))")
_BEHIND_BRACKET = regex(rf"(?i:{LATIN_ORDINAL})")
_MARK = regex(
    rf"(?<=[a-z])\d{{1,2}}|(?P<point>\.)?(?P<raised>[{_RAISED_DIGITS}]{{1,2}})(?(point)|(?P<pointed>(?=\.))?)"
)
_RAISED_BEHIND = regex(
    rf"(?P<number>\d{{1,4}})(?P<point>\.?)(?P<raised>[{_RAISED_DIGITS}]{{1,2}})(?=(?P<pointed>\.)|[\s:–—]|$)"
)
_ROMAN = regex(
    rf"{either(words.roman_words for words in _WORDS)}\s?"
    rf"(?P<whole>(?P<number>[IVXLC]{{1,7}})(?:{LATIN_ORDINAL})?)(?!\w)"
)
_BEHIND = regex(
    rf"(?: ?\((?:{either(words.number_note for words in _WORDS)})\))?"
    r"(?P<separator>\s*[.:](?:\s?[-_]|\s[—–](?=\s[^\W\d_]))?(?=\s|[—–]|$)|\.(?=[A-Z][a-z]|[(\[])|\s*[–—]|\s*-(?=\s)|\s*$|\s)\s*(?P<rest>.*)",
    re.S,
)
_RANGE = regex(r"(?P<prefix>(?:\d{1,4}[.-]){1,2})\d+[–-](?P=prefix)\d+")  # §§ 12.4-12.9
_FIRST_CLAUSE = regex(r"\((?:1\)\s+[“\"‘']?[A-Z]|[A-Z][^()\d]{2,100}\))")  # or a heading in brackets
_TITLE_START = regex(either(words.title_start for words in _WORDS))
IS_REPEALED = regex(rf"[\[(]{either(words.repealed for words in _WORDS)}.*[\])]\.?$", re.I)
MAX_TITLE_LENGTH = 100


def read_named(text: str) -> SectionNumber | None:
    """The number with a word before it that the line begins with."""
    word = _SECTION.match(text) or _CODE.match(text)
    found = read_behind(text, word) if word else None
    return found or _read_roman(text)


@dataclass(frozen=True, slots=True)
class RaisedNumber:
    """A raised digit behind the number of a line: it is part of it, as in `Article 5¹`, or the mark of a footnote.

    `inserted` is the line with a point before the digit, which makes it part, and `plain` the line without the digit.
    `before` is the number that `inserted` stands behind: 5 for `Article 5¹` and 5-1 for `Article 5²`.
    """

    number: str  # without the digit
    inserted: str
    plain: str
    before: str
    sign: str  # the digits as printed
    is_pointed: bool  # `Article 5.¹`, `Article 5¹.`


def raised_number(text: str) -> RaisedNumber | None:
    """The raised digit behind the number that a line begins with."""
    word = _SECTION.match(text) if _RAISED_BEHIND.search(text, 0, MAX_TITLE_LENGTH) else None
    found = _RAISED_BEHIND.match(text, word.end()) if word else None
    if found is None:
        return None
    number, digit, rest = text[: found.end("number")], int(found["raised"].translate(_RAISED)), text[found.end() :]
    return RaisedNumber(
        number=found["number"],
        inserted=f"{number}.{found['raised']}{rest}",
        plain=number + found["point"] + rest,
        before=f"{found['number']}-{digit - 1}" if digit > 1 else found["number"],
        sign=found["raised"],
        is_pointed=bool(found["point"] or found["pointed"]),
    )


def is_of_code(text: str) -> bool:
    """Whether the line begins with the short name of a code and a number."""
    return _CODE.match(text) is not None


def is_named(text: str) -> bool:
    """Whether the line begins with such a word and digits, be that a section or a reference."""
    word = _SECTION.match(text) or _CODE.match(text)
    return word is not None and any(form.match(text, word.end()) for form in _FORMS)


def read_behind(text: str, word: re.Match[str]) -> SectionNumber | None:
    """The number behind a word that the line begins with."""
    bracket = _OPEN.match(text, word.end())
    at = bracket.end() if bracket else word.end()
    for found in filter(None, (form.match(text, at) for form in _FORMS)):
        number, end = found[0], found.end()
        if bracket and text[end : end + 1] == ")":
            inserted = _BEHIND_BRACKET.match(text, end + 1)
            number, end = number + (inserted[0] if inserted else ""), inserted.end() if inserted else end + 1
        if "ordinal" in found.re.groupindex:
            number, end = _with_mark(text, number, end)
        if behind := _BEHIND.match(text, end):
            plain = _ORDINAL.sub("", number)
            return _label(plain, word, behind, is_set_off=bracket is not None or plain != number)
    spelled = spelled_number(text, at)
    behind = _BEHIND.match(text, at + len(spelled)) if spelled else None
    return _label(division_number(spelled), word, behind) if behind else None


def _with_mark(text: str, number: str, end: int) -> tuple[str, int]:
    """The number, with a raised one behind it where that belongs to it, and where both end."""
    mark = _MARK.match(text, end)
    if mark is None:
        return number, end
    if mark["raised"] and (mark["point"] or mark["pointed"] is not None) and number[-1].isdigit():
        number = f"{number}-{mark['raised'].translate(_RAISED)}"
    return number, mark.end()


def _read_roman(text: str) -> SectionNumber | None:
    roman = _ROMAN.match(text)
    behind = _BEHIND.match(text, roman.end()) if roman else None
    if roman is None or behind is None:
        return None
    digits = f"{roman_value(roman['number'].lower())}{roman['whole'][len(roman['number']) :]}"
    return _label(roman["whole"], roman, behind, digits=digits)


def _label(
    number: str, word: re.Match[str], behind: re.Match[str], *, is_set_off: bool = False, digits: str = ""
) -> SectionNumber | None:
    """The label, or None for a reference: "Section 5 applies to", "סעיף 5 לחוק"."""
    rest = behind["rest"].strip()
    sign = "sign" in word.re.groupindex and bool(word["sign"])
    is_text = False
    if not (behind["separator"].strip() or is_set_off or not rest):
        is_text = not _may_be_title(rest.rstrip(".") if sign else rest)
        if is_text and not _may_be_text(rest):
            return None
    series = number.rpartition("-")[0]
    if series and rest.startswith(f"{series}-"):
        return None  # `§ 71-218 — 71-228. Butter`
    # `Sec. 202. custody of disposal site`: a heading that was printed in small capitals
    may_be_small = behind["separator"].strip() == "." and len(rest) <= HEADING_LENGTH and rest[-1:] not in tuple(".;:,")
    if (rest[:1].islower() and not may_be_small) or rest[:1] in (",", ";", ")") or _RANGE.fullmatch(number):
        return None
    prefix = number[0] if number[0].isalpha() and not digits else ""
    key = key_of(digits or number[len(prefix) :].lstrip(". "))
    initial = "s" if sign else word[0][0].lower()
    return SectionNumber(number, key, Style.WORD, rest, prefix=prefix, word=initial, is_text=is_text)


def _may_be_text(rest: str) -> bool:
    """`Article 1 This Law applies to …`: whether that is a section, only the others can tell."""
    return (
        rest.lstrip('“"')[:1].isupper() or _FIRST_CLAUSE.match(rest) is not None or IS_REPEALED.match(rest) is not None
    )


def _may_be_title(rest: str) -> bool:
    if not rest or len(rest) > MAX_TITLE_LENGTH or rest[-1] in ".;:,–":
        return False
    return rest.lstrip('“"')[:1].isupper() or _TITLE_START.match(rest) is not None
