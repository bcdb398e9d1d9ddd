"""What says that a provision, a document or the number of a section is not there any more.

`(בוטל)`, `[Repealed, 2015, c. 4, s. 112]`, `12 to 15 Repealed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

MAX_LINE_LENGTH = 300  # characters of a line of numbers
MAX_WITH_WORD_LENGTH = 80  # of one that begins with `Sections`
MAX_LENGTH = 400  # characters of a repealed provision, with its number and heading
MAX_HEADING_LENGTH = 150
MAX_NUMBERS = 2_000  # numbers of a line
_CITED = [language.citations for language in LANGUAGES]
_TO = rf"\s?(?:[–—-]\s?|{either(words.to_words for words in _CITED)}|{either(words.and_words for words in _CITED)})"
_NUMBER = r"(?:§\s?)?\d{1,4}[^\W\d_]{0,2}[.)]?"
_SECTION = either(language.statutes.section_words for language in LANGUAGES).replace(r"\.", "")
_SECTIONS = either(words.several for words in _CITED)
_UNIT = regex(rf"[\[(*]*(?:(?:{_SECTIONS}|{_SECTION}s?\.?|§{{1,2}})\s?)?", re.IGNORECASE)
_NUMBERS = regex(rf"{_NUMBER}(?:(?:,\s?|{_TO}){_NUMBER})*[\s:–—-]*", re.IGNORECASE)
# Those of a code: `Secs. 5-3—5-20. - Reserved`
_OF_CODE = regex(
    rf"(?P<prefix>(?:\d{{1,4}}[.-]){{1,2}})(?P<first>\d{{1,4}})\.?{_TO}(?P=prefix)(?P<last>\d{{1,4}})[\s.:–—-]*",
    re.IGNORECASE,
)
_REPEALED = either(language.statutes.repealed for language in LANGUAGES)
_IS_REPEALED = regex(
    rf"(?:\[[^\]]{{1,100}}\][\s.:–—-]*)?(?:[\[(*]*\s?{_REPEALED}(?!\w)|(?:[.*…]\s?){{3,}}$)",  # behind a note
    re.IGNORECASE,
)
_ENDS_REPEALED = regex(rf"[\[(]{_REPEALED}[^\])]*[\])]\.?$", re.IGNORECASE)
_MARK = rf"[\[(*]+\s*{_REPEALED}(?!\w)[^\])\n]*[\])*]+"
# In brackets, or alone: `Repealed. 1914, ch. 222`, `Repealed by Act 31 of 2022`, but not `פקע המשכון, רשאי החייב`
_STUB = regex(
    rf"[\[(*]+\s*{_REPEALED}(?!\w)[^\n]{{0,200}}[\])*]\W*"
    rf"|{_REPEALED}(?:\W*|[.,:;–—-]\s[^\n]{{0,200}}|(?=[^\n]*\d)(?:[ ,]+\S+){{1,8}}\s*)|(?:[.*…]\s?){{3,}}",
    re.IGNORECASE,
)
_OF_PROVISION = regex(r"^[\[(]?(?:§+\s?)?\d[\w.:-]{0,14}[.)]?(?=\s)|^\(\w{1,5}(?:\.\d{1,2})?\)(?=\s)")
_OF_TITLE = regex(rf"[\[(]{_REPEALED}(?!\w)[^\])\n]{{0,100}}[\])]\s*$", re.IGNORECASE)
_RANGE = regex(rf"(?P<first>\d+)(?:[^\W\d_]{{0,2}}[.)]?{_TO}(?:§\s?)?(?P<last>\d+))?", re.IGNORECASE)
_SIGNS = frozenset("0123456789§[*")
_INITIALS = frozenset("".join(language.statutes.section_initials for language in LANGUAGES))


def says_repealed(text: str) -> str:
    """The words in which a provision says so, '' where it says anything else besides its number and heading."""
    if len(text) > MAX_LENGTH:
        return ""
    said = _OF_PROVISION.sub("", text.strip(), count=1).strip()
    *heading, last = [line.strip() for line in said.split("\n") if line.strip()] or [""]
    if len(heading) > 1 or any(len(line) > MAX_HEADING_LENGTH for line in heading):
        return ""
    return last if _STUB.fullmatch(last) else ""


def title_says_repealed(title: str) -> str:
    """The same of a document, at the end of its title."""
    found = _OF_TITLE.search(title)
    return found[0].strip() if found else ""


def find_repealed(text: str, number: str) -> tuple[int, int] | None:
    """Where a text says of the section with this number that it is repealed: `38. [Repealed by Act 31 of 2022]`."""
    before = rf"(?<![\w.(/-]){re.escape(number)}(?![\w/])[\s.:–—)-]{{0,6}}"
    found = re.search(rf"{before}(?P<mark>{_MARK}|{_REPEALED}(?!\w)[^\n]{{0,80}})", text, re.IGNORECASE)
    return found.span("mark") if found else None


def numbers_repealed(text: str, following: str = "") -> list[str]:
    """The numbers that the line names so, or that a line of numbers alone names and the one below it says it of."""
    longest = MAX_LINE_LENGTH if text[:1] in _SIGNS else MAX_WITH_WORD_LENGTH if text[:1] in _INITIALS else 0
    unit = _UNIT.match(text) if len(text) <= longest else None
    if unit is None:
        return []
    if code := _OF_CODE.match(text, unit.end()):
        is_repealed = _IS_REPEALED.match(text, code.end()) or _ENDS_REPEALED.search(text, code.end())
        return [f"{code['prefix']}{number}" for number in _range(code)] if is_repealed else []
    numbers = _NUMBERS.match(text, unit.end())
    # Numbers alone on their line have the word on the next.
    said, at = (text, numbers.end()) if numbers and numbers.end() < len(text) else (following, 0)
    if numbers is None or not _IS_REPEALED.match(said, at):
        return []
    return list(map(str, chain.from_iterable(map(_range, _RANGE.finditer(numbers[0])))))


def _range(numbers: re.Match[str]) -> Iterable[int]:
    first = int(numbers["first"])
    return range(first, min(int(numbers["last"] or first), first + MAX_NUMBERS) + 1)
