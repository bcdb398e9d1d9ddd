"""The numbers of a text that count something, and not those by which sections and acts are cited."""

import re
from collections.abc import Iterator
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.words.stop_words import is_content_word

_WORDS = [language.questions for language in LANGUAGES]
NUMBER = either(
    rf"(?<!\w)[{''.join(sorted(one.prefixes))}-]{{0,2}}(?:{'|'.join(one.number_words.split())})(?!\w)"
    for one in LANGUAGES
    if one.number_words
)
SUMS = regex(either([NUMBER, *(words.sums for words in _WORDS)]), re.IGNORECASE)
_QUANTITIES = regex(either([SUMS.pattern, *(words.quantities for words in _WORDS)]), re.IGNORECASE)
_UNIT = either(unit for one in LANGUAGES for unit in one.citations.unit)
_DIVISION = either(
    rf"(?<!\w)[{''.join(sorted(one.prefixes))}-]{{0,4}}{name}"
    for one in LANGUAGES
    for kind in one.divisions.divisions
    for name in (kind.name, kind.several)
    if name
)
_SEVERAL = either(
    chain((one.citations.several for one in LANGUAGES), (one.citations.divisions_listed for one in LANGUAGES))
)
_AND = either(chain.from_iterable((one.citations.and_words, one.citations.to_words) for one in LANGUAGES))
CITED = regex(rf"(?P<unit>§{{1,2}}|{_UNIT}|(?P<division>{_DIVISION}))\s*\d[\w.()]*", re.IGNORECASE)
_SEVERAL_CITED = regex(rf"(?:{_SEVERAL}|§§)\s*\Z", re.IGNORECASE)
_ONE_MORE = regex(rf"\s*,?\s*(?P<and>{_AND})?\s*\d[\w()]*(?![\w(]|[.,]\d)", re.IGNORECASE)
_AT_CLAUSE_END = regex(r"\s*(?:[,;.:)\]]|\Z)|\s+(?=\d)|\s+(?P<next>[^\W\d]+)")
_MAX_MORE = 20  # sections of a list
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
    """Where a section is cited, or several: `sections 3, 4 and 5`.

    What counts something is none of them: of `sections 3 and 5, 30 euros` the 30, of `in part 50 crowns` the 50.
    """
    text, (start, end) = found.string, found.span()
    if found["division"] and not _counts_nothing(text, end):
        return start, start
    if _SEVERAL_CITED.search(found["unit"]):
        is_last = False
        for _ in range(_MAX_MORE):
            more = _ONE_MORE.match(text, end)
            if more is None or (is_last and not more["and"]) or not _counts_nothing(text, more.end()):
                break
            end, is_last = more.end(), more["and"] is not None
    return start, end


def _counts_nothing(text: str, end: int) -> bool:
    """Whether no thing that it may count follows a number: `of the Act`, a comma."""
    following = _AT_CLAUSE_END.match(text, end)
    return following is not None and (following["next"] is None or not is_content_word(following["next"].casefold()))
