"""Lines that say of a section's number that no section has it any more: `12 to 15 Repealed`, `סעיף 5 (בוטל)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

LONGEST, LONGEST_WITH_WORD = 300, 80  # characters of such a line, and of one that begins with `Sections`
MOST = 2_000  # numbers of a line
_CITED = [language.citations for language in LANGUAGES]
_TO = rf"\s?(?:[–—-]\s?|{either(words.to_words for words in _CITED)}|{either(words.and_words for words in _CITED)})"
_NUMBER = r"\d{1,4}[^\W\d_]{0,2}[.)]?"
_UNIT = rf"[\[(*]*(?:(?:{either(words.unit for words in _CITED)}|§{{1,2}})\s?)?"
_IS_GONE = rf"[\[(*]*{either(language.statutes.gone for language in LANGUAGES)}(?!\w)"
_GONE = regex(
    rf"{_UNIT}"
    rf"(?P<numbers>{_NUMBER}(?:(?:,\s?|{_TO}){_NUMBER})*)[\s:–—-]*(?:\[[^\]]{{1,100}}\][\s.:–—-]*)?"
    rf"(?:{_IS_GONE}|(?:[.*…]\s?){{3,}}$)",
    re.IGNORECASE,
)
# Those of a code: `Secs. 5-3—5-20. - Reserved`
_OF_CODE = regex(
    rf"{_UNIT}(?P<prefix>(?:\d{{1,4}}[.-]){{1,2}})(?P<first>\d{{1,4}})\.?{_TO}(?P=prefix)(?P<last>\d{{1,4}})"
    rf"[\s.:–—-]*{_IS_GONE}",
    re.IGNORECASE,
)
_WORDS = either(language.statutes.gone for language in LANGUAGES)
_MARK = rf"[\[(*]+\s*{_WORDS}(?!\w)[^\])\n]*[\])*]+"
_STUB = regex(rf"{_MARK}[\s.;]*|{_WORDS}(?!\w)(?:[ ,]+\S+){{0,8}}[\s.]*|(?:[.*…]\s?){{3,}}", re.IGNORECASE)
_RANGE = regex(rf"(?P<first>\d+)(?:[^\W\d_]{{0,2}}[.)]?{_TO}(?P<last>\d+))?", re.IGNORECASE)
_CODE_SIGNS = frozenset("§S[")
_SIGNS = frozenset("0123456789§[*")
_INITIALS = frozenset("".join(language.statutes.section_initials for language in LANGUAGES))


def says_gone(text: str) -> bool:
    """Whether all that it says is that something is repealed: `[Repealed, 2024, c. 15]`, `(בוטל)`."""
    return len(text) <= LONGEST and _STUB.fullmatch(text) is not None


def find_gone(text: str, number: str) -> tuple[int, int] | None:
    """Where a text says of the section with this number that it is repealed: `38. [Repealed by Act 31 of 2022]`."""
    before = rf"(?<![\w.(/-])(?:{_UNIT}){re.escape(number)}(?![\w/])[\s.:–—)-]{{0,6}}"
    found = re.search(rf"{before}(?P<mark>{_MARK}|{_WORDS}(?!\w)[^\n]{{0,80}})", text, re.IGNORECASE)
    return found.span("mark") if found else None


def numbers_gone(text: str) -> Iterable[str]:
    """The numbers that the line names so."""
    longest = LONGEST if text[:1] in _SIGNS else LONGEST_WITH_WORD if text[:1] in _INITIALS else 0
    if len(text) > longest:
        return ()
    if text[:1] in _CODE_SIGNS and (code := _OF_CODE.match(text)):
        return [f"{code['prefix']}{number}" for number in _range(code)]
    line = _GONE.match(text)
    return map(str, chain.from_iterable(map(_range, _RANGE.finditer(line["numbers"])))) if line else ()


def _range(numbers: re.Match[str]) -> range:
    first = int(numbers["first"])
    return range(first, min(int(numbers["last"] or first), first + MOST) + 1)
