"""Lines that say of a section's number that no section has it any more: `12 to 15 Repealed`, `סעיף 5 (בוטל)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either

LONGEST, LONGEST_WITH_WORD = 300, 80  # characters of such a line, and of one that begins with `Sections`
MOST = 2_000  # numbers of a line
_CITED = [language.citations for language in LANGUAGES]
_TO = rf"\s?(?:[–—-]\s?|{either(words.to_words for words in _CITED)}|{either(words.and_words for words in _CITED)})"
_NUMBER = r"\d{1,4}[^\W\d_]{0,2}[.)]?"
_GONE = re.compile(
    rf"[\[(*]*(?:(?:{either(words.unit for words in _CITED)}|§{{1,2}})\s?)?"
    rf"(?P<numbers>{_NUMBER}(?:(?:,\s?|{_TO}){_NUMBER})*)[\s:–—-]*(?:\[[^\]]{{1,100}}\][\s.:–—-]*)?"
    rf"(?:[\[(*]*{either(language.statutes.gone for language in LANGUAGES)}(?!\w)|(?:[.*…]\s?){{3,}}$)",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"(?P<first>\d+)(?:[^\W\d_]{{0,2}}[.)]?{_TO}(?P<last>\d+))?", re.IGNORECASE)
_SIGNS = frozenset("0123456789§[*")
_INITIALS = frozenset("".join(language.statutes.section_initials for language in LANGUAGES))


def numbers_gone(text: str) -> Iterable[int]:
    """The numbers that the line names so."""
    longest = LONGEST if text[:1] in _SIGNS else LONGEST_WITH_WORD if text[:1] in _INITIALS else 0
    if len(text) > longest:
        return ()
    line = _GONE.match(text)
    return chain.from_iterable(map(_range, _RANGE.finditer(line["numbers"]))) if line else ()


def _range(numbers: re.Match[str]) -> range:
    first = int(numbers["first"])
    return range(first, min(int(numbers["last"] or first), first + MOST) + 1)
