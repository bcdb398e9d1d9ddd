"""The numbers of sections as citations print them, and the words before them: `section 18.2-32`, `סעיף 5א`."""

import re
from collections.abc import Callable, Iterator

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, ChoiceByScript, either
from law.patterns import Choice, regex
from law.structure.lines.headings import SPELLED_NUMBERS
from law.words.numerals import LATIN_ORDINAL

NumberReader = Callable[[str, int], re.Match[str] | None]
_WORDS = [language.citations for language in LANGUAGES]
_WORD_START = regex(r"(?<!\w)\w|[§¶]")


def any_of(attribute: str) -> str:
    """A pattern for what any of the languages says there."""
    return either(getattr(words, attribute) for words in _WORDS)


def each(attribute: str) -> list[str]:
    """What each of the languages says there, as a pattern of its own."""
    return [pattern for words in _WORDS if (pattern := getattr(words, attribute))]


_LETTERS_BEHIND = rf"{any_of('number_letters')}?\d{{0,2}}{any_of('later_letters')}?(?:[׳']|\.?[º°])?"
# 2016/679 is no section, 5% and 1,000 are none; the ו of `4ו־6` is an and
NUMBER_ENDS = rf"(?!(?!{any_of('conjunction')})[\w%/]|,\d{{3}}(?!\d))"
# 5, 5א, 15ג, 63א1, 12A, 18.8.2, A1.2.3, ד.2.1, 4 bis, 4-A; counted repetitions, so that no input makes the search slow.
_PLAIN = (
    rf"(?:[A-Z](?=\d{{1,3}}\.\d)|[{CASELESS}A-Z]\.(?=\d{{1,2}}\b))?"
    r"\d{1,5}(?:[A-Z]{1,2}(?=\.\d))?(?:\.\d{1,4}){0,6}"
    rf"(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-])|{_LETTERS_BEHIND}){NUMBER_ENDS}"
)
# Of codes, whose numbers could be read as ranges or end too early
_NO_DAY = r"(?!\d{1,2}-\d{1,2}-(?:19|20)\d\d(?!\d))"
_CODED = [rf"{_NO_DAY}(?:{row['printed']}){NUMBER_ENDS}" for words in _WORDS for row in words.coded]
_MAY_BE_CODED = regex(r"[LRD](?:\. ?)?\d|[\d.]{1,8}[A-Za-z]{0,2}\d{0,2}[-:(]")
_OF_NUMBER = rf"(?:{any_of('number_word')} ?)?"
_LETTERED = rf"{any_of('letters_number')}(?:{LATIN_ORDINAL})?(?![\w’'-])"
# `Article (2)`, whose number laws print in brackets
_BRACKETED = rf"\((?P<bracketed>\d{{1,4}}[A-Z]?)\)(?P<inserted>(?i:{LATIN_ORDINAL}))?"
_NUMBERS_OF_CODES, _PLAIN_NUMBER = Choice(_CODED), regex(_PLAIN)
# `section two`, right behind the word: in `section 5 and two others` it counts others.
SPELLED_NUMBER = Choice(
    [r"[^\W\d_]{3,9}(?:-[^\W\d_]{3,5})?(?![\w-])"], is_meant=lambda word: word[0].casefold() in SPELLED_NUMBERS
)
LETTERED_NUMBER = regex(_LETTERED)
BRACKETED_NUMBER = regex(_BRACKETED)


class _Units:
    """Words before the number of a section, up to that."""

    def __init__(self) -> None:
        self._numbered = ChoiceByScript(
            lambda language: [rf"(?:{unit}) ?{_OF_NUMBER}" for unit in language.citations.unit],
            signs=[rf"(?:§§?|¶¶?) ?{_OF_NUMBER}"],
            is_meant=self._is_before_number,
        )
        self._others = Choice(
            (
                rf"(?<!\w){any_of('bracketed_unit')} (?=\(\d{{1,4}}[A-Z]?\))",
                rf"(?<!\w){any_of('lettered_unit')} ?(?={_LETTERED})",
            )
        )

    def match(self, text: str, place: int) -> re.Match[str] | None:
        """Those that stand there."""
        return self._numbered.match(text, place) or self._others.match(text, place)

    def starts(self, text: str, place: int, end: int) -> Iterator[int]:
        """Where they stand between two places."""
        return (word.start() for word in _WORD_START.finditer(text, place, end) if self.match(text, word.start()))

    def _is_before_number(self, unit: re.Match[str]) -> bool:
        text, place = unit.string, unit.end()
        return number_at(text, place) is not None or SPELLED_NUMBER.match(text, place) is not None


UNIT = _Units()


def number_at(text: str, place: int) -> re.Match[str] | None:
    """The number of a section that stands there, in digits."""
    coded = _NUMBERS_OF_CODES.match(text, place) if _MAY_BE_CODED.match(text, place) else None
    return coded or _PLAIN_NUMBER.match(text, place)


def first_number(text: str, place: int) -> re.Match[str] | None:
    number = BRACKETED_NUMBER.match(text, place) or number_at(text, place)
    return number or SPELLED_NUMBER.match(text, place) or LETTERED_NUMBER.match(text, place)
