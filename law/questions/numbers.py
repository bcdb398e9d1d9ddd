"""The numbers of a text that count something, and not those by which sections and acts are cited."""

import re
from collections.abc import Iterator
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_WORDS = [language.questions for language in LANGUAGES]
NUMBER = either(
    rf"(?<!\w)[{''.join(sorted(one.prefixes))}-]{{0,2}}(?:{'|'.join(one.number_words.split())})(?!\w)"
    for one in LANGUAGES
    if one.number_words
)
SUMS = regex(either([NUMBER, *(words.sums for words in _WORDS)]), re.IGNORECASE)
_QUANTITIES = regex(either([SUMS.pattern, *(words.quantities for words in _WORDS)]), re.IGNORECASE)
_CITING = either(
    chain(
        (unit for one in LANGUAGES for unit in one.citations.unit),
        (
            rf"(?<!\w)[{''.join(sorted(one.prefixes))}-]{{0,4}}{name}"
            for one in LANGUAGES
            for kind in one.divisions.divisions
            for name in (kind.name, kind.several)
            if name
        ),
    )
)
_COUNTED = either(one.citations.counted for one in LANGUAGES)  # `sections 3 and 5, 30 days`
_SEVERAL = either(
    chain((one.citations.several for one in LANGUAGES), (one.citations.divisions_listed for one in LANGUAGES))
)
_AND = either(chain.from_iterable((one.citations.and_words, one.citations.to_words) for one in LANGUAGES))
CITED = regex(rf"(?P<unit>§{{1,2}}|{_CITING})\s*\d[\w.()]*", re.IGNORECASE)
_SEVERAL_CITED = regex(rf"(?:{_SEVERAL}|§§)\s*\Z", re.IGNORECASE)
_MORE_CITED = regex(rf"(?:(?:\s*,)?\s*(?:{_AND})?\s*\d[\w()]*(?!\w|{_COUNTED})){{0,20}}", re.IGNORECASE)
# `Act No. 2 of 2010`
_NUMBERED_ACT = regex(
    rf"(?:{either(one.citations.printed_number for one in LANGUAGES)})\s(?:1[89]|20)\d\d(?!\d)", re.IGNORECASE
)
_OWN_NUMBER = regex(r"\s*(?:\d[\d.]*\w{0,2}[.\s]\s*|\(\w{1,4}\)\s*)+")
# Not the volume of a code: `42 U.S.C. § 1751`
_DIGITS = regex(r"(?<![\w(.–-])\d[\d,.]*(?![\w)]|[.,]\d|\s(?:[A-Z]\.){3})")
YEAR = regex(r"(?:1[89]|20)\d\d")


def has_year(text: str) -> bool:
    """Whether a sentence has what may be a year, which some questions for a number want."""
    return any(YEAR.fullmatch(digits) for digits in re.findall(r"\d+", text))


def has_number(text: str, in_words: re.Pattern[str] = _QUANTITIES) -> bool:
    """Whether a sentence has a number, in digits or these words: not its own, that of a section or act, or a year."""
    if own := _OWN_NUMBER.match(text):
        text = text[own.end() :]
    if in_words.search(text):
        return True
    return any(True for _number in find_numbers(text))


def find_numbers(text: str) -> Iterator[tuple[str, int]]:
    """The numbers in digits of a text, and where each ends in it: no years, and none of sections that it cites."""
    cited = [*map(_span_of_cited, CITED.finditer(text)), *(match.span() for match in _NUMBERED_ACT.finditer(text))]
    for number in _DIGITS.finditer(text):
        digits = number[0].rstrip(".,")
        if not YEAR.fullmatch(digits) and not any(start <= number.start() < end for start, end in cited):
            yield digits, number.start() + len(digits)


def _span_of_cited(found: re.Match[str]) -> tuple[int, int]:
    """Where a section is cited, or several: `sections 3, 4 and 5`, but of `section 5, 30 euros` the first number."""
    if _SEVERAL_CITED.search(found["unit"]) and (more := _MORE_CITED.match(found.string, found.end())):
        return found.start(), more.end()
    return found.span()
